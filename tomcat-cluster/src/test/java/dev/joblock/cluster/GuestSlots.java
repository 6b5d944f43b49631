package dev.joblock.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What the applications of a {@link GuestTomcat} wrote about their slots. */
final class GuestSlots {

    /** What became of a slot in one application. */
    record Answer(boolean ran, Instant slot, String application, String node) {}

    private final Path file;

    GuestSlots(Path file) {
        this.file = file;
    }

    /** By slot, how many runs. */
    Map<Instant, Integer> runs(Window window) {
        return count(window, Answer::ran);
    }

    /** By slot, how many denials. */
    Map<Instant, Integer> denials(Window window) {
        return count(window, answer -> !answer.ran());
    }

    /** By slot, how many answers of one application. */
    Map<Instant, Integer> of(String application, Window window) {
        return count(window, answer -> answer.application().equals(application));
    }

    /** By application, the ids of its nodes. */
    Map<String, Set<String>> nodes() {
        Map<String, Set<String>> all = new TreeMap<>();
        for (Answer answer : answers()) {
            all.computeIfAbsent(answer.application(), name -> new TreeSet<>()).add(answer.node());
        }
        return all;
    }

    /** By application, how many runs. */
    Map<String, Integer> runsByApplication(Window window) {
        Map<String, Integer> all = new TreeMap<>();
        for (Answer answer : answers()) {
            if (answer.ran() && isIn(window, answer)) {
                all.merge(answer.application(), 1, Integer::sum);
            }
        }
        return all;
    }

    private Map<Instant, Integer> count(Window window, Predicate<Answer> which) {
        Map<Instant, Integer> all = new TreeMap<>();
        answers().stream()
                .filter(answer -> isIn(window, answer) && which.test(answer))
                .forEach(answer -> all.merge(answer.slot(), 1, Integer::sum));
        return all;
    }

    private static boolean isIn(Window window, Answer answer) {
        return !answer.slot().isBefore(window.begin()) && answer.slot().isBefore(window.end());
    }

    private List<Answer> answers() {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> line.split("\t", -1))
                            .filter(parts -> parts.length == 4)
                            .map(parts ->
                                    new Answer(parts[0].equals("ran"), Instant.parse(parts[1]), parts[2], parts[3]))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
