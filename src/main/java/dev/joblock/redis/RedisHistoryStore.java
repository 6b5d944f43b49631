package dev.joblock.redis;

import dev.joblock.Durations;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.HistoryStore;
import dev.joblock.JobSummary;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.data.redis.core.RedisOperations;

/**
 * The ledger in Redis: <code>&lt;prefix&gt;{history}</code> with the order of the entries and
 * <code>&lt;prefix&gt;{history-entries}</code> with their texts; <code>&lt;prefix&gt;{jobs}</code> and
 * <code>&lt;prefix&gt;{job-summaries}</code> the same for jobs. Four keys, whatever their number. Never scans the key space.
 * Thread-safe.
 */
public final class RedisHistoryStore implements HistoryStore {

    private final RedisCalls redis;
    private final CappedMap entries;
    private final JobSummaries jobs;

    /**
     * A ledger.
     *
     * @param template gives the connections
     * @param prefix the first part of every key, such as {@code joblock:}
     * @param maxEntries how many entries are kept
     * @param maxAge how long they are kept, such as {@code 30d}
     */
    public RedisHistoryStore(RedisOperations<?, ?> template, String prefix, int maxEntries, String maxAge) {
        this.redis = new RedisCalls(template, prefix);
        this.entries = new CappedMap(
                redis.reserved("history"),
                redis.reserved("history-entries"),
                maxEntries,
                Durations.parsePositive("maxAge", maxAge));
        this.jobs = new JobSummaries(redis.reserved("jobs"), redis.reserved("job-summaries"));
    }

    @Override
    public void add(List<HistoryEntry> added) {
        redis.callReserved("history", (connection, key) -> {
            List<HistoryEntry> known = new ArrayList<>();
            List<CappedMap.Line> lines = new ArrayList<>();
            long now = RedisCalls.time(connection);
            for (HistoryEntry entry : added) {
                if (entry.outcome() != HistoryOutcome.ABANDONED || !entries.contains(connection, entry.id())) {
                    known.add(entry);
                    lines.add(new CappedMap.Line(entry.id(), entry.at().toEpochMilli(), HistoryCodec.encode(entry)));
                }
            }
            entries.add(connection, lines, now);
            jobs.add(connection, known, now);
            return true;
        });
    }

    @Override
    public List<JobSummary> summaries() {
        return redis.callReserved("jobs", (connection, key) -> jobs.all(connection));
    }

    @Override
    public Optional<JobSummary> summary(String job) {
        return redis.callReserved("jobs", (connection, key) -> Optional.ofNullable(jobs.get(connection, job)));
    }

    @Override
    public HistoryPage find(HistoryQuery query) {
        Cursor start = query.after().map(Cursor::parse).orElse(null);
        return redis.callReserved("history", (connection, key) -> {
            double from = query.from().map(it -> (double) it.toEpochMilli()).orElse(Double.NEGATIVE_INFINITY);
            double to =
                    query.until().map(it -> (double) (it.toEpochMilli() - 1)).orElse(Double.POSITIVE_INFINITY);
            List<HistoryEntry> found = new ArrayList<>();
            Cursor last = start;
            for (long offset = 0; ; ) {
                double down = last == null ? to : Math.min(to, (double) last.at);
                Map<String, String> chunk = entries.newest(connection, from, down, offset);
                if (chunk.isEmpty()) {
                    return new HistoryPage(found, null);
                }
                Cursor before = last;
                for (Map.Entry<String, String> line : chunk.entrySet()) {
                    HistoryEntry entry = HistoryCodec.decode(line.getKey(), line.getValue());
                    if (entry == null || (last != null && !last.isBefore(entry))) {
                        continue;
                    }
                    if (query.matches(entry)) {
                        if (found.size() == query.limit()) {
                            return new HistoryPage(found, String.valueOf(last));
                        }
                        found.add(entry);
                    }
                    last = Cursor.of(entry);
                }
                boolean moved = last != null && (before == null || last.at < before.at);
                offset = moved ? 0 : offset + chunk.size();
            }
        });
    }

    @Override
    public Instant time() {
        return redis.time();
    }

    /** A place in the order of the ledger: that of the last entry read. Immutable. */
    private static final class Cursor {
        final long at;
        private final String id;

        private Cursor(long at, String id) {
            this.at = at;
            this.id = id;
        }

        static Cursor of(HistoryEntry entry) {
            return new Cursor(entry.at().toEpochMilli(), entry.id());
        }

        static Cursor parse(String token) {
            int dot = token.indexOf('.');
            long at = LockRecord.number(token.substring(0, Math.max(0, dot)), -1);
            if (at < 0) {
                throw new IllegalArgumentException("'" + token
                        + "' is not the token of a page of the history; take what the page before said, or none");
            }
            return new Cursor(at, token.substring(dot + 1));
        }

        /** Whether an entry comes after this place: it is older, or of the same time and its id smaller byte by byte. */
        boolean isBefore(HistoryEntry entry) {
            long time = entry.at().toEpochMilli();
            return time < at || (time == at && compare(entry.id(), id) < 0);
        }

        private static int compare(String a, String b) {
            byte[] left = a.getBytes(StandardCharsets.UTF_8);
            byte[] right = b.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < Math.min(left.length, right.length); i++) {
                int difference = (left[i] & 0xFF) - (right[i] & 0xFF);
                if (difference != 0) {
                    return difference;
                }
            }
            return left.length - right.length;
        }

        @Override
        public String toString() {
            return at + "." + id;
        }
    }
}
