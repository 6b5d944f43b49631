package dev.joblock.redis;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.LockRequest;
import dev.joblock.StoreFault;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The hash of a hand-written lock, as one step found it, and what the step writes to it. */
abstract class LegacyBeside implements Beside {

    /** What our lock remembers of what it wrote there: numbers with spaces between them. */
    static final String REMEMBERED = "legacy";

    final String key;
    final Map<String, String> fields;
    final Change change = new Change();
    private boolean denied;

    LegacyBeside(String key, Map<String, String> fields) {
        this.key = key;
        this.fields = fields;
    }

    @Override
    public final @Nullable Denied denies(LockRecord record, LockRequest request, long now) {
        Denied why = decide(record, request, now);
        denied = why != null;
        return why;
    }

    abstract @Nullable Denied decide(LockRecord record, LockRequest request, long now);

    boolean hasDenied() {
        return denied;
    }

    /** In how many ms the key expires, after a change; 0: never. */
    long ttl() {
        return 0;
    }

    /** As many numbers as the layout remembers, as they were written; null if there is none. */
    static String @Nullable [] remembered(LockRecord record, int count) {
        String[] words = record.text(REMEMBERED).split(" ", -1);
        for (String word : words) {
            if (!word.matches("[0-9]+")) {
                return null;
            }
        }
        return words.length == count ? words : null;
    }

    static boolean isTime(String text) {
        return text.matches("[0-9]{1,15}");
    }

    Denied denied(DenialReason reason, long since, @Nullable Long until) {
        return Denied.byLegacy(
                reason, key, Instant.ofEpochMilli(since), until == null ? null : Instant.ofEpochMilli(until));
    }

    static Denied strange(String what, String key, String field) {
        return Denied.storeDown(
                StoreFault.FOREIGN_VALUE,
                what.equals("interval")
                        ? "the interval of the older version of the lock is no number of minutes (key '" + key
                                + "', field '" + field
                                + "'); correct it, or legacyIntervalKey and legacyIntervalField, or set legacyInterval"
                        : "the older version of the lock (key '" + key
                                + "') has nothing that can be read in its field '" + field
                                + "'; let legacyKey and legacyField say what the old code writes");
    }

    static String abandonedNode(String key) {
        return "an older version of the lock (key '" + key + "')";
    }
}
