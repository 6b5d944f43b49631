package dev.joblock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Texts by id in the order of a time, capped by number and age: a sorted set of ids and a hash of texts. Two keys, whatever
 * stands in them. Commands: {@code ZADD HSET PEXPIRE ZRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE HMGET HDEL ZREM}, each on a
 * few hundred ids at the most.
 *
 * <p>An id goes into the sorted set first and leaves it last, so that a process that dies half-way leaves an id without a text,
 * which the cap removes in its time, and never a text that nothing names. Thread-safe.
 */
final class CappedMap {

    private static final int CHUNK = 500;

    private final byte[] index;
    private final byte[] texts;
    private final int most;
    private final long oldest;

    CappedMap(byte[] index, byte[] texts, int most, Duration oldest) {
        this.index = index;
        this.texts = texts;
        this.most = most;
        this.oldest = oldest.toMillis();
    }

    /** What is to be added. */
    static final class Line {
        final String id;
        final long at;
        final String text;

        Line(String id, long at, String text) {
            this.id = id;
            this.at = at;
            this.text = text;
        }
    }

    // Spring Data asks for a map with arrays as keys; nothing is looked up in it.
    @SuppressWarnings("ArrayAsKeyOfSetOrMap")
    void add(RedisConnection connection, Collection<Line> lines, long now) {
        if (lines.isEmpty()) {
            return;
        }
        Map<byte[], byte[]> written = new HashMap<>();
        lines.forEach(line -> written.put(RedisCalls.bytes(line.id), RedisCalls.bytes(line.text)));
        boolean pipelined = !(connection instanceof RedisClusterConnection);
        if (pipelined) {
            connection.openPipeline();
        }
        for (Line line : lines) {
            connection.zSetCommands().zAdd(index, (double) line.at, RedisCalls.bytes(line.id));
        }
        connection.hashCommands().hMSet(texts, written);
        connection.keyCommands().pExpire(index, oldest);
        connection.keyCommands().pExpire(texts, oldest);
        if (pipelined) {
            connection.closePipeline();
        }
        trim(connection, now);
    }

    private void trim(RedisConnection connection, long now) {
        while (true) {
            Set<byte[]> over = connection.zSetCommands().zRange(index, 0, -(most + 1L));
            if (over == null || over.isEmpty()) {
                over = connection.zSetCommands().zRangeByScore(index, 0, (double) (now - oldest), 0, CHUNK);
            }
            if (over == null || over.isEmpty()) {
                return;
            }
            List<byte[]> ids = new ArrayList<>(over);
            for (int i = 0; i < ids.size(); i += CHUNK) {
                byte[][] chunk = ids.subList(i, Math.min(ids.size(), i + CHUNK)).toArray(new byte[0][]);
                connection.hashCommands().hDel(texts, chunk);
                connection.zSetCommands().zRem(index, chunk);
            }
        }
    }

    /** The texts of those ids that have one; a few hundred ids at the most. */
    Map<String, String> get(RedisConnection connection, Collection<String> ids) {
        Map<String, String> result = new LinkedHashMap<>();
        if (ids.isEmpty()) {
            return result;
        }
        List<String> names = new ArrayList<>(ids);
        byte[][] fields = names.stream().map(RedisCalls::bytes).toArray(byte[][]::new);
        List<byte[]> read = connection.hashCommands().hMGet(texts, fields);
        for (int i = 0; read != null && i < fields.length; i++) {
            byte[] text = read.get(i);
            if (text != null) {
                result.put(names.get(i), RedisCalls.text(text));
            }
        }
        return result;
    }

    boolean contains(RedisConnection connection, String id) {
        return Boolean.TRUE.equals(connection.hashCommands().hExists(texts, RedisCalls.bytes(id)));
    }

    /** A few hundred ids with their texts from a time down to another, newest first; ids without a text are there with an empty one. */
    Map<String, String> newest(RedisConnection connection, double down, double to, long offset) {
        Set<byte[]> found = connection.zSetCommands().zRevRangeByScore(index, down, to, offset, CHUNK);
        Map<String, String> result = new LinkedHashMap<>();
        if (found == null || found.isEmpty()) {
            return result;
        }
        found.forEach(id -> result.put(RedisCalls.text(id), ""));
        result.putAll(get(connection, new ArrayList<>(result.keySet())));
        return result;
    }
}
