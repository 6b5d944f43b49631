package dev.joblock.redis;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** How long a record, and what is in it, is kept: thirty days after the last thing it is needed for. */
final class Retention {

    static final long KEPT = TimeUnit.DAYS.toMillis(30);
    static final long TOMBSTONE_LIFE = TimeUnit.MINUTES.toMillis(10);

    private Retention() {}

    /** In how many ms the key of a record expires. */
    static long ttl(LockRecord record, long now) {
        long last = record.number("until");
        long tombstones = 0;
        for (Map.Entry<String, String> field : record.fields().entrySet()) {
            Mark mark = laneMark(field);
            if (mark != null) {
                last = Math.max(last, Mark.horizon(field.getKey(), mark));
            } else if (field.getKey().startsWith(LockRecord.TOMBSTONE)) {
                tombstones = Math.max(tombstones, LockRecord.number(field.getValue(), 0));
            }
        }
        return Math.max(1, Math.max(last == 0 ? 0 : last + KEPT, tombstones) - now);
    }

    /** Removes what other lanes remember longer than it is needed, and tombstones that are over. */
    static void dropOld(LockRecord record, String lane, long now, Change change) {
        for (Map.Entry<String, String> field : record.fields().entrySet()) {
            String name = field.getKey();
            Mark mark = laneMark(field);
            boolean over = mark != null
                    ? Mark.horizon(name, mark) + KEPT < now
                            && !name.substring(2).equals(lane)
                    : name.startsWith(LockRecord.TOMBSTONE) && LockRecord.number(field.getValue(), 0) < now;
            if (over && !change.toSet().containsKey(name)) {
                change.remove(name);
            }
        }
    }

    private static @Nullable Mark laneMark(Map.Entry<String, String> field) {
        String name = field.getKey();
        boolean lane = name.startsWith(LockRecord.MARK)
                || name.startsWith(LockRecord.INTERVAL)
                || name.startsWith(LockRecord.OWED);
        return lane ? Mark.parse(field.getValue()) : null;
    }
}
