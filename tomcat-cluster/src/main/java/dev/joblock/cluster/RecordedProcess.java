package dev.joblock.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A process as it is written down, so that a later run can tell it from another that got the same number.
 *
 * @param name what it is
 * @param pid its number
 * @param started when it was started
 */
record RecordedProcess(String name, long pid, Instant started) {

    /** Linux counts start times from the boot, and clock corrections move what it calls the boot by a second. */
    private static final Duration INACCURACY = Duration.ofSeconds(2);

    static RecordedProcess of(String name, ProcessHandle process) {
        return new RecordedProcess(
                name, process.pid(), process.info().startInstant().orElse(Instant.EPOCH));
    }

    /** Reads what {@link #line()} wrote; empty if the line was cut short by a crash. */
    static Optional<RecordedProcess> parse(String line) {
        String[] parts = line.split(" ", -1);
        if (parts.length != 3 || !parts[1].matches("[0-9]{1,18}") || !parts[2].matches("-?[0-9]{1,18}")) {
            return Optional.empty();
        }
        return Optional.of(new RecordedProcess(
                parts[0], Long.parseLong(parts[1]), Instant.ofEpochMilli(Long.parseLong(parts[2]))));
    }

    String line() {
        return name + " " + pid + " " + started.toEpochMilli();
    }

    /** The process, if it is still there: same number and same start time. */
    Optional<ProcessHandle> find() {
        return ProcessHandle.of(pid).filter(this::isThis);
    }

    private boolean isThis(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(other -> Duration.between(started, other).abs().compareTo(INACCURACY) <= 0)
                .orElse(false);
    }
}
