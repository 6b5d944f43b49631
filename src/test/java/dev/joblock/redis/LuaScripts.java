package dev.joblock.redis;

import dev.joblock.redis.Scenario.Kind;
import dev.joblock.redis.World.Stored;
import dev.joblock.testing.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of a store, in a real Redis. What the store holds is put there before each call and read after it; the time is an
 * argument, so that it can be turned. All times are multiples of ten seconds, which the key's expiry is rounded to.
 */
final class LuaScripts implements Mechanism {
    private static final int BATCH = 200;
    private static final long ROUND = 10_000;
    private static final String RECORD = "{lock}:joblock";
    private static final String PLAIN = "lock";
    private static final String FREE =
            "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0";

    private final RespConnection redis;
    private final boolean token;
    private final Map<Kind, String> scripts = new HashMap<>();

    private LuaScripts(RespConnection redis, boolean token) throws IOException {
        this.redis = redis;
        this.token = token;
        load(Kind.ASK, "acquire.lua");
        load(Kind.RENEW, "renew.lua");
        load(Kind.RELEASE, "release.lua");
        load(Kind.UNCLAIM, "unclaim.lua", "unclaim-run.lua");
        load(Kind.CANCEL, "unclaim.lua", "cancel-run.lua");
    }

    static LuaScripts ofHashTimestamp(RespConnection redis) throws IOException {
        return new LuaScripts(redis, false);
    }

    static LuaScripts ofToken(RespConnection redis) throws IOException {
        return new LuaScripts(redis, true);
    }

    @Override
    public boolean hasPlainKey() {
        return token;
    }

    @Override
    public List<Reply> answer(List<Call> calls) {
        List<Reply> replies = new ArrayList<>();
        for (int from = 0; from < calls.size(); from += BATCH) {
            List<Call> batch = calls.subList(from, Math.min(calls.size(), from + BATCH));
            List<String[]> commands = new ArrayList<>();
            batch.forEach(call -> commands.addAll(commands(call)));
            List<@Nullable Object> answers;
            try {
                answers = redis.pipeline(commands);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            int at = 0;
            for (Call call : batch) {
                at += commands(call).size();
                replies.add(reply(call, answers.subList(at - 4, at)));
            }
        }
        return replies;
    }

    /** Whatever is put there first, the last four are the call, and what is read after it. */
    private List<String[]> commands(Call call) {
        List<String[]> commands = new ArrayList<>();
        commands.add(new String[] {"DEL", RECORD, PLAIN});
        Stored stored = call.stored();
        if (!stored.fields().isEmpty()) {
            List<String> set = new ArrayList<>(List.of("HSET", RECORD));
            stored.fields().forEach((field, value) -> set.addAll(List.of(field, value)));
            commands.add(set.toArray(new String[0]));
        }
        if (!stored.plain().isEmpty()) {
            String left = Long.toString(stored.plainUntil() - call.now());
            commands.add(new String[] {"SET", PLAIN, stored.plain(), "PX", left});
        }
        commands.add(command(call));
        commands.add(new String[] {"HGETALL", RECORD});
        commands.add(new String[] {"GET", PLAIN});
        commands.add(new String[] {"PTTL", PLAIN});
        return commands;
    }

    private String[] command(Call call) {
        String lease = Long.toString(Scenario.LEASE.toMillis());
        return switch (call.kind()) {
            case ASK ->
                script(
                        call,
                        Arrays.stream(LuaAcquire.arguments(call.request()))
                                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                                .toArray(String[]::new));
            case RENEW -> script(call, call.nonce(), lease);
            case TAKE -> new String[] {"SET", PLAIN, call.nonce(), "NX", "PX", lease};
            case FREE -> new String[] {"EVAL", FREE, "1", PLAIN, call.nonce()};
            default -> script(call, call.nonce());
        };
    }

    private String[] script(Call call, String... arguments) {
        List<String> words = new ArrayList<>(List.of("EVALSHA", Objects.requireNonNull(scripts.get(call.kind()))));
        words.addAll(token ? List.of("2", RECORD, PLAIN) : List.of("1", RECORD));
        words.addAll(List.of(arguments));
        words.add(Long.toString(call.now()));
        return words.toArray(new String[0]);
    }

    private static Reply reply(Call call, List<@Nullable Object> answers) {
        Map<String, String> fields = new HashMap<>();
        List<?> flat = (List<?>) Objects.requireNonNull(answers.get(1));
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(String.valueOf(flat.get(i)), String.valueOf(flat.get(i + 1)));
        }
        String plain = Objects.requireNonNullElse((String) answers.get(2), "");
        long left = (Long) Objects.requireNonNull(answers.get(3));
        long until = plain.isEmpty() ? 0 : Math.round((double) (call.now() + left) / ROUND) * ROUND;
        boolean unchanged = fields.equals(call.stored().fields());
        Stored after = new Stored(unchanged ? call.stored().record() : new LockRecord(fields), plain, until);
        boolean wrote = !after.equals(call.stored());
        Object answer = answers.get(0);
        if (call.kind() != Kind.ASK) {
            return new Reply(null, "1".equals(String.valueOf(answer)) || "OK".equals(answer), wrote, after);
        }
        List<byte[]> words = ((List<?>) Objects.requireNonNull(answer))
                .stream()
                        .map(word -> String.valueOf(word).getBytes(StandardCharsets.UTF_8))
                        .toList();
        return new Reply(LuaAcquire.answer(call.request(), words), false, wrote, after);
    }

    private void load(Kind kind, String... parts) throws IOException {
        StringBuilder source = new StringBuilder("local now = tonumber(ARGV[#ARGV])\n");
        source.append(LuaScript.read("record.lua")).append(LuaScript.read(token ? "token.lua" : "hash.lua"));
        for (String part : parts) {
            source.append(LuaScript.read(part));
        }
        scripts.put(kind, String.valueOf(redis.call("SCRIPT", "LOAD", source.toString())));
    }
}
