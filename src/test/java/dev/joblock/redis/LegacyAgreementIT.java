package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.Holder;
import dev.joblock.LegacyLock;
import dev.joblock.LockRequest;
import dev.joblock.StoreAnswer;
import dev.joblock.testing.RedisExtension;
import dev.joblock.testing.RespConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With a hand-written lock beside it, too, the rules in Java and in Lua say and write the same, on both keys. */
class LegacyAgreementIT {
    private static final int BATCH = 500;
    private static final String KEY = "agreement";
    private static final String OLD = "old_lock";
    private static final String INTERVAL = "intervals";
    private static final String TTL = "ttl";

    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private enum Call {
        ACQUIRE(40_000, "acquire.lua"),
        RENEW(10_000, "renew.lua"),
        RELEASE(10_000, "release.lua"),
        UNCLAIM(10_000, "unclaim-run.lua"),
        CANCEL(10_000, "cancel-run.lua");

        private final int cases;
        private final String script;

        Call(int cases, String script) {
            this.cases = cases;
            this.script = script;
        }
    }

    // Of no more than one test, which compares none of them.
    @SuppressWarnings("ArrayRecordComponent")
    private record Case(
            LegacyLock lock,
            Map<String, String> record,
            Map<String, String> old,
            @Nullable String minutes,
            @Nullable LockRequest request,
            String[] arguments,
            long now,
            Step<?> step,
            LegacyBeside beside) {}

    private final Set<String> kinds = new TreeSet<>();

    @ParameterizedTest
    @EnumSource
    void o2(Call call) throws IOException {
        compare(call, LegacyLocks.o2(OLD + "{job}", policy -> {}), LegacyLocks.o2(OLD + "{job}", policy -> {
            policy.setLegacyTimeout("1s");
            policy.setMaxHold("30s");
        }));
        if (call == Call.ACQUIRE) {
            assertThat(kinds)
                    .contains("legacy HELD", "legacy TAKEN", "FOREIGN_VALUE", "granted")
                    .doesNotContain("legacy TOO_SOON");
        }
    }

    @ParameterizedTest
    @EnumSource
    void o4(Call call) throws IOException {
        compare(
                call,
                LegacyLocks.o4(OLD + "{job}", policy -> {
                    policy.setLegacyInterval("2s");
                    policy.setMaxHold("30s");
                }),
                LegacyLocks.o4(OLD + "{job}", policy -> policy.setLegacyIntervalKey(INTERVAL)));
        if (call == Call.ACQUIRE) {
            assertThat(kinds)
                    .contains(
                            "legacy HELD",
                            "legacy TAKEN",
                            "legacy PASSED",
                            "legacy TOO_SOON",
                            "FOREIGN_VALUE",
                            "granted",
                            "granted after an old run");
        }
    }

    private void compare(Call call, LegacyLock... locks) throws IOException {
        RandomRecords random = new RandomRecords(20_261_130);
        String kind = new Legacy(locks[0], "p:").script();
        String source = ("local now = tonumber(table.remove(ARGV))\n"
                        + LuaScript.read("record.lua")
                        + LuaScript.read(kind)
                        + LuaScript.read("unclaim.lua")
                        + LuaScript.read(call.script))
                .replaceAll("redis.call\\('PEXPIRE', (KEYS.\\d.),", "redis.call('HSET', $1, '" + TTL + "',");
        try (RespConnection connection = new RespConnection(redis.host(), redis.port())) {
            String sha = String.valueOf(connection.call("SCRIPT", "LOAD", source));
            for (int done = 0; done < call.cases; done += BATCH) {
                List<Case> drawn = new ArrayList<>();
                List<String[]> commands = new ArrayList<>();
                for (int i = 0; i < BATCH; i++) {
                    Case one = draw(random, call, locks[i % locks.length]);
                    drawn.add(one);
                    addCommands(commands, sha, one);
                }
                List<@Nullable Object> replies = connection.pipeline(commands);
                for (int i = 0; i < BATCH; i++) {
                    check(drawn.get(i), replies.subList(7 * i, 7 * i + 7));
                }
            }
        }
    }

    private Case draw(RandomRecords random, Call call, LegacyLock lock) {
        Map<String, String> record = random.record();
        Map<String, String> old = new HashMap<>();
        boolean o2 = lock.layout() == LegacyLock.Layout.O2;
        String time = Long.toString(random.time());
        if (random.chance(80)) {
            old.put(lock.field(o2 ? 0 : 1), random.chance(5) ? "soon" : time);
        }
        if (!o2 && random.chance(95)) {
            old.put(lock.field(0), random.chance(5) ? "no" : random.chance(50) ? "true" : "false");
        }
        if (random.chance(10)) {
            old.put("another", "1");
        }
        if (random.chance(80)) {
            String written = random.chance(60) ? time : Long.toString(random.time());
            String rest = o2
                    ? Long.toString(random.length().toMillis())
                    : random.time() + " " + random.time() + " " + random.time();
            record.put(LegacyBeside.REMEMBERED, random.chance(5) ? "" : written + " " + rest);
        }
        String minutes = random.chance(10) ? null : random.one(List.of("0.05", "1", "60", "0", "x", "5.", "0.0001"));
        long now = random.now;
        LegacyBeside beside = o2
                ? new LegacyO2(lock, lock.key("lock"), old)
                : new LegacyO4(lock, "lock", old, lock.intervalKey("lock").isPresent() ? minutes : null);
        LockRecord before = new LockRecord(record);
        Holder holder = random.holder();
        Duration lease = random.length();
        LockRequest request = call == Call.ACQUIRE ? random.request() : null;
        String[] more = new Legacy(lock, "p:").arguments(request);
        if (request != null) {
            Step<StoreAnswer> step = LockRules.acquire(before, request, now, beside);
            kinds.add(kind(step.answer));
            String[] arguments = Arrays.stream(LuaAcquire.arguments(request, more))
                    .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                    .toArray(String[]::new);
            return new Case(lock, record, old, minutes, request, arguments, now, step, beside);
        }
        String[] nonce = {holder.nonce()};
        String[] arguments = LuaStore.concat(
                call == Call.RENEW ? new String[] {holder.nonce(), Long.toString(lease.toMillis())} : nonce, more);
        Step<Boolean> step = switch (call) {
            case RENEW -> LockRules.renew(before, holder, lease, now, beside);
            case RELEASE -> LockRules.release(before, holder, now, beside);
            case UNCLAIM -> LockRules.unclaim(before, holder, now, beside);
            default -> LockRules.cancel(before, holder, now, beside);
        };
        return new Case(lock, record, old, minutes, null, arguments, now, step, beside);
    }

    private static void addCommands(List<String[]> commands, String sha, Case one) {
        String old = one.lock.key("lock");
        commands.add(new String[] {"DEL", KEY, old, INTERVAL});
        // An empty record, or hash, is one whose only field is removed.
        commands.add(set(KEY, one.record));
        commands.add(set(old, one.old));
        commands.add(set(INTERVAL, one.minutes == null ? Map.of() : Map.of("intervaltime", one.minutes)));
        boolean interval = one.lock.intervalKey("lock").isPresent();
        List<String> eval = new ArrayList<>(List.of("EVALSHA", sha, interval ? "3" : "2", KEY, old));
        if (interval) {
            eval.add(INTERVAL);
        }
        eval.addAll(List.of(one.arguments));
        eval.add(Long.toString(one.now));
        commands.add(eval.toArray(new String[0]));
        commands.add(new String[] {"HGETALL", KEY});
        commands.add(new String[] {"HGETALL", old});
    }

    private static String[] set(String key, Map<String, String> fields) {
        if (fields.isEmpty()) {
            return new String[] {"HDEL", key, "none"};
        }
        List<String> set = new ArrayList<>(List.of("HSET", key));
        fields.forEach((field, value) -> set.addAll(List.of(field, value)));
        return set.toArray(new String[0]);
    }

    private static void check(Case one, List<@Nullable Object> replies) {
        String context = "record " + new TreeMap<>(one.record) + " beside " + new TreeMap<>(one.old) + " minutes "
                + one.minutes + " arguments " + List.of(one.arguments) + " now " + one.now;
        Object reply = Objects.requireNonNull(replies.get(4), context);
        if (one.request == null) {
            assertThat(reply.equals("1")).as(context).isEqualTo(one.step.answer);
        } else {
            assertThat(LockRulesAgreementIT.words(
                            LuaAcquire.answer(one.request, LockRulesAgreementIT.bytes((List<?>) reply))))
                    .as(context)
                    .isEqualTo(LockRulesAgreementIT.words((StoreAnswer) one.step.answer));
        }
        Map<String, String> record = one.record;
        if (!one.step.change.isEmpty()) {
            LockRecord changed = one.step.change.applyTo(new LockRecord(one.record));
            record = new HashMap<>(changed.fields());
            record.put(TTL, Long.toString(Retention.ttl(changed, one.now)));
        }
        assertThat(LockRulesAgreementIT.fields(replies.get(5))).as(context).isEqualTo(record);
        Map<String, String> old =
                new HashMap<>(one.beside.change.applyTo(new LockRecord(one.old)).fields());
        if (one.beside.ttl() > 0) {
            old.put(TTL, Long.toString(one.beside.ttl()));
        }
        assertThat(LockRulesAgreementIT.fields(replies.get(6))).as(context).isEqualTo(old);
    }

    private static String kind(StoreAnswer answer) {
        String kind = LockRulesAgreementIT.kind(answer);
        if (answer.denial()
                .filter(denied ->
                        denied.toString().contains(OLD) && denied.fault().isEmpty())
                .isPresent()) {
            return "legacy " + kind;
        }
        return answer.abandoned().filter(run -> run.node().contains(OLD)).isPresent()
                ? "granted after an old run"
                : kind;
    }
}
