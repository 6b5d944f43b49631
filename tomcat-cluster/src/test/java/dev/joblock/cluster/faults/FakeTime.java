package dev.joblock.cluster.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Gives a process a clock of its own by libfaketime; what it measures by the monotonic clock stays true. Stateless. */
final class FakeTime {

    private static final String LIBRARY = "libfaketimeMT.so.1";

    private FakeTime() {}

    /** Where the library is: {@code joblock.faketime} if set, else where Debian and others put it. */
    static Optional<Path> library() {
        String given = System.getProperty("joblock.faketime", "");
        Stream<Path> places = given.isEmpty()
                ? Stream.of(
                                "/usr/lib/x86_64-linux-gnu/faketime",
                                "/usr/lib/aarch64-linux-gnu/faketime",
                                "/usr/lib64/faketime",
                                "/usr/lib/faketime",
                                "/usr/local/lib/faketime")
                        .map(folder -> Path.of(folder, LIBRARY))
                : Stream.of(Path.of(given));
        return places.filter(Files::isReadable).findFirst();
    }

    /** A clock that is off by a constant, such as {@code +1.5s} or {@code -300s}; the true one for a blank text. */
    static List<String> constant(String offset) {
        return offset.isBlank() ? List.of() : environment("FAKETIME=" + offset);
    }

    /** A clock whose offset stands in a file, and follows it at once. */
    static List<String> following(Path file) {
        List<String> more = environment("FAKETIME_TIMESTAMP_FILE=" + file);
        return Stream.concat(more.stream(), Stream.of("FAKETIME_NO_CACHE=1")).toList();
    }

    private static List<String> environment(String what) {
        // Without the last two, sleeps of a JVM stretch and a step moves its monotonic clock as well.
        return List.of(
                "LD_PRELOAD=" + library().orElseThrow(),
                what,
                "FAKETIME_DONT_FAKE_MONOTONIC=1",
                "FAKETIME_FORCE_MONOTONIC_FIX=0");
    }
}
