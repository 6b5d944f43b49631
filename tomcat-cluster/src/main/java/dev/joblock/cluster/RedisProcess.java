package dev.joblock.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import redis.embedded.core.ExecutableProvider;

/**
 * The Redis of the cluster: the one at an address that the user gave, or else a process of ours, from a
 * {@code redis-server} on the path or else from the executable that embedded-redis carries.
 *
 * @param address where it listens
 * @param origin where it comes from, for people
 */
public record RedisProcess(HostPort address, String origin) {

    private static final Duration START = Duration.ofSeconds(20);
    private static final Duration POLL = Duration.ofMillis(20);

    /**
     * Looks at a Redis that is there already.
     *
     * @param address where
     * @return the Redis
     * @throws ClusterException if it does not answer
     */
    static RedisProcess at(HostPort address) {
        String way = "; start it, give another address with -D" + ClusterOptions.REDIS
                + "=host:port, or leave that out to have one started";
        try {
            String answer = RedisProbe.ping(address);
            if (!answer.equals("+PONG")) {
                throw new ClusterException("What listens at " + address + " (" + ClusterOptions.REDIS
                        + ") answers PING with '" + answer + "'" + way);
            }
        } catch (IOException e) {
            throw new ClusterException(
                    "No Redis answers at " + address + " (" + ClusterOptions.REDIS + "): " + e.getMessage() + way, e);
        }
        return new RedisProcess(address, "given by -D" + ClusterOptions.REDIS);
    }

    /**
     * Starts a Redis that keeps nothing on disk, and waits until it answers.
     *
     * @param processes where it belongs to
     * @param folder for its executable
     * @param port where it shall listen
     * @return the Redis
     */
    static RedisProcess start(Processes processes, Path folder, int port) {
        Optional<Path> installed = Programs.onPath("redis-server");
        Path program = program(folder);
        Child child = processes.start(
                "redis",
                "redis",
                List.of(
                        program.toString(),
                        "--port",
                        String.valueOf(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no",
                        "--dir",
                        folder.toString()));
        HostPort address = HostPort.loopback(port);
        Waiting.until(START, POLL, child, () -> isWell(address));
        return new RedisProcess(address, installed.map(Path::toString).orElse("carried by embedded-redis"));
    }

    /**
     * The executable: a {@code redis-server} on the path, else the one that embedded-redis carries.
     *
     * @param folder where to unpack it if need be
     * @return the executable
     */
    public static Path program(Path folder) {
        return Programs.onPath("redis-server").orElseGet(() -> unpack(folder));
    }

    private static boolean isWell(HostPort address) {
        try {
            return RedisProbe.ping(address).equals("+PONG");
        } catch (IOException e) {
            return false;
        }
    }

    private static Path unpack(Path folder) {
        try {
            Path to = Files.createDirectories(folder.resolve("redis-server"));
            return ExecutableProvider.newJarResourceProvider(to.toFile()).get().toPath();
        } catch (IOException | RuntimeException e) {
            throw new ClusterException(
                    "The Redis that embedded-redis carries can't be unpacked on this system (" + e
                            + "); install redis-server, or give an address with -D" + ClusterOptions.REDIS
                            + "=host:port",
                    e);
        }
    }
}
