package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.JobRun;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the ledger as text: {@code name=word} pairs with spaces between them, see {@link Words}. Absent values are left
 * out, unknown names are passed over, so that nodes of different versions read one another.
 */
final class HistoryCodec {

    /** A sentence or class name is cut to this length. */
    private static final int LONGEST = 500;

    private HistoryCodec() {}

    static String encode(HistoryEntry entry) {
        StringBuilder text = new StringBuilder();
        put(text, "at", Long.toString(entry.at().toEpochMilli()));
        put(text, "job", entry.job());
        put(text, "lock", entry.lockName().equals(entry.job()) ? "" : entry.lockName());
        put(text, "lane", entry.lane());
        put(text, "slot", millis(entry.slot()));
        put(text, "node", entry.node());
        put(text, "outcome", entry.outcome().name());
        put(text, "origin", entry.origin().name());
        put(text, "by", entry.by().orElse(""));
        put(text, "started", millis(entry.started()));
        put(text, "ended", millis(entry.ended()));
        put(text, "token", entry.fencingToken() == 0 ? "" : Long.toString(entry.fencingToken()));
        put(text, "reason", entry.reason().map(DenialReason::name).orElse(""));
        put(text, "holder", entry.holder().orElse(""));
        put(text, "since", millis(entry.holderSince()));
        put(text, "error", cut(entry.errorClass().orElse("")));
        put(text, "detail", cut(entry.detail()));
        return text.toString();
    }

    /** The entry, or null if it is none that this version can read. */
    static @Nullable HistoryEntry decode(String id, String text) {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split(" ", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                values.put(pair.substring(0, equals), Words.decode(pair.substring(equals + 1)));
            }
        }
        HistoryOutcome outcome = constant(HistoryOutcome.class, values.get("outcome"));
        String job = values.get("job");
        String node = values.get("node");
        if (outcome == null || job == null || node == null) {
            return null;
        }
        JobRun.Origin origin = constant(JobRun.Origin.class, values.get("origin"));
        Instant at = instant(values.get("at"));
        return HistoryEntry.builder(id, job, node, outcome)
                .at(at == null ? Instant.EPOCH : at)
                .lockName(values.getOrDefault("lock", job))
                .slot(values.getOrDefault("lane", ""), instant(values.get("slot")))
                .origin(origin == null ? JobRun.Origin.SCHEDULED : origin, values.get("by"))
                .granted(instant(values.get("started")), LockRecord.number(values.getOrDefault("token", ""), 0))
                .ended(instant(values.get("ended")))
                .denied(
                        constant(DenialReason.class, values.get("reason")),
                        values.get("holder"),
                        instant(values.get("since")))
                .errorClass(values.get("error"))
                .detail(values.getOrDefault("detail", ""))
                .build();
    }

    private static void put(StringBuilder text, String name, String value) {
        if (!value.isEmpty()) {
            text.append(text.length() == 0 ? "" : " ").append(name).append('=').append(Words.encode(value));
        }
    }

    private static String millis(Optional<Instant> time) {
        return time.map(it -> Long.toString(it.toEpochMilli())).orElse("");
    }

    private static @Nullable Instant instant(@Nullable String millis) {
        long value = LockRecord.number(millis == null ? "" : millis, Long.MIN_VALUE);
        return value == Long.MIN_VALUE ? null : Instant.ofEpochMilli(value);
    }

    private static <E extends Enum<E>> @Nullable E constant(Class<E> type, @Nullable String name) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        return null;
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
