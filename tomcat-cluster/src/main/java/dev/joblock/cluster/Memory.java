package dev.joblock.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says whether a cluster fits into memory. Stateless. */
final class Memory {

    /** Measured while files are loaded: 195 MB a Tomcat, 98 MB for H2, 12 MB for Redis. */
    private static final long MB_PER_NODE = 200;

    private static final long MB_BESIDE = 120;
    private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+([0-9]+) kB");

    private Memory() {}

    /**
     * What is available.
     *
     * @return megabytes, or empty where this system doesn't say (only Linux does)
     */
    static OptionalLong availableMegabytes() {
        OptionalLong machine = OptionalLong.empty();
        Matcher found = AVAILABLE.matcher(read(Path.of("/proc/meminfo")));
        if (found.find()) {
            machine = OptionalLong.of(Long.parseLong(found.group(1)) / 1024);
        }
        OptionalLong container = containerMegabytes();
        if (machine.isPresent() && container.isPresent()) {
            return OptionalLong.of(Math.min(machine.getAsLong(), container.getAsLong()));
        }
        return container.isPresent() ? container : machine;
    }

    /**
     * Refuses a cluster that doesn't fit.
     *
     * @param nodes how many Tomcats
     * @param availableMegabytes what is available
     * @throws ClusterException if that is too little
     */
    static void require(int nodes, long availableMegabytes) {
        long needed = nodes * MB_PER_NODE + MB_BESIDE;
        if (availableMegabytes < needed) {
            long fit = Math.max(0, (availableMegabytes - MB_BESIDE) / MB_PER_NODE);
            throw new ClusterException(nodes + " Tomcats, H2 and Redis need about " + needed + " MB of memory, "
                    + availableMegabytes + " MB are available. Close something"
                    + (fit > 0 ? ", or start fewer: -D" + ClusterOptions.NODES + "=" + fit : ""));
        }
    }

    /** A container's own limit, less what can't be given back: files that are only cached don't count. */
    private static OptionalLong containerMegabytes() {
        Path group = Path.of("/sys/fs/cgroup");
        String limit = read(group.resolve("memory.max")).trim();
        String used = read(group.resolve("memory.current")).trim();
        Matcher cached = Pattern.compile("(?m)^inactive_file ([0-9]+)$").matcher(read(group.resolve("memory.stat")));
        if (!limit.matches("[0-9]{1,18}") || !used.matches("[0-9]{1,18}")) {
            return OptionalLong.empty();
        }
        long free =
                Long.parseLong(limit) - Long.parseLong(used) + (cached.find() ? Long.parseLong(cached.group(1)) : 0);
        return OptionalLong.of(Math.max(0, free) / (1024 * 1024));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }
}
