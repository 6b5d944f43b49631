package dev.joblock.redis;

import dev.joblock.JobCatalog;
import dev.joblock.NodeInfo;
import dev.joblock.Nodes;
import dev.joblock.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.core.RedisOperations;

/**
 * Says every five seconds that this node is alive, what it is and which jobs it has, and tells of what does not fit other
 * nodes: an ERROR in the log, at most once a minute, for another node with the same id and for a Redis whose clock is wrong; one
 * WARN for a clock, a zone or a schedule that differs. Locks do not depend on it: two nodes with one id exclude one another all
 * the same, but nobody can tell from log or record which of them ran.
 *
 * <p>Two hashes, <code>&lt;prefix&gt;{nodes}</code> and <code>&lt;prefix&gt;{node-jobs}</code>, with a field for each node. Works
 * on one daemon thread of its own, so that a Redis that is away holds up no start; failures are logged at DEBUG. Thread-safe.
 */
public final class NodePresence implements Nodes, BeanFactoryAware, SmartInitializingSingleton, DisposableBean {

    private static final Logger LOG = LoggerFactory.getLogger(NodePresence.class);
    private static final long BEAT_SECONDS = 5;
    static final long FRESH = TimeUnit.SECONDS.toMillis(3 * BEAT_SECONDS);
    static final long FORGOTTEN = TimeUnit.HOURS.toMillis(1);

    private final @Nullable RedisCalls redis;
    private final String nodeId;
    private final Heartbeat heartbeat;
    private final EvictionCheck eviction = new EvictionCheck();
    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "joblock-presence");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable BeanFactory beans;

    /**
     * The presence of a node.
     *
     * @param template gives the connections; null if nothing is to be sent, because guarding is switched off
     * @param prefix the first part of every key, such as {@code joblock:}
     * @param nodeId the id of this node
     * @param wallClock this node's clock, in ms since the epoch
     */
    public NodePresence(
            @Nullable RedisOperations<?, ?> template, String prefix, String nodeId, LongSupplier wallClock) {
        this.redis = template == null ? null : new RedisCalls(template, prefix);
        this.nodeId = nodeId;
        byte[] jobsKey = redis == null ? new byte[0] : redis.reserved("node-jobs");
        this.heartbeat = new Heartbeat(nodeId, jobsKey, wallClock);
    }

    /**
     * The path of the web application.
     *
     * @param contextPath for example {@code /shop}; empty (default) for none
     */
    public void setContextPath(String contextPath) {
        heartbeat.about("path", contextPath);
    }

    /**
     * The name of the host.
     *
     * @param host the name; empty (default) if not known
     */
    public void setHost(String host) {
        heartbeat.about("host", host);
    }

    /**
     * Gives the bean factory whose {@link JobCatalog} beans are shown. Called by Spring.
     *
     * @param beanFactory the factory of this bean
     */
    @Override
    public void setBeanFactory(BeanFactory beanFactory) {
        this.beans = beanFactory;
    }

    /** Begins to beat, in the background. */
    @Override
    public void afterSingletonsInstantiated() {
        RedisCalls calls = redis;
        if (calls == null) {
            return;
        }
        if (beans instanceof ListableBeanFactory) {
            heartbeat.show(BeanFactoryUtils.beansOfTypeIncludingAncestors(
                            (ListableBeanFactory) beans, JobCatalog.class, true, false)
                    .values());
        }
        // The next beat is planned by the last one's end; what fails is told by beat() itself.
        Object unused = timer.scheduleWithFixedDelay(() -> beat(calls), 0, BEAT_SECONDS, TimeUnit.SECONDS);
    }

    /** Takes the node off the list, where Redis answers within a second, and ends the thread, which may take two more. */
    @Override
    public void destroy() {
        RedisCalls calls = redis;
        if (calls != null && !timer.isShutdown()) {
            timer.execute(() -> leave(calls));
        }
        timer.shutdown();
        try {
            if (!timer.awaitTermination(1, TimeUnit.SECONDS)) {
                timer.shutdownNow();
                // A read that Redis does not answer heeds no interrupt; a thread still in it would be a leak to the
                // container.
                if (!timer.awaitTermination(2, TimeUnit.SECONDS)) {
                    LOG.debug("The thread of node '{}' still waits for Redis; it ends when that answers", nodeId);
                }
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public List<NodeInfo> nodes() {
        RedisCalls calls = redis;
        return calls == null ? Collections.emptyList() : calls.callReserved("nodes", this::read);
    }

    @Override
    public boolean isRedisOutlier() {
        return heartbeat.isRedisOutlier();
    }

    private List<NodeInfo> read(RedisConnection connection, byte[] key) {
        long now = RedisCalls.time(connection);
        Map<String, String> lines = Heartbeat.texts(connection.hashCommands().hGetAll(key));
        Map<String, String> jobs = Heartbeat.texts(connection.hashCommands().hGetAll(heartbeat.jobsKey()));
        List<NodeInfo> nodes = new ArrayList<>();
        new TreeMap<>(lines).forEach((id, text) -> {
            NodeLine line = NodeLine.parse(text);
            if (now - line.beat() <= FORGOTTEN) {
                nodes.add(line.info(id, jobs.getOrDefault(id, ""), now - line.beat() < FRESH));
            }
        });
        return nodes;
    }

    /** Throws nothing, or no further beat would come. */
    void beat(RedisCalls calls) {
        try {
            heartbeat.tell(calls.callReserved("nodes", heartbeat::beat));
            eviction.check(calls);
        } catch (StoreException e) {
            LOG.debug("Node '{}' could not say that it is alive: {}", nodeId, e.getMessage());
        } catch (RuntimeException | Error e) {
            LOG.warn("Node '{}' could not say that it is alive", nodeId, e);
        }
    }

    private void leave(RedisCalls calls) {
        try {
            calls.callReserved("nodes", heartbeat::leave);
        } catch (RuntimeException e) {
            LOG.debug("Node '{}' could not take itself off the list: {}", nodeId, e.getMessage());
        }
    }
}
