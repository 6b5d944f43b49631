package dev.joblock.batch;

import dev.joblock.Granted;
import dev.joblock.JobLock;
import dev.joblock.JobRun;
import dev.joblock.LockOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.dao.EmptyResultDataAccessException;

/**
 * Lists the executions that a dead node has left STARTED, and recovers them. Only of guarded jobs, and only where the lock
 * of the execution is won: one that still runs anywhere is never touched.
 *
 * <p>Needs the {@code JobExplorer} of the context; in Batch 6 the job repository is one. Thread-safe.
 */
public class BatchRecovery {

    private final BatchGuard guard;

    /**
     * A recovery.
     *
     * @param guard knows which jobs are guarded and how they are locked
     */
    public BatchRecovery(BatchGuard guard) {
        this.guard = guard;
    }

    /**
     * The executions that the job repository holds for running while nobody holds their lock. Each lock is taken for a
     * moment to know that, in which another launch of the same lock name is denied.
     *
     * @return the executions, with the node that ran each and their age
     * @throws IllegalStateException if the context has no {@code JobExplorer}, or guarding is switched off
     */
    public List<StaleExecution> stale() {
        requireGuarding();
        Object explorer = explorer();
        List<StaleExecution> stale = new ArrayList<>();
        for (Object name : (Collection<?>) BatchTypes.get(explorer, "jobNames")) {
            String job = String.valueOf(name);
            if (guard.guards(job)) {
                for (Object execution : running(explorer, job)) {
                    underItsLock(execution, lock -> stale.add(describe(execution, lock)));
                }
            }
        }
        return stale;
    }

    /**
     * Marks an execution and its running steps FAILED, with an end time, so that its instance can be restarted.
     *
     * @param jobExecutionId the id of the job's execution
     * @return false if its lock is held, the store is down, or the execution has ended meanwhile; then a log line says why
     * @throws IllegalArgumentException if there is no such execution of a guarded job
     * @throws IllegalStateException if the context has no {@code JobExplorer} or more than one job repository, or guarding
     *     is switched off
     */
    public boolean recover(long jobExecutionId) {
        requireGuarding();
        Object explorer = explorer();
        Object found = find(explorer, jobExecutionId);
        if (found == null || !guard.guards(jobName(found))) {
            throw new IllegalArgumentException("There is no execution " + jobExecutionId
                    + " of a guarded Batch job; list those that can be recovered with stale()");
        }
        JobRepository repository = guard.repository(null);
        if (repository == null) {
            throw new IllegalStateException(
                    "There is not one JobRepository bean in this context; Joblock can't tell where" + " execution "
                            + jobExecutionId + " is written");
        }
        List<StaleExecution> recovered = new ArrayList<>();
        String refusal = underItsLock(found, lock -> {
            Object now = find(explorer, jobExecutionId);
            if (now != null && BatchTypes.isUnfinished(now)) {
                recovered.add(describe(now, lock));
                Executions.fail(repository, now, lock.since());
            }
        });
        if (recovered.isEmpty()) {
            guard.log().notRecovered(jobExecutionId, refusal == null ? "it has ended" : refusal);
            return false;
        }
        guard.log().recovered(recovered.get(0));
        return true;
    }

    /** Does something under the lock of an execution; why not, or null if it was done. */
    private @Nullable String underItsLock(Object execution, Consumer<JobLock> what) {
        if (guard.runs().find(BatchTypes.id(execution)).isPresent()) {
            return "it runs on this node";
        }
        JobRun run = guard.run(jobName(execution), BatchTypes.get(execution, "jobParameters"));
        LockOutcome outcome = guard.service().tryLock(run);
        if (!outcome.isGranted()) {
            return outcome.toString();
        }
        try (JobLock lock = ((Granted) outcome).lock()) {
            what.accept(lock);
        }
        return null;
    }

    private static StaleExecution describe(Object execution, JobLock lock) {
        return StaleExecution.of(execution, jobName(execution), lock.lockName(), lock.since());
    }

    private static String jobName(Object execution) {
        return BatchTypes.get(BatchTypes.get(execution, "jobInstance"), "jobName")
                .toString();
    }

    private static Collection<?> running(Object explorer, String job) {
        Object found = BatchTypes.call(
                explorer, BatchTypes.EXPLORER, "findRunningJobExecutions", new Class<?>[] {String.class}, job);
        return found == null ? new ArrayList<>() : new ArrayList<>((Collection<?>) found);
    }

    private static @Nullable Object find(Object explorer, long id) {
        try {
            return BatchTypes.execution(explorer, id);
        } catch (EmptyResultDataAccessException e) {
            // What Batch 6 says where earlier versions give null.
            return null;
        }
    }

    /** Else every lock is granted, that of an execution at work too. */
    private void requireGuarding() {
        if (!guard.isEnabled()) {
            throw new IllegalStateException(
                    "Guarding is switched off here, so that no lock tells whether an execution still"
                            + " runs; set 'joblock.enabled' to true, or recover on a node where it is");
        }
    }

    private Object explorer() {
        ListableBeanFactory beans = guard.beans();
        Object repository = guard.repository(null);
        if (BatchTypes.EXPLORER.isInstance(repository)) {
            return repository;
        }
        Object explorer = beans == null
                ? null
                : beans.getBeanProvider(BatchTypes.EXPLORER).getIfUnique();
        if (explorer == null) {
            throw new IllegalStateException("There is not one JobExplorer bean in this context, by which executions are"
                    + " found; add <bean class=\"org.springframework.batch.core.explore.support.JobExplorerFactoryBean\""
                    + " p:dataSource-ref=\"dataSource\"/>");
        }
        return explorer;
    }
}
