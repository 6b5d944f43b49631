package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.JobRun;
import java.time.Instant;
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
        return new PairsWriter()
                .put("at", entry.at())
                .put("job", entry.job())
                .put("lock", entry.lockName().equals(entry.job()) ? "" : entry.lockName())
                .put("lane", entry.lane())
                .put("slot", entry.slot().orElse(null))
                .put("node", entry.node())
                .put("outcome", entry.outcome().name())
                .put("origin", entry.origin().name())
                .put("by", entry.by().orElse(""))
                .put("started", entry.started().orElse(null))
                .put("ended", entry.ended().orElse(null))
                .put("token", entry.fencingToken() == 0 ? "" : Long.toString(entry.fencingToken()))
                .put("reason", entry.reason().map(DenialReason::name).orElse(""))
                .put("holder", entry.holder().orElse(""))
                .put("since", entry.holderSince().orElse(null))
                .put("error", cut(entry.errorClass().orElse("")))
                .put("detail", cut(entry.detail()))
                .toString();
    }

    /** The entry, or null if it is none that this version can read. */
    static @Nullable HistoryEntry decode(String id, String text) {
        return decode(id, Pairs.parse(text));
    }

    static @Nullable HistoryEntry decode(String id, Pairs values) {
        HistoryOutcome outcome = values.constant("outcome", HistoryOutcome.class);
        String job = values.get("job");
        String node = values.get("node");
        if (outcome == null || job == null || node == null) {
            return null;
        }
        JobRun.Origin origin = values.constant("origin", JobRun.Origin.class);
        Instant at = values.instant("at");
        return HistoryEntry.builder(id, job, node, outcome)
                .at(at == null ? Instant.EPOCH : at)
                .lockName(values.get("lock", job))
                .slot(values.get("lane", ""), values.instant("slot"))
                .origin(origin == null ? JobRun.Origin.SCHEDULED : origin, values.get("by"))
                .granted(values.instant("started"), values.number("token", 0))
                .ended(values.instant("ended"))
                .denied(values.constant("reason", DenialReason.class), values.get("holder"), values.instant("since"))
                .errorClass(values.get("error"))
                .detail(values.get("detail", ""))
                .build();
    }

    private static String cut(String text) {
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
