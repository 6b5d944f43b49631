package dev.joblock.redis;

import dev.joblock.StoreException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.RedisOperations;

/**
 * Says every five seconds that this node is alive, and notices another node with the same id: an ERROR in the log, at most
 * once a minute. Locks do not depend on it: two nodes with one id exclude one another all the same, but nobody can tell
 * from log or record which of them ran.
 *
 * <p>One hash, {@code <prefix>{nodes}}: node id → incarnation and time of the last beat. Works on one daemon thread of its
 * own, so that a Redis that is away holds up no start; failures are logged at DEBUG. Thread-safe.
 */
public final class NodePresence implements SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(NodePresence.class);
    private static final long BEAT_SECONDS = 5;
    private static final long FRESH = TimeUnit.SECONDS.toMillis(3 * BEAT_SECONDS);
    private static final long FORGOTTEN = TimeUnit.HOURS.toMillis(1);
    private static final long ERROR_EVERY = TimeUnit.MINUTES.toNanos(1);

    private final @Nullable RedisCalls redis;
    private final String nodeId;
    private final String incarnation = UUID.randomUUID().toString();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "joblock-presence");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable Long lastError;

    /**
     * The presence of a node.
     *
     * @param template gives the connections; null if nothing is to be sent, because guarding is switched off
     * @param prefix the first part of every key, such as {@code joblock:}
     * @param nodeId the id of this node
     */
    public NodePresence(@Nullable RedisOperations<?, ?> template, String prefix, String nodeId) {
        this.redis = template == null ? null : new RedisCalls(template, prefix);
        this.nodeId = nodeId;
    }

    /** Begins to beat, in the background. */
    @Override
    public void afterSingletonsInstantiated() {
        RedisCalls calls = redis;
        if (calls == null) {
            return;
        }
        // The next beat is planned by the last one's end; what fails is told by beat() itself.
        Object unused = timer.scheduleWithFixedDelay(() -> beat(calls), 0, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    /** Takes the node off the list, where Redis answers within a second, and ends the thread. */
    @Override
    public void destroy() {
        RedisCalls calls = redis;
        if (calls != null) {
            timer.execute(() -> leave(calls));
        }
        timer.shutdown();
        try {
            if (!timer.awaitTermination(1, TimeUnit.SECONDS)) {
                timer.shutdownNow();
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    private void beat(RedisCalls calls) {
        try {
            if (calls.callReserved("nodes", this::beat)) {
                tellConflict();
            }
        } catch (StoreException e) {
            LOG.debug("Node '{}' could not say that it is alive: {}", nodeId, e.getMessage());
        } catch (RuntimeException e) {
            LOG.warn("Node '{}' could not say that it is alive", nodeId, e);
        }
    }

    /** True if another node that is alive has this id. Nodes that went without a word are forgotten after an hour. */
    private boolean beat(RedisConnection connection, byte[] key) {
        long now = RedisCalls.time(connection);
        boolean conflict = false;
        Map<byte[], byte[]> nodes = connection.hashCommands().hGetAll(key);
        if (nodes != null) {
            for (Map.Entry<byte[], byte[]> node : nodes.entrySet()) {
                String[] words = RedisCalls.text(node.getValue()).split(" ", -1);
                long silent = now - LockRecord.number(words[words.length - 1], 0);
                if (silent > FORGOTTEN) {
                    connection.hashCommands().hDel(key, node.getKey());
                } else if (RedisCalls.text(node.getKey()).equals(nodeId)) {
                    conflict = !words[0].equals(incarnation) && silent < FRESH;
                }
            }
        }
        connection.hashCommands().hSet(key, RedisCalls.bytes(nodeId), RedisCalls.bytes(incarnation + " " + now));
        connection.keyCommands().pExpire(key, FORGOTTEN);
        return conflict;
    }

    private void leave(RedisCalls calls) {
        try {
            calls.callReserved("nodes", (connection, key) -> {
                byte[] field = RedisCalls.bytes(nodeId);
                byte[] now = connection.hashCommands().hGet(key, field);
                boolean ours = now != null && RedisCalls.text(now).startsWith(incarnation);
                return ours && Long.valueOf(1).equals(connection.hashCommands().hDel(key, field));
            });
        } catch (RuntimeException e) {
            LOG.debug("Node '{}' could not take itself off the list: {}", nodeId, e.getMessage());
        }
    }

    private void tellConflict() {
        long now = System.nanoTime();
        if (lastError == null || now - lastError >= ERROR_EVERY) {
            lastError = now;
            LOG.error(
                    "Another node has the id '{}' (or one with it was killed less than {} s ago): give each node its own "
                            + "'joblock.node-id', or none, so that log and records tell which of them ran a job. "
                            + "Mutual exclusion holds all the same",
                    nodeId,
                    TimeUnit.MILLISECONDS.toSeconds(FRESH));
        }
    }
}
