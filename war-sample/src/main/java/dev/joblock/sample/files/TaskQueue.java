package dev.joblock.sample.files;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.dao.DataAccessException;
import org.springframework.data.domain.Range;
import org.springframework.data.redis.RedisSystemException;
import org.springframework.data.redis.connection.RedisStreamCommands.TrimOptions;
import org.springframework.data.redis.connection.RedisStreamCommands.XTrimOptions;
import org.springframework.data.redis.connection.stream.Consumer;
import org.springframework.data.redis.connection.stream.MapRecord;
import org.springframework.data.redis.connection.stream.PendingMessage;
import org.springframework.data.redis.connection.stream.PendingMessages;
import org.springframework.data.redis.connection.stream.ReadOffset;
import org.springframework.data.redis.connection.stream.RecordId;
import org.springframework.data.redis.connection.stream.StreamOffset;
import org.springframework.data.redis.connection.stream.StreamReadOptions;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.SessionCallback;
import org.springframework.data.redis.core.StreamOperations;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A queue of tasks: a Redis stream with one consumer group. A task that was taken stays pending until it is done; one
 * whose consumer has been silent for too long is handed to another. So each is done at least once.
 *
 * <p>Thread-safe.
 */
public class TaskQueue implements InitializingBean {

    private static final String GROUP = "watchers";
    private static final String CYCLE = "cycle";
    private static final String NAME = "name";

    private final StringRedisTemplate redis;
    private final String key;

    /**
     * A queue.
     *
     * @param redis where
     * @param key the key of the stream
     */
    public TaskQueue(StringRedisTemplate redis, String key) {
        this.redis = redis;
        this.key = key;
    }

    /** Creates the consumer group, which all nodes try at once. Redis may be away: then consumers try again. */
    @Override
    public void afterPropertiesSet() {
        try {
            createGroup();
        } catch (DataAccessException e) {
            // Said when a consumer can't read either.
        }
    }

    /**
     * Puts one task for each name on the queue: all of them, or none if this node dies meanwhile.
     *
     * @param cycle the slot that they belong to
     * @param names the names of the files
     */
    public void put(Instant cycle, Collection<String> names) {
        redis.execute(new SessionCallback<List<Object>>() {
            @Override
            @SuppressWarnings("unchecked")
            public <K, V> List<Object> execute(RedisOperations<K, V> session) {
                StreamOperations<K, Object, Object> stream = session.opsForStream();
                session.multi();
                for (String name : names) {
                    stream.add((K) key, Map.of(CYCLE, cycle.toString(), NAME, name));
                }
                return session.exec();
            }
        });
    }

    /**
     * Takes tasks that nobody has taken yet.
     *
     * @param consumer who takes them; one name for each thread of the cluster
     * @param most how many at the most
     * @param wait how long to wait for the first
     * @return the tasks, each to be given back by {@link #done}
     */
    @SuppressWarnings("unchecked") // an array of one StreamOffset<String>
    public List<FileTask> take(String consumer, int most, Duration wait) {
        StreamReadOptions options = StreamReadOptions.empty().count(most).block(wait);
        List<MapRecord<String, Object, Object>> records = redis.opsForStream()
                .read(Consumer.from(GROUP, consumer), options, StreamOffset.create(key, ReadOffset.lastConsumed()));
        return records == null ? List.of() : tasks(records, Map.of());
    }

    /**
     * Takes over tasks whose consumers have not finished them. Where two consumers try the same, one gets it, since Redis
     * looks at the time-out again.
     *
     * @param consumer who takes them
     * @param most how many at the most
     * @param timeout how long ago they were taken at the least
     * @return the tasks
     */
    public List<FileTask> takeOver(String consumer, int most, Duration timeout) {
        Map<String, String> owners = new HashMap<>();
        List<RecordId> ids = new ArrayList<>();
        for (PendingMessage pending : redis.opsForStream().pending(key, GROUP, Range.unbounded(), most, timeout)) {
            owners.put(pending.getIdAsString(), pending.getConsumerName());
            ids.add(pending.getId());
        }
        if (ids.isEmpty()) {
            return List.of();
        }
        return tasks(redis.opsForStream().claim(key, GROUP, consumer, timeout, ids.toArray(new RecordId[0])), owners);
    }

    /**
     * A task has been finished.
     *
     * @param task the task
     */
    public void done(FileTask task) {
        redis.opsForStream().acknowledge(key, GROUP, task.id());
    }

    /**
     * Forgets tasks that were queued long ago, unless one that old still waits to be finished.
     *
     * @param before when
     */
    public void forget(Instant before) {
        RecordId keep = RecordId.of(before.toEpochMilli(), 0);
        PendingMessages oldest = redis.opsForStream().pending(key, GROUP, Range.unbounded(), 1);
        if (!oldest.isEmpty() && Objects.requireNonNull(oldest.get(0).getId().getTimestamp()) < before.toEpochMilli()) {
            keep = oldest.get(0).getId();
        }
        redis.opsForStream().trim(key, XTrimOptions.trim(TrimOptions.minId(keep)));
    }

    /**
     * Creates the consumer group if it is not there: at first, or after Redis has lost it. It begins with the first task
     * that the stream has.
     */
    public void createGroup() {
        try {
            redis.opsForStream().createGroup(key, ReadOffset.from("0"), GROUP);
        } catch (RedisSystemException e) {
            if (!String.valueOf(e.getMostSpecificCause().getMessage()).contains("BUSYGROUP")) {
                throw e;
            }
        }
    }

    private static List<FileTask> tasks(List<MapRecord<String, Object, Object>> records, Map<String, String> owners) {
        List<FileTask> tasks = new ArrayList<>();
        for (MapRecord<String, Object, Object> entry : records) {
            String id = entry.getId().getValue();
            tasks.add(new FileTask(
                    id,
                    Instant.parse(String.valueOf(entry.getValue().get(CYCLE))),
                    String.valueOf(entry.getValue().get(NAME)),
                    owners.getOrDefault(id, "")));
        }
        return tasks;
    }
}
