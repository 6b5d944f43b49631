package dev.joblock.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Texts by id in the order of a time, capped by number and age: a sorted set of ids and a hash of texts. Two keys, whatever
 * stands in them. Commands: a script of {@code ZADD PEXPIRE ZCARD ZRANGE ZRANGEBYSCORE} on the set; {@code HSET HDEL HMGET
 * PEXPIRE ZREM ZREVRANGEBYSCORE}; each on a few hundred ids at the most.
 *
 * <p>An id goes into the sorted set first and leaves it last, so that a process that dies half-way leaves an id without a text,
 * which the cap removes in its time, and never a text that nothing names. Thread-safe.
 */
final class CappedMap {

    private static final int CHUNK = 500;
    private static final LuaScript INDEX_ADD = new LuaScript("index-add.lua");

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

    void add(RedisConnection connection, Collection<Line> lines, long now) {
        if (lines.isEmpty()) {
            return;
        }
        List<byte[]> over = addToIndex(connection, lines, now);
        boolean pipelined = !(connection instanceof RedisClusterConnection);
        if (pipelined) {
            connection.openPipeline();
        }
        connection.hashCommands().hMSet(texts, textsOf(lines));
        connection.keyCommands().pExpire(texts, oldest);
        remove(connection, over);
        if (pipelined) {
            connection.closePipeline();
        }
        while (over.size() == CHUNK) {
            over = addToIndex(connection, Collections.emptyList(), now);
            remove(connection, over);
        }
    }

    /** A few hundred of those that are over the number or too old, oldest first. */
    private List<byte[]> addToIndex(RedisConnection connection, Collection<Line> lines, long now) {
        List<byte[]> arguments = new ArrayList<>(4 + 2 * lines.size());
        for (long number : new long[] {oldest, most, now - oldest, CHUNK}) {
            arguments.add(RedisCalls.bytes(Long.toString(number)));
        }
        for (Line line : lines) {
            arguments.add(RedisCalls.bytes(Long.toString(line.at)));
            arguments.add(RedisCalls.bytes(line.id));
        }
        List<byte[]> over = new ArrayList<>();
        for (Object id : (List<?>)
                INDEX_ADD.eval(connection, ReturnType.MULTI, new byte[][] {index}, arguments.toArray(new byte[0][]))) {
            over.add((byte[]) id);
        }
        return over;
    }

    // Spring Data asks for a map with arrays as keys; nothing is looked up in it.
    @SuppressWarnings("ArrayAsKeyOfSetOrMap")
    private static Map<byte[], byte[]> textsOf(Collection<Line> lines) {
        Map<byte[], byte[]> written = new HashMap<>();
        lines.forEach(line -> written.put(RedisCalls.bytes(line.id), RedisCalls.bytes(line.text)));
        return written;
    }

    private void remove(RedisConnection connection, List<byte[]> ids) {
        if (!ids.isEmpty()) {
            byte[][] all = ids.toArray(new byte[0][]);
            connection.hashCommands().hDel(texts, all);
            connection.zSetCommands().zRem(index, all);
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
