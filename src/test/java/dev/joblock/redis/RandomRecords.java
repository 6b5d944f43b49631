package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockRequest;
import dev.joblock.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Draws records and requests from few values that lie close together, so that every rule and boundary is met often. */
final class RandomRecords {
    private static final List<String> LANES = List.of("a", "b c", "l%ne");
    private static final List<String> NONCES = List.of("n1", "n2", "n3", "n4", "n5");
    private static final List<String> NODES = List.of("node1", "node two", "nöde%3");
    private static final List<String> DEFINITIONS = List.of("d1", "d 2");
    private static final long[] OFFSETS = {
        -40L * 86_400_000,
        -31L * 86_400_000,
        -3_600_000,
        -60_000,
        -2_001,
        -2_000,
        -1_999,
        -1_000,
        -501,
        -500,
        -499,
        -51,
        -50,
        -49,
        -1,
        0,
        1,
        49,
        50,
        51,
        500,
        501,
        1_000,
        2_000,
        10_000,
        10_001,
        60_000,
        3_600_000
    };
    private static final long[] LENGTHS = {1, 10, 50, 100, 1_000, 2_000, 30_000, 3_600_000, 40L * 86_400_000};

    private final Random random;
    long now = 1_790_000_000_000L;

    RandomRecords(long seed) {
        this.random = new Random(seed);
    }

    Map<String, String> record() {
        now += random.nextInt(1_000);
        Map<String, String> fields = new HashMap<>();
        if (chance(5)) {
            return fields;
        }
        if (!chance(2)) {
            fields.put("v", chance(2) ? "2" : "1");
        }
        fields.put("status", chance(50) ? "true" : "false");
        put(fields, "time", time());
        put(fields, "token", chance(50) ? now - random.nextInt(3) : time());
        fields.put("owner", one(NONCES));
        fields.put("node", one(NODES));
        put(fields, "until", time());
        put(fields, "lease", one(LENGTHS));
        fields.put("rule", one(List.of("slot", "owed", "interval", "interval-end", "exclusive", "none")));
        fields.put("lane", one(LANES));
        if (chance(70)) {
            put(fields, "slot", time());
        } else {
            fields.put("slot", "");
        }
        fields.put("prev", chance(50) ? mark("") : "");
        fields.put("took", chance(20) ? time() + " 7 - b%20c node%20two" : "");
        for (String lane : LANES) {
            for (String kind : List.of(LockRecord.MARK, LockRecord.INTERVAL, LockRecord.OWED)) {
                if (chance(60)) {
                    fields.put(kind + lane, chance(2) ? "not a mark" : mark(fields.getOrDefault("token", "")));
                }
            }
        }
        for (String nonce : NONCES) {
            if (chance(10)) {
                put(fields, LockRecord.TOMBSTONE + nonce, time());
            }
        }
        return fields;
    }

    LockRequest request() {
        String lane = one(LANES);
        JobRun run = switch (random.nextInt(5)) {
            case 0 -> JobRun.exclusive("job");
            case 1 -> JobRun.owed("job", lane, Instant.ofEpochMilli(time()));
            case 2 -> JobRun.interval("job", lane, length());
            case 3 -> JobRun.interval("job", lane, length()).countedFromEnd();
            default -> JobRun.slot("job", lane, slot());
        };
        return new LockRequest("lock", run, holder(), length(), chance(80));
    }

    Holder holder() {
        return new Holder(one(NODES), one(NONCES));
    }

    Duration length() {
        return Duration.ofMillis(one(LENGTHS));
    }

    private Slot slot() {
        Instant scheduled = Instant.ofEpochMilli(time());
        if (chance(20)) {
            return Slot.last(scheduled, chance(50) ? Instant.ofEpochMilli(time()) : null, one(DEFINITIONS));
        }
        return Slot.of(scheduled, scheduled.plus(length()), one(DEFINITIONS));
    }

    private String mark(String token) {
        long number = chance(50) && !token.isEmpty() ? Long.parseLong(token) : time();
        long next = chance(20) ? LockRecord.NEVER : chance(50) ? time() : one(LENGTHS);
        String definition = chance(10) ? "%" : Words.encode(one(DEFINITIONS));
        return new Mark(time(), next, time(), number, definition, Words.encode(one(NODES))).toString();
    }

    long time() {
        return now + one(OFFSETS);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private long one(long[] values) {
        return values[random.nextInt(values.length)];
    }

    String one(List<String> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static void put(Map<String, String> fields, String name, long value) {
        fields.put(name, Long.toString(value));
    }
}
