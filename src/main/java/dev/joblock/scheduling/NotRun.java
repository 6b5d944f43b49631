package dev.joblock.scheduling;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a call returns that did not get its lock. Stateless. */
final class NotRun {

    private NotRun() {}

    // Nobody waits for a future that is completed.
    @SuppressWarnings("FutureReturnValueIgnored")
    static @Nullable Object value(Class<?> returnType) {
        if (returnType == Optional.class) {
            return Optional.empty();
        }
        if (returnType != Object.class && returnType.isAssignableFrom(CompletableFuture.class)) {
            return CompletableFuture.completedFuture(null);
        }
        return null;
    }
}
