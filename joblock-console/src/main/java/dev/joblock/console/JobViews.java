package dev.joblock.console;

import dev.joblock.JobLockPolicy;
import dev.joblock.JobState;
import dev.joblock.JobSummary;
import dev.joblock.NodeInfo;
import dev.joblock.RecordedRun;
import dev.joblock.RegisteredJob;
import dev.joblock.console.Fires.Fire;
import dev.joblock.console.Views.Cell;
import dev.joblock.console.Views.JobView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/** The jobs of a snapshot, in the order of their names. */
final class JobViews {

    private static final int LAST = 12;
    private static final int WHOLE = 100;

    private final Snapshot snapshot;
    private final Words words;
    private final Map<String, JobState> states;
    private final SortedMap<String, List<RegisteredJob>> registered = new TreeMap<>();

    JobViews(Snapshot snapshot, Words words) {
        this.snapshot = snapshot;
        this.words = words;
        this.states = new TreeMap<>();
        for (JobState state : snapshot.states()) {
            states.put(state.job(), state);
            registered.put(state.job(), new ArrayList<>());
        }
        for (NodeInfo node : snapshot.nodes()) {
            if (node.isAlive()) {
                node.jobs()
                        .forEach(job -> registered
                                .computeIfAbsent(job.job(), name -> new ArrayList<>())
                                .add(job));
            }
        }
    }

    /** All jobs, each with its last fires. */
    List<JobView> all(List<Fire> fires) {
        List<JobView> views = new ArrayList<>();
        for (String job : registered.keySet()) {
            views.add(view("job-" + views.size(), job, states.get(job), fires));
        }
        return views;
    }

    JobView one(String job, @Nullable JobState state, List<Fire> fires) {
        return view("job", job, state, fires);
    }

    /** The query of a job's addresses. */
    static String query(String job) {
        return "name=" + UriUtils.encode(job, StandardCharsets.UTF_8);
    }

    private JobView view(String key, String job, @Nullable JobState state, List<Fire> fires) {
        List<RegisteredJob> here = registered.getOrDefault(job, List.of());
        Optional<RecordedRun> run =
                Optional.ofNullable(state).flatMap(it -> it.lock().run());
        Optional<JobSummary> runs = Optional.ofNullable(state).flatMap(JobState::runs);
        Optional<Instant> next = here.stream().flatMap(it -> it.next().stream()).min(Comparator.naturalOrder());
        Optional<Duration> left = Optional.ofNullable(state)
                .flatMap(it -> it.lock().until())
                .map(until -> Duration.between(snapshot.now(), until))
                .filter(rest -> !rest.isNegative());
        JobLockPolicy policy = snapshot.policies().get(job);
        return new JobView(
                key,
                job,
                query(job),
                state != null || here.stream().anyMatch(RegisteredJob::isGuarded),
                policy == null ? "" : policy.mode().toString(),
                state == null || state.lock().lockName().equals(job)
                        ? ""
                        : state.lock().lockName(),
                here.stream().map(JobViews::schedule).distinct().sorted().toList(),
                next.map(this::next).orElse(""),
                next.filter(this::isAhead).map(words::relative).orElse(""),
                run.isPresent(),
                run.map(RecordedRun::node).orElse(""),
                run.map(it -> words.since(it.since())).orElse(""),
                left.map(words::duration).orElse(""),
                left.map(rest -> percent(rest, policy)).orElse(0),
                state == null ? "" : state.lock().problem().orElse(""),
                run.isPresent()
                        || (state != null && state.lock().valueWithoutExpiry().isPresent()),
                runs.map(JobSummary::consecutiveFailures).orElse(0),
                runs.filter(it -> it.consecutiveFailures() > 0)
                        .flatMap(JobSummary::lastError)
                        .orElse(""),
                last(job, runs, fires));
    }

    /** As the nodes said with their last heartbeat, since when a frequent job may have fired. */
    private String next(Instant time) {
        return isAhead(time) ? words.time(time) : words.text("jobs.due");
    }

    private boolean isAhead(Instant time) {
        return time.isAfter(snapshot.now());
    }

    private static String schedule(RegisteredJob job) {
        return job.zone().isEmpty() ? job.schedule() : job.schedule() + " · " + job.zone();
    }

    private static int percent(Duration left, @Nullable JobLockPolicy policy) {
        long whole = policy == null ? 0 : policy.lease().toMillis();
        return whole == 0 ? 0 : (int) Math.min(WHOLE, left.toMillis() * WHOLE / whole);
    }

    private List<Cell> last(String job, Optional<JobSummary> runs, List<Fire> fires) {
        List<Cell> cells = new ArrayList<>();
        for (Fire fire : fires) {
            if (fire.job().equals(job)) {
                Mark mark = fire.mark();
                cells.add(new Cell(mark.css(), mark.sign(), words.time(fire.time()) + " " + words.mark(mark)));
            }
        }
        if (cells.isEmpty()) { // longer ago than the newest entries go
            runs.ifPresent(it -> {
                Mark mark = Mark.of(it.outcome());
                cells.add(new Cell(mark.css(), mark.sign(), words.time(it.at()) + " " + words.mark(mark)));
            });
        }
        return cells.subList(Math.max(0, cells.size() - LAST), cells.size());
    }
}
