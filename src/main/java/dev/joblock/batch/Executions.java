package dev.joblock.batch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.ExitStatus;
import org.springframework.batch.core.repository.JobRepository;

/** What is read of and written to executions in a job repository. Stateless. */
final class Executions {

    private Executions() {}

    /** The last execution for parameters; null if there is none. */
    static @Nullable Object last(JobRepository repository, String job, Object parameters) {
        return BatchTypes.call(
                repository,
                JobRepository.class,
                "getLastJobExecution",
                new Class<?>[] {String.class, BatchTypes.PARAMETERS},
                job,
                parameters);
    }

    /** The last execution for parameters, if it has no end. */
    static @Nullable Object lastUnfinished(JobRepository repository, String job, Object parameters) {
        Object last = last(repository, job, parameters);
        return last != null && BatchTypes.isUnfinished(last) ? last : null;
    }

    /** Marks an execution and its unfinished steps as failed, so that it can be restarted. The steps go first, so that this can be repeated. */
    static void fail(JobRepository repository, Object execution, Instant now) {
        for (Object step : BatchTypes.steps(execution)) {
            if (BatchTypes.isUnfinished(step)) {
                fail(step, now);
                update(repository, BatchTypes.STEP_EXECUTION, step);
            }
        }
        fail(execution, now);
        update(repository, BatchTypes.EXECUTION, execution);
    }

    private static void fail(Object execution, Instant now) {
        ExitStatus exit = ExitStatus.FAILED.addExitDescription("recovered by Joblock: its node was gone");
        BatchTypes.call(execution, "setStatus", new Class<?>[] {BatchStatus.class}, BatchStatus.FAILED);
        BatchTypes.call(execution, "setExitStatus", new Class<?>[] {ExitStatus.class}, exit);
        BatchTypes.setEnd(execution, now);
    }

    private static void update(JobRepository repository, Class<?> type, Object execution) {
        BatchTypes.call(repository, JobRepository.class, "update", new Class<?>[] {type}, execution);
    }
}
