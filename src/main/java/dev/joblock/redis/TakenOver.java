package dev.joblock.redis;

import dev.joblock.RecordedRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How the run that a grant took over is written in the field {@code took}: {@code since token slot lane node}. */
final class TakenOver {

    private TakenOver() {}

    static String format(@Nullable RecordedRun run) {
        if (run == null) {
            return "";
        }
        String slot = run.scheduled().map(s -> Long.toString(s.toEpochMilli())).orElse("-");
        return run.since().toEpochMilli() + " " + run.fencingToken() + " " + slot + " " + Words.encode(run.lane()) + " "
                + Words.encode(run.node());
    }

    static @Nullable RecordedRun parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 5) {
            return null;
        }
        return new RecordedRun(
                Words.decode(words[4]),
                Words.decode(words[3]),
                words[2].equals("-") ? null : Instant.ofEpochMilli(LockRecord.number(words[2], 0)),
                Instant.ofEpochMilli(LockRecord.number(words[0], 0)),
                LockRecord.number(words[1], 0));
    }
}
