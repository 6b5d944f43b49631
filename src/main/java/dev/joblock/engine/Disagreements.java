package dev.joblock.engine;

import dev.joblock.JobRun;
import dev.joblock.StoreAnswer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns once a schedule that nodes disagree about. Remembers at most a thousand of them. */
final class Disagreements {

    private static final Logger LOG = LoggerFactory.getLogger(Disagreements.class);
    private static final int MOST = 1_000;

    private final Map<String, String> told = new LinkedHashMap<String, String>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    void check(JobRun run, StoreAnswer answer) {
        if (!answer.isOtherDefinition() || !run.slot().isPresent()) {
            return;
        }
        String definition = run.slot().get().definition();
        boolean first;
        synchronized (told) {
            first = !definition.equals(told.put(run.lane(), definition));
        }
        if (first) {
            LOG.warn(
                    "Nodes disagree about the schedule of job '{}' (lane '{}'): cron, time zone or calendar differ. "
                            + "During a rolling change this passes; else make them equal on all nodes",
                    run.job(),
                    run.lane());
        }
    }
}
