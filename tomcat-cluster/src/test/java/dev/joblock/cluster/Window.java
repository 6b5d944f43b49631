package dev.joblock.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * A row of slots that a cron with a fixed period gives.
 *
 * @param begin the first slot
 * @param period from one to the next
 * @param slots how many
 */
public record Window(Instant begin, Duration period, int slots) {

    /** The slots whose first is the next after a moment, on the grid of a cron such as {@code 0/2 * * * * ?}. */
    public static Window after(Instant moment, Duration period, int slots) {
        long step = period.toMillis();
        return new Window(Instant.ofEpochMilli((moment.toEpochMilli() / step + 1) * step), period, slots);
    }

    /** The first moment that is no longer in it. */
    public Instant end() {
        return begin.plus(period.multipliedBy(slots));
    }

    /** Each slot with one and the same count. */
    public Map<Instant, Integer> each(int count) {
        Map<Instant, Integer> all = new TreeMap<>();
        for (int i = 0; i < slots; i++) {
            all.put(begin.plus(period.multipliedBy(i)), count);
        }
        return all;
    }
}
