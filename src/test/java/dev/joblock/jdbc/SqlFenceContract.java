package dev.joblock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a fence does, on each database. */
abstract class SqlFenceContract {
    private static final int TOKENS = 1_000;

    private final SqlFence fence = new SqlFence();

    /** A new connection to the database of this test. */
    abstract Connection connect() throws SQLException;

    /** How the database numbers rows by itself. */
    abstract String numbered();

    /** Counts the connections that wait for a lock of another one. */
    abstract String waiting();

    @BeforeEach
    void createTables() throws SQLException {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            sql.execute("drop table if exists joblock_fence");
            sql.execute("drop table if exists written");
            sql.execute(fence.createTable());
            sql.execute("create table written (id " + numbered() + ", token bigint not null)");
        }
    }

    @Test
    void letsTokensPassThatRise() throws SQLException {
        assertThat(write("invoice", 7)).isTrue();
        assertThat(write("invoice", 8)).isTrue();
        assertThat(write("invoice", 1_790_000_000_000L)).isTrue();

        assertThat(written()).containsExactly(7L, 8L, 1_790_000_000_000L);
    }

    @Test
    void letsOneRunWriteOftenInOneTransactionAndInSeveral() throws SQLException {
        try (Connection connection = begin()) {
            fence.check(connection, "invoice", 7);
            fence.check(connection, "invoice", 7);
            connection.commit();
            fence.check(connection, "invoice", 7);
            connection.commit();
        }

        assertThat(write("invoice", 7)).isTrue();
    }

    @Test
    void refusesAnOlderTokenAndSaysWhichIsNewer() throws SQLException {
        write("invoice", 8);

        try (Connection connection = begin()) {
            assertThatExceptionOfType(StaleTokenException.class)
                    .isThrownBy(() -> fence.check(connection, "invoice", 7))
                    .withMessage(
                            "Write under lock 'invoice' refused: its fencing token 7 is older than 8, with which a later"
                                    + " run has written since (table 'joblock_fence'); roll back and stop this run, it was overtaken")
                    .satisfies(refusal -> {
                        assertThat(refusal.lockName()).isEqualTo("invoice");
                        assertThat(refusal.token()).isEqualTo(7);
                        assertThat(refusal.newerToken()).isEqualTo(8);
                    });
        }
    }

    @Test
    void keepsLockNamesApart() throws SQLException {
        write("invoice", 8);

        assertThat(write("export", 7)).isTrue();
        assertThat(write("invoice", 7)).isFalse();
    }

    @Test
    void forgetsATokenWhoseTransactionWasRolledBack() throws SQLException {
        write("invoice", 7);
        try (Connection connection = begin()) {
            fence.check(connection, "invoice", 9);
            connection.rollback();
        }

        assertThat(write("invoice", 8)).isTrue();
    }

    @Test
    void refusesAConnectionThatCommitsByItself() throws SQLException {
        try (Connection connection = connect()) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> fence.check(connection, "invoice", 7))
                    .withMessageContaining("'invoice'")
                    .withMessageContaining("begin a transaction");
        }
    }

    /** The older run has not committed when the newer one comes: the newer one waits, so that it writes last. */
    @Test
    void newerRunWritesAfterTheOlderOneThatWasFirst() throws Exception {
        write("invoice", 1);
        try (Connection older = begin()) {
            fence.check(older, "invoice", 7);
            insert(older, 7);
            Future<Boolean> newer = inBackground(() -> write("invoice", 8));
            awaitWaiting();
            older.commit();

            assertThat(newer.get()).isTrue();
        }
        assertThat(written()).containsExactly(1L, 7L, 8L);
    }

    /** The newer run has not committed when the older one wakes: the older one waits, and is refused. */
    @Test
    void olderRunThatWakesWhileTheNewerOneWritesIsRefused() throws Exception {
        write("invoice", 1);
        try (Connection newer = begin()) {
            fence.check(newer, "invoice", 8);
            insert(newer, 8);
            Future<Boolean> older = inBackground(() -> write("invoice", 7));
            awaitWaiting();
            newer.commit();

            assertThat(older.get()).isFalse();
        }
        assertThat(written()).containsExactly(1L, 8L);
    }

    /** Two find no row and both insert one: who comes second must keep its transaction, and what it wrote before. */
    @Test
    void keepsWhatWasWrittenBeforeWhereAnotherRunIsFirst() throws Exception {
        for (int round = 0; round < 20; round++) {
            String name = "first " + round;
            CyclicBarrier start = new CyclicBarrier(2);
            List<Boolean> wrote = both(() -> writeBeforeCheck(name, 1, start), () -> writeBeforeCheck(name, 2, start));

            assertThat(wrote.get(1)).as("the newer one in round %s", round).isTrue();
        }
        assertThat(written()).filteredOn(token -> token == 2).hasSize(20);
    }

    /** Two race over a thousand tokens and now and then go back: what lands rises, and the highest is the last. */
    @Test
    void noStaleWriteLandsAfterANewerOne() throws Exception {
        List<List<Long>> tokens = List.of(new ArrayList<>(), new ArrayList<>());
        Random random = new Random(20_261_130);
        for (long token = 1; token <= TOKENS; token++) {
            tokens.get(random.nextInt(2)).add(token);
        }
        tokens.forEach(own ->
                IntStream.range(0, own.size() / 10).forEach(i -> Collections.swap(own, 10 * i, 10 * i + 1)));
        CyclicBarrier start = new CyclicBarrier(2);

        List<Integer> landed = both(() -> writeAll(tokens.get(0), start), () -> writeAll(tokens.get(1), start));

        List<Long> written = written();
        assertThat(written).isSorted().doesNotHaveDuplicates().hasSize(landed.get(0) + landed.get(1));
        assertThat(written).hasSizeBetween(2, TOKENS - 98).endsWith((long) TOKENS);
    }

    private int writeAll(List<Long> tokens, CyclicBarrier start) throws Exception {
        start.await();
        int landed = 0;
        try (Connection connection = begin()) {
            for (long token : tokens) {
                landed += writeOrRollBack(connection, "invoice", token) ? 1 : 0;
            }
        }
        return landed;
    }

    private boolean writeBeforeCheck(String lockName, long token, CyclicBarrier start) throws Exception {
        try (Connection connection = begin()) {
            insert(connection, token);
            start.await();
            boolean may = mayWrite(connection, lockName, token);
            end(connection, may);
            return may;
        }
    }

    private boolean write(String lockName, long token) throws SQLException {
        try (Connection connection = begin()) {
            return writeOrRollBack(connection, lockName, token);
        }
    }

    private boolean writeOrRollBack(Connection connection, String lockName, long token) throws SQLException {
        boolean may = mayWrite(connection, lockName, token);
        if (may) {
            insert(connection, token);
        }
        end(connection, may);
        return may;
    }

    private static void end(Connection connection, boolean commit) throws SQLException {
        if (commit) {
            connection.commit();
        } else {
            connection.rollback();
        }
    }

    private boolean mayWrite(Connection connection, String lockName, long token) throws SQLException {
        try {
            fence.check(connection, lockName, token);
            return true;
        } catch (StaleTokenException e) {
            return false;
        }
    }

    private static void insert(Connection connection, long token) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            sql.executeUpdate("insert into written (token) values (" + token + ")");
        }
    }

    private List<Long> written() throws SQLException {
        List<Long> tokens = new ArrayList<>();
        try (Connection connection = connect();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery("select token from written order by id")) {
            while (rows.next()) {
                tokens.add(rows.getLong(1));
            }
        }
        return tokens;
    }

    private void awaitWaiting() throws SQLException {
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> {
                        try (ResultSet count = sql.executeQuery(waiting())) {
                            return count.next() && count.getInt(1) == 1;
                        }
                    });
        }
    }

    private Connection begin() throws SQLException {
        Connection connection = connect();
        connection.setAutoCommit(false);
        return connection;
    }

    private static <T> Future<T> inBackground(Callable<T> work) {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            return executor.submit(work);
        } finally {
            executor.shutdown();
        }
    }

    private static <T> List<T> both(Callable<T> one, Callable<T> other) throws Exception {
        Future<T> first = inBackground(one);
        Future<T> second = inBackground(other);
        return List.of(first.get(), second.get());
    }
}
