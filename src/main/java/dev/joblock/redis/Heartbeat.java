package dev.joblock.redis;

import dev.joblock.JobCatalog;
import dev.joblock.RegisteredJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * One beat after the other: reads what the other nodes say, finds what does not fit, and writes this node's line. Beats come
 * on one thread; {@link #isRedisOutlier} is for any.
 */
final class Heartbeat {

    private static final Logger LOG = LoggerFactory.getLogger(NodePresence.class);
    private static final long ERROR_EVERY = TimeUnit.MINUTES.toNanos(1);
    /** Kinds of what is told again each minute. */
    private static final String SAME_ID = "id";

    private static final String REDIS_CLOCK = "redis-clock";
    private static final String CLOCK = "clock";

    private final String nodeId;
    private final byte[] jobsKey;
    private final LongSupplier wallClock;
    private final String incarnation = UUID.randomUUID().toString();
    private final Map<String, String> about = new ConcurrentHashMap<>();
    private volatile Collection<JobCatalog> catalogs = Collections.emptyList();
    private volatile @Nullable Long outlierSince;
    private final Map<String, Long> told = new HashMap<>();
    private final Map<String, List<String>> differences = new HashMap<>();
    private String jobsWritten = "";

    Heartbeat(String nodeId, byte[] jobsKey, LongSupplier wallClock) {
        this.nodeId = nodeId;
        this.jobsKey = jobsKey;
        this.wallClock = wallClock;
        String version = NodePresence.class.getPackage().getImplementationVersion();
        about("version", version == null ? "" : version);
        about("zone", TimeZone.getDefault().getID());
    }

    byte[] jobsKey() {
        return jobsKey;
    }

    void about(String name, String value) {
        about.put(name, value);
    }

    void show(Collection<JobCatalog> some) {
        catalogs = new ArrayList<>(some);
    }

    boolean isRedisOutlier() {
        Long since = outlierSince;
        return since != null && System.nanoTime() - since < TimeUnit.MILLISECONDS.toNanos(NodePresence.FRESH);
    }

    /** One beat; what is wrong, by kind. */
    Map<String, String> beat(RedisConnection connection, byte[] key) {
        NodeClock clock = NodeClock.measure(connection, wallClock);
        List<RegisteredJob> jobs = new ArrayList<>();
        int threads = 0;
        int busy = 0;
        for (JobCatalog catalog : catalogs) {
            jobs.addAll(catalog.jobs());
            threads += catalog.threads();
            busy += catalog.busyThreads();
        }
        Map<String, NodeLine> others = new HashMap<>();
        boolean sameId = readOthers(connection, key, clock.redisTime, others);
        Map<String, String> warnings = new LinkedHashMap<>();
        if (sameId) {
            warnings.put(SAME_ID, "another node has the id '" + nodeId + "' too");
        }
        Pairs pairs = new Pairs()
                .put("offset", Long.toString(clock.offset))
                .put("doubt", Long.toString(clock.doubt))
                .put("schedules", NodeChecks.schedulesOf(jobs))
                .put("threads", threads == 0 ? "" : Integer.toString(threads))
                .put("busy", busy == 0 ? "" : Integer.toString(busy));
        about.forEach(pairs::put);
        checkClock(new NodeLine(incarnation, pairs, clock.redisTime), clock, others, warnings);
        compareSchedules(connection, jobs, pairs.get("schedules", ""), others);
        differences.forEach((node, sentences) -> sentences.forEach(sentence -> warnings.put(sentence, sentence)));
        pairs.put("warnings", String.join("\n", warnings.values()));
        write(connection, key, new NodeLine(incarnation, pairs, clock.redisTime), NodeLine.encodeJobs(jobs));
        return warnings;
    }

    /** Fills in the living nodes but this one; true if one of them has our id. Who was silent for an hour is forgotten. */
    private boolean readOthers(RedisConnection connection, byte[] key, long now, Map<String, NodeLine> others) {
        boolean sameId = false;
        for (Map.Entry<String, String> node :
                texts(connection.hashCommands().hGetAll(key)).entrySet()) {
            NodeLine line = NodeLine.parse(node.getValue());
            long silent = now - line.beat();
            if (silent > NodePresence.FORGOTTEN) {
                connection.hashCommands().hDel(key, RedisCalls.bytes(node.getKey()));
                connection.hashCommands().hDel(jobsKey, RedisCalls.bytes(node.getKey()));
            } else if (silent < NodePresence.FRESH && !line.incarnation().equals(incarnation)) {
                sameId |= node.getKey().equals(nodeId);
                others.put(node.getKey(), line);
            }
        }
        return sameId;
    }

    private void checkClock(NodeLine own, NodeClock clock, Map<String, NodeLine> others, Map<String, String> warnings) {
        List<Long> offsets = new ArrayList<>();
        others.values().forEach(line -> offsets.add(line.certainOffset()));
        boolean outlier = NodeChecks.isRedisOutlier(own.certainOffset(), offsets);
        outlierSince = outlier ? (Long) System.nanoTime() : null;
        String difference = "this node's clock is " + Math.abs(clock.offset) + " ms "
                + (clock.offset > 0 ? "ahead of" : "behind") + " that of Redis";
        if (outlier) {
            warnings.put(
                    REDIS_CLOCK,
                    difference
                            + (others.isEmpty()
                                    ? ", and there is no other node to compare with"
                                    : ", and so is that of each of " + others.size() + " other nodes")
                            + ": Redis is taken to be wrong, and no slot is held back because of its clock; set it right");
        } else if (Math.abs(own.certainOffset()) > NodeChecks.OFFSET_LIMIT) {
            warnings.put(
                    CLOCK,
                    difference + ", the limit is " + NodeChecks.OFFSET_LIMIT + " ms; set the node's clock right");
        }
    }

    /** Other nodes' jobs are read only where their schedules are not ours, and once for each such state. */
    private void compareSchedules(
            RedisConnection connection, List<RegisteredJob> jobs, String ours, Map<String, NodeLine> others) {
        Set<String> current = new HashSet<>();
        others.forEach((node, line) -> {
            if (ours.isEmpty() || line.schedules().isEmpty() || line.schedules().equals(ours)) {
                return;
            }
            String state = ours + " " + line.schedules() + " " + node;
            current.add(state);
            if (!differences.containsKey(state)) {
                byte[] theirs = connection.hashCommands().hGet(jobsKey, RedisCalls.bytes(node));
                differences.put(
                        state,
                        NodeChecks.differences(
                                jobs, node, NodeLine.decodeJobs(theirs == null ? "" : RedisCalls.text(theirs))));
            }
        });
        differences.keySet().retainAll(current);
    }

    private void write(RedisConnection connection, byte[] key, NodeLine line, String jobs) {
        byte[] field = RedisCalls.bytes(nodeId);
        if (!jobs.equals(jobsWritten)
                || !Boolean.TRUE.equals(connection.hashCommands().hExists(jobsKey, field))) {
            connection.hashCommands().hSet(jobsKey, field, RedisCalls.bytes(jobs));
            jobsWritten = jobs;
        }
        connection.hashCommands().hSet(key, field, RedisCalls.bytes(line.toString()));
        connection.keyCommands().pExpire(key, NodePresence.FORGOTTEN);
        connection.keyCommands().pExpire(jobsKey, NodePresence.FORGOTTEN);
    }

    /** Logs what is wrong: at once, an ERROR again each minute. */
    void tell(Map<String, String> warnings) {
        told.keySet().removeIf(kind -> !warnings.containsKey(kind) && !kind.equals(SAME_ID));
        long now = System.nanoTime();
        warnings.forEach((kind, sentence) -> {
            boolean again = kind.equals(SAME_ID) || kind.equals(REDIS_CLOCK);
            Long last = told.get(kind);
            if (last != null && (!again || now - last < ERROR_EVERY)) {
                return;
            }
            told.put(kind, now);
            if (kind.equals(SAME_ID)) {
                LOG.error(
                        "Another node has the id '{}' (or one with it was killed less than {} s ago): give each node its own "
                                + "'joblock.node-id', or none, so that log and records tell which of them ran a job. "
                                + "Mutual exclusion holds all the same",
                        nodeId,
                        TimeUnit.MILLISECONDS.toSeconds(NodePresence.FRESH));
            } else if (again) {
                LOG.error("Node '{}': {}", nodeId, sentence);
            } else {
                LOG.warn("Node '{}': {}", nodeId, sentence);
            }
        });
    }

    /** Takes our line away, unless another node with our id has written it. */
    boolean leave(RedisConnection connection, byte[] key) {
        byte[] field = RedisCalls.bytes(nodeId);
        byte[] now = connection.hashCommands().hGet(key, field);
        boolean ours = now != null && RedisCalls.text(now).startsWith(incarnation);
        if (ours) {
            connection.hashCommands().hDel(key, field);
            connection.hashCommands().hDel(jobsKey, field);
        }
        return ours;
    }

    static Map<String, String> texts(@Nullable Map<byte[], byte[]> fields) {
        Map<String, String> texts = new HashMap<>();
        if (fields != null) {
            fields.forEach((name, value) -> texts.put(RedisCalls.text(name), RedisCalls.text(value)));
        }
        return texts;
    }
}
