package dev.joblock.cluster;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;

/** Finds programs and jars of this machine. Stateless. */
public final class Programs {

    private Programs() {}

    /**
     * Looks for a program as a shell does.
     *
     * @param name the program
     * @return where it is, or empty
     */
    public static Optional<Path> onPath(String name) {
        String path = System.getenv("PATH");
        if (path == null) {
            return Optional.empty();
        }
        for (String folder : path.split(File.pathSeparator, -1)) {
            Path file = folder.isEmpty() ? Path.of(name) : Path.of(folder, name);
            if (!folder.isEmpty() && Files.isExecutable(file) && !Files.isDirectory(file)) {
                return Optional.of(file);
            }
        }
        return Optional.empty();
    }

    /**
     * The JVM that runs this.
     *
     * @return its {@code java}
     */
    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /**
     * The jar that a class comes from.
     *
     * @param type the class
     * @return the jar
     */
    public static Path jarOf(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new ClusterException("The jar of " + type.getName() + " can't be found");
        }
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new ClusterException("The jar of " + type.getName() + " can't be found", e);
        }
    }
}
