package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** What the host does with its template, its transactions and its threads is no matter of the lock. */
interface GuestContract extends StoreFixture {

    @Test
    default void lockCommandsNeverJoinTheTransactionOfTheHostsTemplate() {
        try (RedisClient client = RedisClient.of(redis(), 2)) {
            client.template().setEnableTransactionSupport(true);
            assertOutsideOfTheHostsTransaction(client, open(client.template(), prefix()));
        }
    }

    @Test
    default void lockCommandsNeverJoinATransactionOnTheHostsConnectionFactory() {
        try (RedisClient client = RedisClient.of(redis(), 2)) {
            client.template().setEnableTransactionSupport(true);
            RedisTemplate<Object, Object> own = new RedisTemplate<>();
            own.setConnectionFactory(client.factory());
            own.afterPropertiesSet();

            assertOutsideOfTheHostsTransaction(client, open(own, prefix()));
        }
    }

    @Test
    default void templateWithTransactionSupportLeaksNoConnection() throws Exception {
        try (RedisClient client = RedisClient.of(redis().host(), redis().port(), 2, Duration.ofSeconds(2))) {
            client.template().setEnableTransactionSupport(true);
            LockStore store = open(client.template(), prefix());
            TransactionTemplate transaction = new TransactionTemplate(new HostTransactions());
            List<Throwable> failures = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                boolean inTransaction = i % 2 == 0;
                JobRun run = JobRun.exclusive("job" + i);
                Runnable fire = () -> Asks.complete(store, run, "n1");
                Thread thread =
                        new Thread(inTransaction ? () -> transaction.executeWithoutResult(status -> fire.run()) : fire);
                thread.setUncaughtExceptionHandler((t, e) -> failures.add(e));
                thread.start();
                thread.join(30_000);
            }

            assertThat(failures).isEmpty();
            assertAllConnectionsFree(client, 2);
        }
    }

    @Test
    default void lockCommandsNeverJoinAMultiOrAPipelineThatTheHostHasOpen() {
        try (RedisClient client = RedisClient.of(redis(), 3)) {
            LockStore store = open(client.template(), prefix());
            client.template().execute(new SessionCallback<@Nullable Object>() {
                @Override
                public <K, V> @Nullable Object execute(RedisOperations<K, V> session) throws DataAccessException {
                    session.multi();
                    Asks.complete(store, hourly(10), "n1");
                    session.discard();
                    return null;
                }
            });
            client.template().executePipelined((RedisCallback<@Nullable Object>) connection -> {
                Asks.complete(store, hourly(11), "n2");
                return null;
            });

            assertThat(deny(hourly(11), "n3").other().orElseThrow().node()).isEqualTo("n2");
            assertThat(deny(hourly(10), "n3").reason()).isEqualTo(DenialReason.PASSED);
        }
    }

    @Test
    default void faultsLeakNoConnection() {
        try (RedisClient client = RedisClient.of(redis().host(), redis().port(), 2, Duration.ofSeconds(2))) {
            LockStore store = open(client.template(), prefix());
            redis().call("SET", recordKey("foreign"), "x");
            for (int i = 0; i < 300; i++) {
                if (i % 3 == 0) {
                    Calls.refusal(store, JobRun.exclusive("foreign"));
                } else {
                    Asks.ask(store, manual(), holder("n" + i));
                }
            }

            assertAllConnectionsFree(client, 2);
        }
    }

    @Test
    default void interruptedThreadKeepsItsFlag() {
        Holder holder = holder("n1");
        Thread.currentThread().interrupt();
        try {
            grant(manual(), holder);
            assertThat(store().release(LOCK, holder)).isTrue();
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
        } finally {
            Thread.interrupted();
        }
    }

    @Test
    default void interruptedThreadKeepsItsFlagWhereThePoolIsBusy() {
        try (RedisClient client = RedisClient.of(redis().host(), redis().port(), 1, Duration.ofSeconds(5))) {
            LockStore store = open(client.template(), prefix());
            RedisConnection busy = client.busy();
            Thread.currentThread().interrupt();
            try {
                Calls.Refusal refusal = Calls.refusal(store, manual());
                assertThat(refusal.fault()).isIn(StoreFault.POOL_EMPTY, StoreFault.UNREACHABLE, StoreFault.OTHER);
                assertThat(refusal.maybeApplied()).isFalse();
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            } finally {
                Thread.interrupted();
                busy.unwatch();
                busy.close();
            }
        }
    }

    private void assertOutsideOfTheHostsTransaction(RedisClient host, LockStore store) {
        TransactionTemplate transaction = new TransactionTemplate(new HostTransactions());
        Holder holder = holder("n1");

        transaction.executeWithoutResult(status -> {
            host.template().opsForValue().set(prefix() + "host", "in the transaction");
            Asks.grant(store, hourly(10), holder);
            assertThat(exists()).as("the record, while the transaction is open").isTrue();
            assertThat(store.renew(LOCK, holder, Asks.LEASE)).isTrue();
            status.setRollbackOnly();
        });

        assertThat(store.release(LOCK, holder)).isTrue();
        assertThat(deny(hourly(10), "n2").other().orElseThrow().node()).isEqualTo("n1");
    }

    private static void assertAllConnectionsFree(RedisClient client, int poolSize) {
        List<RedisConnection> borrowed = new ArrayList<>();
        try {
            for (int i = 0; i < poolSize; i++) {
                borrowed.add(client.busy());
            }
            assertThat(borrowed).hasSize(poolSize);
        } finally {
            for (RedisConnection connection : borrowed) {
                connection.unwatch();
                connection.close();
            }
        }
    }

    /** Transactions of a host, on nothing: what matters is that they are open. */
    final class HostTransactions extends AbstractPlatformTransactionManager {
        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
