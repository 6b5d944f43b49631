package dev.joblock.redis;

import dev.joblock.Durations;
import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * How many replicas must have a grant or a renewal before it counts, so that a failover does not lose it. Asked by
 * {@code WAIT} on the connection that asked (https://redis.io/commands/wait), for a bounded time; it waits for all that the
 * master had written by then, so that a repeated ask on another connection waits for the first one's grant too.
 *
 * <p>{@code majority} and {@code all} are of the most replicas that were ever seen here, and at least one: a replica that
 * was cut off is missed and not forgotten. Redis without replicas then grants nothing. Thread-safe.
 */
public final class ReplicaAcknowledgement {

    private static final Pattern CONNECTED = Pattern.compile("connected_slaves:([0-9]+)");
    private static final int MOST = 100;

    private enum Kind {
        NONE,
        NUMBER,
        MAJORITY,
        ALL
    }

    private final Kind kind;
    private final int number;
    private final Duration timeout;
    private final AtomicInteger mostSeen = new AtomicInteger(1);

    private ReplicaAcknowledgement(Kind kind, int number, Duration timeout) {
        this.kind = kind;
        this.number = number;
        this.timeout = timeout;
    }

    /**
     * Reads what users write.
     *
     * @param replicas {@code 0} for none, a number, {@code majority} (of master and replicas) or {@code all}
     * @param timeout how long to wait for them, such as {@code 500ms}
     * @return the rule
     * @throws IllegalArgumentException if either is wrong
     */
    public static ReplicaAcknowledgement parse(String replicas, String timeout) {
        String text = replicas.trim();
        Duration wait = Durations.parsePositive("joblock.replica-timeout", timeout);
        if (text.equalsIgnoreCase("majority")) {
            return new ReplicaAcknowledgement(Kind.MAJORITY, 0, wait);
        }
        if (text.equalsIgnoreCase("all")) {
            return new ReplicaAcknowledgement(Kind.ALL, 0, wait);
        }
        int count = text.matches("[0-9]{1,3}") ? Integer.parseInt(text) : MOST + 1;
        if (count > MOST) {
            throw new IllegalArgumentException("'joblock.replicas' = '" + replicas + "' is neither a number up to "
                    + MOST + " nor majority nor all; write one of them");
        }
        return new ReplicaAcknowledgement(count == 0 ? Kind.NONE : Kind.NUMBER, count, wait);
    }

    /**
     * No replica is waited for.
     *
     * @return the rule
     */
    public static ReplicaAcknowledgement none() {
        return new ReplicaAcknowledgement(Kind.NONE, 0, Duration.ofMillis(1));
    }

    /**
     * Whether any replica is waited for.
     *
     * @return false for {@code 0}
     */
    public boolean isAsked() {
        return kind != Kind.NONE;
    }

    /** Waits until enough replicas have what this connection wrote. */
    void await(String what, String lockName, RedisConnection connection) {
        if (kind == Kind.NONE) {
            return;
        }
        int needed = needed(connection);
        byte[] count = RedisCalls.bytes(Integer.toString(needed));
        Object answer = connection.execute("WAIT", count, RedisCalls.bytes(Long.toString(timeout.toMillis())));
        long acknowledged = number(answer);
        if (acknowledged < needed) {
            throw new StoreException(
                    StoreFault.NOT_REPLICATED,
                    true,
                    what + " '" + lockName + "': " + acknowledged + " of " + needed
                            + " replicas acknowledged it within " + Durations.format(timeout),
                    null);
        }
    }

    private int needed(RedisConnection connection) {
        if (kind == Kind.NUMBER) {
            return number;
        }
        Object info = connection.execute("INFO", RedisCalls.bytes("replication"));
        Matcher connected = CONNECTED.matcher(text(info));
        int now = connected.find() ? Integer.parseInt(connected.group(1)) : 0;
        int most = mostSeen.accumulateAndGet(now, Math::max);
        return kind == Kind.ALL ? most : (most + 1) / 2;
    }

    private static long number(@Nullable Object answer) {
        return answer instanceof Number ? ((Number) answer).longValue() : Long.parseLong(text(answer));
    }

    private static String text(@Nullable Object answer) {
        return answer instanceof byte[] ? RedisCalls.text((byte[]) answer) : String.valueOf(answer);
    }
}
