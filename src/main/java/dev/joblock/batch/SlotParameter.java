package dev.joblock.batch;

import dev.joblock.JobLockService;
import dev.joblock.Slot;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.BatchStatus;
import org.springframework.batch.core.repository.JobRepository;

/**
 * The slot of the run that launches a job, as an identifying parameter: the job repository itself then refuses a second
 * launch in the slot, if all other identifying parameters are equal on all nodes. A restart keeps the parameters it had.
 */
final class SlotParameter {

    /** Milliseconds since 1970. */
    static final String NAME = "joblock.slot";

    private SlotParameter() {}

    /** The parameters with the slot, if this thread runs in one and no execution is restarted. */
    static Object add(Object job, Object parameters, JobLockService service, @Nullable JobRepository repository) {
        Optional<Slot> slot = service.current().flatMap(lock -> lock.run().slot());
        return slot.isPresent() && !isRestart(job, parameters, repository)
                ? BatchTypes.withLong(parameters, NAME, slot.get().scheduled().toEpochMilli())
                : parameters;
    }

    /** Why a job can't have it; null if it can. */
    static @Nullable String problem(Object job) {
        return BatchTypes.find(job, "jobParametersIncrementer") == null
                ? null
                : "Batch job '" + BatchTypes.jobName(job)
                        + "' has an incrementer, so that its next instance differs on every"
                        + " launch, and is to get the slot as parameter 'joblock.slot', which tells instances apart by their"
                        + " slot: take the incrementer away, or set 'joblock.batch.slot-parameter' or 'slotParameter' of its"
                        + " JobLockPolicy to false";
    }

    private static boolean isRestart(Object job, Object parameters, @Nullable JobRepository repository) {
        Object last = repository == null ? null : Executions.last(repository, BatchTypes.jobName(job), parameters);
        Object status = last == null ? null : BatchTypes.get(last, "status");
        return status != null && status != BatchStatus.COMPLETED && status != BatchStatus.ABANDONED;
    }
}
