package dev.joblock.cluster;

import java.util.List;
import java.util.Optional;

/** Finds in a Tomcat's log why it did not start. Stateless. */
final class LogReason {

    private static final int TAIL = 12;

    private LogReason() {}

    /**
     * Whether the log says that the application did not start. Tomcat itself goes on running then and answers 404.
     *
     * @param log the lines
     * @return true if it says so
     */
    static boolean saysFailed(List<String> log) {
        return log.stream().anyMatch(line -> line.contains("startup failed due to previous errors"));
    }

    /**
     * The reason in one line: the innermost cause of the first stack trace that has one, else the first line of grade
     * SEVERE, else the last lines.
     *
     * @param log the lines
     * @return the reason
     */
    static String of(List<String> log) {
        return innermostCause(log)
                .or(() -> log.stream().filter(line -> line.contains("SEVERE")).findFirst())
                .orElseGet(() -> log.isEmpty()
                        ? "its log is empty"
                        : String.join("\n", log.subList(Math.max(0, log.size() - TAIL), log.size())));
    }

    private static Optional<String> innermostCause(List<String> log) {
        String cause = null;
        for (String line : log) {
            String text = line.trim();
            if (text.startsWith("Caused by: ")) {
                cause = text.substring("Caused by: ".length());
            } else if (cause != null && !text.startsWith("at ") && !text.startsWith("... ")) {
                break;
            }
        }
        return Optional.ofNullable(cause);
    }
}
