package dev.joblock.batch;

import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.repository.JobRepository;

/** One call of a launcher's {@code run}, as it would go on without a guard. */
interface LaunchCall {

    /** Launches, perhaps with another job and other parameters; the execution. */
    @Nullable
    Object proceed(Object job, Object parameters) throws Throwable;

    /** Where the launcher writes executions; null if it is not known. */
    @Nullable
    JobRepository repository();
}
