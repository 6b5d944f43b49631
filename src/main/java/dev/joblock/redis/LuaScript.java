package dev.joblock.redis;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.ReturnType;

/**
 * A Lua script, put together from parts that lie beside this class, called by its hash and sent whole where the server
 * does not know it (after a restart, a failover, {@code SCRIPT FLUSH}). Immutable and thread-safe.
 */
final class LuaScript {

    private final byte[] source;
    private final String sha;

    LuaScript(String... parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            text.append(read(part));
        }
        this.source = RedisCalls.bytes(text.toString());
        this.sha = sha1(source);
    }

    Object eval(RedisConnection connection, ReturnType type, byte[][] keys, byte[][] arguments) {
        byte[][] all = Arrays.copyOf(keys, keys.length + arguments.length);
        System.arraycopy(arguments, 0, all, keys.length, arguments.length);
        Object answer;
        try {
            answer = send(connection, "EVALSHA", RedisCalls.bytes(sha), type, keys.length, all);
        } catch (RuntimeException e) {
            if (!StoreFaults.isScriptMissing(e)) {
                throw e;
            }
            answer = send(connection, "EVAL", source, type, keys.length, all);
        }
        if (answer == null) {
            throw new IllegalStateException("A script gave no answer; the connection is in a transaction or pipeline");
        }
        return answer;
    }

    /** Jedis 3 takes the read time-out off for scripts, as for commands that block. A command sent by its name keeps it. */
    private static @Nullable Object send(
            RedisConnection connection, String command, byte[] script, ReturnType type, int keys, byte[][] all) {
        if (!connection.getClass().getName().endsWith(".jedis.JedisConnection")) {
            return command.equals("EVAL")
                    ? connection.scriptingCommands().eval(script, type, keys, all)
                    : connection.scriptingCommands().evalSha(script, type, keys, all);
        }
        byte[][] arguments = new byte[all.length + 2][];
        arguments[0] = script;
        arguments[1] = RedisCalls.bytes(Integer.toString(keys));
        System.arraycopy(all, 0, arguments, 2, all.length);
        return connection.execute(command, arguments);
    }

    static String read(String part) {
        try (InputStream in = LuaScript.class.getResourceAsStream(part)) {
            if (in == null) {
                throw new IllegalStateException("The script '" + part + "' is missing from the jar of Joblock");
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] buffer = new byte[4096];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                bytes.write(buffer, 0, n);
            }
            return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("The script '" + part + "' in the jar of Joblock can't be read", e);
        }
    }

    private static String sha1(byte[] source) {
        try {
            StringBuilder hex = new StringBuilder();
            for (byte b : MessageDigest.getInstance("SHA-1").digest(source)) {
                hex.append(Character.forDigit((b >> 4) & 0xF, 16)).append(Character.forDigit(b & 0xF, 16));
            }
            return hex.toString();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java has no SHA-1, which Redis names scripts by", e);
        }
    }
}
