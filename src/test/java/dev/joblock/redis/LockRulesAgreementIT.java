package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.LockRequest;
import dev.joblock.RecordedRun;
import dev.joblock.StoreAnswer;
import dev.joblock.testing.RedisExtension;
import dev.joblock.testing.RespConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The rules in Java and the rules in Lua say and write the same for every record, request and time. */
class LockRulesAgreementIT {
    private static final int BATCH = 500;
    private static final String KEY = "agreement";
    private static final String TTL = "ttl";

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    /** What was drawn, and what Java says: the answer, and the record with its time to live. */
    private record Case(
            Map<String, String> before,
            long now,
            List<String> arguments,
            Function<Object, String> reader,
            Step<?> step) {}

    private interface Drawing {
        Case draw(RandomRecords random);
    }

    @Test
    void acquireAgreesOnAHundredThousandRecords() throws IOException {
        Set<String> kinds = new TreeSet<>();
        compare(100_000, "acquire.lua", random -> {
            Map<String, String> before = random.record();
            LockRequest request = random.request();
            Step<StoreAnswer> step = LockRules.acquire(new LockRecord(before), request, random.now);
            kinds.add(kind(step.answer));
            if (step.answer.passedOver().isPresent()) {
                kinds.add(step.change.isEmpty() ? "granted again past slots" : "granted past slots");
            }
            Function<Object, String> reader = reply -> words(LuaAcquire.answer(request, bytes((List<?>) reply)));
            return new Case(before, random.now, arguments(request), reader, step);
        });
        assertThat(kinds)
                .containsExactly(
                        "CLOCK_AHEAD",
                        "FOREIGN_VALUE",
                        "HELD",
                        "PASSED",
                        "TAKEN",
                        "TIMEOUT",
                        "TOO_SOON",
                        "UNKNOWN_LAYOUT",
                        "granted",
                        "granted after an abandoned run",
                        "granted again past slots",
                        "granted past slots");
    }

    @Test
    void renewAgrees() throws IOException {
        compare(10_000, "renew.lua", random -> {
            Map<String, String> before = random.record();
            Holder holder = random.holder();
            Duration lease = random.length();
            Step<Boolean> step = LockRules.renew(new LockRecord(before), holder, lease, random.now);
            return yesOrNo(before, random.now, step, holder.nonce(), Long.toString(lease.toMillis()));
        });
    }

    @Test
    void releaseAgrees() throws IOException {
        compare(10_000, "release.lua", random -> {
            Map<String, String> before = random.record();
            Holder holder = random.holder();
            Step<Boolean> step = LockRules.release(new LockRecord(before), holder, random.now);
            return yesOrNo(before, random.now, step, holder.nonce());
        });
    }

    @Test
    void unclaimAgrees() throws IOException {
        compare(10_000, "unclaim-run.lua", random -> {
            Map<String, String> before = random.record();
            Holder holder = random.holder();
            Step<Boolean> step = LockRules.unclaim(new LockRecord(before), holder, random.now);
            return yesOrNo(before, random.now, step, holder.nonce());
        });
    }

    @Test
    void cancelAgrees() throws IOException {
        compare(10_000, "cancel-run.lua", random -> {
            Map<String, String> before = random.record();
            Holder holder = random.holder();
            Step<Boolean> step = LockRules.cancel(new LockRecord(before), holder, random.now);
            return yesOrNo(before, random.now, step, holder.nonce());
        });
    }

    private static void compare(int cases, String script, Drawing drawing) throws IOException {
        RandomRecords random = new RandomRecords(20_261_130);
        // Time is the last argument instead of Redis TIME, and the time to live a field that can be read exactly.
        String source = ("local now = tonumber(ARGV[#ARGV])\n"
                        + LuaScript.read("record.lua")
                        + LuaScript.read("hash.lua")
                        + LuaScript.read("unclaim.lua")
                        + LuaScript.read(script))
                .replace("redis.call('PEXPIRE', KEYS[1],", "redis.call('HSET', KEYS[1], '" + TTL + "',");
        try (RespConnection connection = new RespConnection(redis.host(), redis.port())) {
            String sha = String.valueOf(connection.call("SCRIPT", "LOAD", source));
            for (int done = 0; done < cases; done += BATCH) {
                List<Case> drawn = new ArrayList<>();
                List<String[]> commands = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    Case one = drawing.draw(random);
                    drawn.add(one);
                    addCommands(commands, sha, one);
                }
                List<@Nullable Object> replies = connection.pipeline(commands);
                int at = 0;
                for (Case one : drawn) {
                    at += one.before.isEmpty() ? 1 : 2;
                    check(one, Objects.requireNonNull(replies.get(at)), fields(replies.get(at + 1)));
                    at += 2;
                }
            }
        }
    }

    private static void addCommands(List<String[]> commands, String sha, Case one) {
        commands.add(new String[] {"DEL", KEY});
        if (!one.before.isEmpty()) {
            List<String> set = new ArrayList<>(List.of("HSET", KEY));
            one.before.forEach((field, value) -> set.addAll(List.of(field, value)));
            commands.add(set.toArray(new String[0]));
        }
        List<String> eval = new ArrayList<>(List.of("EVALSHA", sha, "1", KEY));
        eval.addAll(one.arguments);
        eval.add(Long.toString(one.now));
        commands.add(eval.toArray(new String[0]));
        commands.add(new String[] {"HGETALL", KEY});
    }

    private static void check(Case one, Object reply, Map<String, String> after) {
        Map<String, String> expected = new TreeMap<>(one.before);
        if (!one.step.change.isEmpty()) {
            LockRecord changed = one.step.change.applyTo(new LockRecord(one.before));
            expected = new TreeMap<>(changed.fields());
            expected.put(TTL, Long.toString(Retention.ttl(changed, one.now)));
        }
        String java = one.step.answer instanceof StoreAnswer answer ? words(answer) : String.valueOf(one.step.answer);
        String context = "record " + new TreeMap<>(one.before) + " arguments " + one.arguments + " now " + one.now;
        assertThat(one.reader.apply(reply)).as(context).isEqualTo(java);
        assertThat(after).as(context).isEqualTo(expected);
    }

    private static Case yesOrNo(Map<String, String> before, long now, Step<Boolean> step, String... arguments) {
        return new Case(before, now, List.of(arguments), reply -> String.valueOf(reply.equals("1")), step);
    }

    private static List<String> arguments(LockRequest request) {
        List<String> arguments = new ArrayList<>();
        byte[][] bytes = LuaAcquire.arguments(request);
        for (byte[] argument : bytes) {
            arguments.add(new String(argument, StandardCharsets.UTF_8));
        }
        return arguments;
    }

    static List<byte[]> bytes(List<?> reply) {
        return reply.stream()
                .map(item -> String.valueOf(item).getBytes(StandardCharsets.UTF_8))
                .toList();
    }

    static Map<String, String> fields(@Nullable Object reply) {
        Map<String, String> fields = new HashMap<>();
        List<?> flat = (List<?>) Objects.requireNonNull(reply);
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(String.valueOf(flat.get(i)), String.valueOf(flat.get(i + 1)));
        }
        return fields;
    }

    static String kind(StoreAnswer answer) {
        return answer.denial()
                .map(denied ->
                        denied.fault().map(Enum::name).orElse(denied.reason().name()))
                .orElse(answer.abandoned().isPresent() ? "granted after an abandoned run" : "granted");
    }

    static String words(StoreAnswer answer) {
        return answer.denial()
                .map(denied -> denied + " until " + denied.until() + words(denied))
                .orElseGet(() -> "granted " + answer.fencingToken() + " since " + answer.since() + " took "
                        + words(answer.abandoned().orElse(null)) + " " + answer.isOtherDefinition() + " over "
                        + answer.passedOver());
    }

    private static String words(Denied denied) {
        return " by " + words(denied.other().orElse(null)) + " " + denied.isOtherDefinition();
    }

    private static String words(@Nullable RecordedRun run) {
        return run == null ? "-" : run + " in " + run.lane() + ", token " + run.fencingToken();
    }
}
