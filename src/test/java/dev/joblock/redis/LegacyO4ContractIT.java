package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.springframework.data.redis.core.RedisOperations;

/** The contract where a hand-written lock O4 stands beside each of ours, and no old node is left. */
class LegacyO4ContractIT extends LockStoreContract {

    @Override
    public LockStore open(RedisOperations<?, ?> template, String prefix) {
        return new Paced(new StatusTimeStore(template, prefix)
                .withLegacy(LegacyLocks.o4("old:" + prefix + "{job}", policy -> policy.setLegacyInterval("1ms"))));
    }

    @Override
    public String decisiveCommand() {
        return "EXEC";
    }

    @Override
    public Set<String> keys(String prefix, String encodedName) {
        return Set.of(prefix + encodedName, "old:" + prefix + Words.decode(encodedName));
    }

    @Override
    public void lose() {
        redis().call("DEL", key(), "old:" + key());
    }

    /** Lets the old lock's interval, a millisecond at least, go by before each ask. */
    private static final class Paced implements LockStore {
        private final LockStore store;

        Paced(LockStore store) {
            this.store = store;
        }

        @Override
        public StoreAnswer acquire(LockRequest request) {
            long begin = System.nanoTime();
            while (System.nanoTime() - begin <= 1_000_000) Thread.onSpinWait();
            return store.acquire(request);
        }

        @Override
        public boolean renew(String lockName, Holder holder, Duration lease) {
            return store.renew(lockName, holder, lease);
        }

        @Override
        public boolean release(String lockName, Holder holder) {
            return store.release(lockName, holder);
        }

        @Override
        public boolean unclaim(String lockName, Holder holder) {
            return store.unclaim(lockName, holder);
        }

        @Override
        public void cancel(String lockName, Holder holder) {
            store.cancel(lockName, holder);
        }

        @Override
        public Instant time() {
            return store.time();
        }
    }
}
