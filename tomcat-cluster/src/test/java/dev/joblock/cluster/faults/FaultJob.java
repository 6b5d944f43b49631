package dev.joblock.cluster.faults;

import dev.joblock.JobLock;
import dev.joblock.JobLockService;
import dev.joblock.LockLostException;
import dev.joblock.Slot;
import dev.joblock.cluster.faults.Journal.Plan;
import dev.joblock.jdbc.SqlFence;
import dev.joblock.jdbc.StaleTokenException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerContext;
import org.quartz.SchedulerException;

/**
 * The body of all jobs of the suite: it counts its run, works for as long as the plan says while it looks whether it still
 * holds its lease, and then writes, told or not, as careless code does.
 *
 * <p>Not concurrent with itself, so that a lost callback would leave its trigger BLOCKED and be seen.
 */
@DisallowConcurrentExecution
public class FaultJob implements Job {

    private static final long LOOK_MILLIS = 5;

    /** Made by Quartz for each run. */
    public FaultJob() {}

    @Override
    public void execute(JobExecutionContext context) throws JobExecutionException {
        try {
            SchedulerContext beans = context.getScheduler().getContext();
            Journal journal = Objects.requireNonNull((Journal) beans.get("journal"));
            JobLockService locks = Objects.requireNonNull((JobLockService) beans.get("jobLockService"));
            run(context, journal, locks.current());
        } catch (SchedulerException | SQLException | InterruptedException e) {
            throw new JobExecutionException(e);
        }
    }

    private static void run(JobExecutionContext context, Journal journal, Optional<JobLock> lock)
            throws SQLException, InterruptedException {
        String job = context.getJobDetail().getKey().getName();
        // A run that is asked for again fires late, for the slot that it was.
        long slot = lock.flatMap(some -> some.run().slot())
                .map(Slot::scheduled)
                .orElse(context.getScheduledFireTime().toInstant())
                .toEpochMilli();
        Long token = lock.map(JobLock::fencingToken).orElse(null);
        long late = System.currentTimeMillis() - slot;
        Plan plan = journal.plan(job);
        long row = journal.started(job, slot, token, late, plan.workMillis());

        long start = System.nanoTime();
        Long held = null;
        long now;
        do {
            now = System.nanoTime();
            if (lock.isPresent() && lock.get().isHeld()) {
                held = now; // taken before the handle was asked: at that moment it did hold
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        } while (now - start < TimeUnit.MILLISECONDS.toNanos(plan.workMillis()));

        boolean told = lock.isPresent() && isTold(lock.get());
        String written = lock.isPresent() ? write(journal, lock.get(), job, slot) : "";
        journal.ended(row, held, told, written);
    }

    private static boolean isTold(JobLock lock) {
        try {
            lock.ensureHeld();
            return false;
        } catch (LockLostException e) {
            return true;
        }
    }

    /** One transaction, as the README shows it. */
    private static String write(Journal journal, JobLock lock, String job, long slot) throws SQLException {
        try (Connection connection = journal.database().getConnection()) {
            connection.setAutoCommit(false);
            try {
                new SqlFence().check(connection, lock);
                insert(connection, job, slot);
                connection.commit();
                return "ok";
            } catch (StaleTokenException e) {
                connection.rollback();
                return "stale";
            } catch (SQLException e) {
                connection.rollback();
                if (isDuplicate(e)) {
                    return "duplicate";
                }
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }

    private static void insert(Connection connection, String job, long slot) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (job, slot) VALUES (?, ?)")) {
            insert.setString(1, job);
            insert.setLong(2, slot);
            insert.executeUpdate();
        }
    }

    private static boolean isDuplicate(SQLException e) {
        @Nullable String state = e.getSQLState();
        return state != null && state.startsWith("23");
    }
}
