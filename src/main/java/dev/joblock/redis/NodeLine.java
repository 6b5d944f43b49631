package dev.joblock.redis;

import dev.joblock.NodeInfo;
import dev.joblock.RegisteredJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * What a node says of itself at each heartbeat: its incarnation, {@link Pairs}, and the time of the beat, with spaces between
 * them. Its jobs are a text of their own, a line each, since they are many and seldom read. Immutable.
 */
final class NodeLine {

    private final String incarnation;
    private final Pairs pairs;
    private final long beat;

    NodeLine(String incarnation, Pairs pairs, long beat) {
        this.incarnation = incarnation;
        this.pairs = pairs;
        this.beat = beat;
    }

    static NodeLine parse(String text) {
        int first = text.indexOf(' ');
        int last = text.lastIndexOf(' ');
        String incarnation = first < 0 ? text : text.substring(0, first);
        return new NodeLine(
                incarnation,
                Pairs.parse(first < last ? text.substring(first + 1, last) : ""),
                LockRecord.number(text.substring(last + 1), 0));
    }

    String incarnation() {
        return incarnation;
    }

    long beat() {
        return beat;
    }

    /** What tells the node's schedules from other schedules; empty if it has none. */
    String schedules() {
        return pairs.get("schedules", "");
    }

    /** The node's clock less Redis', beyond what the measurement may be wrong by, in ms. */
    long certainOffset() {
        long offset = pairs.number("offset", 0);
        long doubt = pairs.number("doubt", 0);
        return offset > 0 ? Math.max(0, offset - doubt) : Math.min(0, offset + doubt);
    }

    NodeInfo info(String id, String jobs, boolean alive) {
        String warnings = pairs.get("warnings", "");
        return new NodeInfo(
                id,
                pairs.get("version", ""),
                pairs.get("path", ""),
                pairs.get("host", ""),
                pairs.get("zone", ""),
                Instant.ofEpochMilli(beat),
                alive,
                pairs.get("offset") == null ? null : Duration.ofMillis(pairs.number("offset", 0)),
                (int) pairs.number("threads", 0),
                (int) pairs.number("busy", 0),
                decodeJobs(jobs),
                warnings.isEmpty() ? Collections.emptyList() : Arrays.asList(warnings.split("\n", -1)));
    }

    static String encodeJobs(List<RegisteredJob> jobs) {
        StringBuilder text = new StringBuilder();
        for (RegisteredJob job : jobs) {
            text.append(text.length() == 0 ? "" : "\n")
                    .append(new PairsWriter()
                            .put("job", job.job())
                            .put("lock", job.lockName().equals(job.job()) ? "" : job.lockName())
                            .put("trigger", job.trigger())
                            .put("schedule", job.schedule())
                            .put("zone", job.zone())
                            .put("guarded", job.isGuarded() ? "1" : "")
                            .put("next", job.next().orElse(null))
                            .put("previous", job.previous().orElse(null)));
        }
        return text.toString();
    }

    static List<RegisteredJob> decodeJobs(String text) {
        List<RegisteredJob> jobs = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Pairs job = Pairs.parse(line);
            String jobName = job.get("job");
            if (jobName != null) {
                String lockName = job.get("lock", jobName);
                jobs.add(new RegisteredJob(
                        jobName,
                        lockName,
                        job.get("trigger", ""),
                        job.get("schedule", ""),
                        job.get("zone", ""),
                        job.get("guarded") != null,
                        job.instant("next"),
                        job.instant("previous")));
            }
        }
        return jobs;
    }

    @Override
    public String toString() {
        return (incarnation + " " + pairs).trim() + " " + beat;
    }
}
