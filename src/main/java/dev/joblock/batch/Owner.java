package dev.joblock.batch;

import dev.joblock.JobLock;
import org.jspecify.annotations.Nullable;
import org.springframework.batch.core.repository.JobRepository;

/**
 * Which node runs an execution, and under which lock. It stands in the execution's context, in the keys
 * {@code joblock.node}, {@code joblock.token} and {@code joblock.lock}. Immutable and thread-safe.
 */
final class Owner {

    private static final String NODE = "joblock.node";
    private static final String TOKEN = "joblock.token";
    private static final String LOCK = "joblock.lock";

    private final String node;
    private final long token;
    private final String lockName;

    private Owner(String node, long token, String lockName) {
        this.node = node;
        this.token = token;
        this.lockName = lockName;
    }

    /** Writes the owner into the database, before the job does anything. */
    static void write(JobRepository repository, Object execution, JobLock lock) {
        Object context = BatchTypes.get(execution, "executionContext");
        put(context, NODE, lock.holder().node());
        put(context, TOKEN, Long.toString(lock.fencingToken()));
        put(context, LOCK, lock.lockName());
        BatchTypes.call(
                repository,
                JobRepository.class,
                "updateExecutionContext",
                new Class<?>[] {BatchTypes.EXECUTION},
                execution);
    }

    /** The owner of an execution; null if it was launched without a guard, or had not begun. */
    static @Nullable Owner read(Object execution) {
        Object context = BatchTypes.get(execution, "executionContext");
        Object node = value(context, NODE);
        Object token = value(context, TOKEN);
        Object lockName = value(context, LOCK);
        return node == null || token == null || lockName == null
                ? null
                : new Owner(node.toString(), Long.parseLong(token.toString()), lockName.toString());
    }

    String node() {
        return node;
    }

    long token() {
        return token;
    }

    String lockName() {
        return lockName;
    }

    private static void put(Object context, String key, String value) {
        BatchTypes.call(context, "put", new Class<?>[] {String.class, Object.class}, key, value);
    }

    private static @Nullable Object value(Object context, String key) {
        return BatchTypes.call(context, "get", new Class<?>[] {String.class}, key);
    }
}
