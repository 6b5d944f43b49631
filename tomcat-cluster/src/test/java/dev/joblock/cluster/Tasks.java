package dev.joblock.cluster;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.params.XPendingParams;
import redis.clients.jedis.resps.StreamEntry;
import redis.clients.jedis.resps.StreamGroupInfo;

/** Counts the tasks on the queues of the sample, straight from Redis. */
final class Tasks implements AutoCloseable {

    private static final String GROUP = "watchers";

    private final RedisClient redis;
    private final String prefix;

    Tasks(HostPort address, String prefix) {
        this.redis = RedisClient.create(address.host(), address.port());
        this.prefix = prefix;
    }

    /** For each cycle, how many tasks each file has. */
    Map<Instant, Map<String, Integer>> queued(String queue) {
        Map<Instant, Map<String, Integer>> all = new TreeMap<>();
        for (StreamEntry task : redis.xrange(prefix + queue, (StreamEntryID) null, null)) {
            all.computeIfAbsent(Instant.parse(task.getFields().get("cycle")), key -> new HashMap<>())
                    .merge(task.getFields().get("name"), 1, Integer::sum);
        }
        return all;
    }

    /** Whether every task that was queued before a moment has been taken and finished. */
    boolean areFinished(Instant before) {
        List<StreamGroupInfo> groups = redis.xinfoGroups(prefix + "tasks");
        StreamEntryID last = new StreamEntryID(before.toEpochMilli(), 0);
        return groups.get(0).getLastDeliveredId().compareTo(last) >= 0
                && redis.xpending(
                                prefix + "tasks",
                                GROUP,
                                XPendingParams.xPendingParams(StreamEntryID.MINIMUM_ID, last, 1))
                        .isEmpty();
    }

    /** Sets the interval of the report, as a person would. */
    void setReportInterval(String interval) {
        redis.hset(prefix + "settings", "intervaltime", interval);
    }

    @Override
    public void close() {
        redis.close();
    }
}
