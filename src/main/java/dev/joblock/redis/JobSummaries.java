package dev.joblock.redis;

import dev.joblock.HistoryEntry;
import dev.joblock.JobSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * What is remembered of each job's runs. Read and written back by the node that had the run, a moment after it; the runs of a
 * job exclude one another, and a run is counted once by its token. Thread-safe.
 */
final class JobSummaries {

    private static final int MOST = 10_000;
    private static final Duration OLDEST = Duration.ofDays(366);

    private final CappedMap texts;

    JobSummaries(byte[] index, byte[] texts) {
        this.texts = new CappedMap(index, texts, MOST, OLDEST);
    }

    /** Adds those of the entries that are runs. */
    void add(RedisConnection connection, List<HistoryEntry> entries, long now) {
        List<HistoryEntry> runs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (HistoryEntry entry : entries) {
            if (entry.outcome().isRun()) {
                runs.add(entry);
                names.add(entry.job());
            }
        }
        Map<String, JobSummary> changed = new HashMap<>();
        texts.get(connection, names).forEach((job, text) -> {
            JobSummary before = decode(job, text);
            if (before != null) {
                changed.put(job, before);
            }
        });
        runs.forEach(run -> changed.put(run.job(), JobSummary.with(changed.get(run.job()), run)));
        List<CappedMap.Line> lines = new ArrayList<>();
        changed.forEach(
                (job, summary) -> lines.add(new CappedMap.Line(job, summary.at().toEpochMilli(), encode(summary))));
        texts.add(connection, lines, now);
    }

    @Nullable
    JobSummary get(RedisConnection connection, String job) {
        String text = texts.get(connection, Collections.singleton(job)).get(job);
        return text == null ? null : decode(job, text);
    }

    List<JobSummary> all(RedisConnection connection) {
        List<JobSummary> all = new ArrayList<>();
        long offset = 0;
        while (true) {
            Map<String, String> chunk =
                    texts.newest(connection, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, offset);
            if (chunk.isEmpty()) {
                return all;
            }
            chunk.forEach((job, text) -> {
                JobSummary summary = decode(job, text);
                if (summary != null) {
                    all.add(summary);
                }
            });
            offset += chunk.size();
        }
    }

    private static String encode(JobSummary summary) {
        return new PairsWriter()
                .put("lock", summary.lockName())
                .put("token", summary.fencingToken())
                .put("outcome", summary.outcome().name())
                .put("node", summary.node())
                .put("at", summary.at())
                .put("slot", summary.slot().orElse(null))
                .put("success", summary.lastSuccess().orElse(null))
                .put("failure", summary.lastFailure().orElse(null))
                .put("why", summary.lastError().orElse(""))
                .put("failures", summary.consecutiveFailures())
                .toString();
    }

    private static @Nullable JobSummary decode(String job, String text) {
        Pairs pairs = Pairs.parse(text).put("job", job);
        HistoryEntry last = HistoryCodec.decode("", pairs);
        return last == null
                ? null
                : JobSummary.of(last, pairs.instant("success"), pairs.instant("failure"), pairs.get("why"), (int)
                        pairs.number("failures", 0));
    }
}
