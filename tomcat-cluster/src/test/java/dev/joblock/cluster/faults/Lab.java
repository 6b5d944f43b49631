package dev.joblock.cluster.faults;

import dev.joblock.cluster.H2Process;
import dev.joblock.cluster.Ports;
import dev.joblock.cluster.Processes;
import dev.joblock.cluster.RunFolder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** What all rows share: the folder, the database that counts, and a Redis. */
final class Lab implements AutoCloseable {

    static final int WORK_MILLIS = 50;

    private final RunFolder folder;
    private final Processes processes;
    private final H2Process database;
    private final Records records;
    private final FaultRedis redis;
    private final Set<Integer> ports = new HashSet<>();

    Lab() {
        folder = RunFolder.take(Path.of(System.getProperty("joblock.cluster.run", "target/run"), "faults-it")
                .toAbsolutePath());
        processes = new Processes(folder);
        try {
            database = H2Process.start(processes, folder.path(), Ports.free(1).get(0));
            records = new Records(database.jdbcUrl());
            redis = newRedis("redis");
            calm();
        } catch (RuntimeException e) {
            processes.close();
            throw e;
        }
    }

    Processes processes() {
        return processes;
    }

    Path folder() {
        return folder.path();
    }

    String jdbcUrl() {
        return database.jdbcUrl();
    }

    Records records() {
        return records;
    }

    FaultRedis redis() {
        return redis;
    }

    /** Another Redis, not started. */
    FaultRedis newRedis(String name) {
        return new FaultRedis(processes, folder.path(), name, lastingPort());
    }

    /** Below the ports that the system gives to clients, and given once, so that nobody takes it while its server is down. */
    private int lastingPort() {
        for (int attempt = 0; attempt < 200; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            if (!ports.add(port)) {
                continue;
            }
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException e) {
                // In use: the next one, then.
            }
        }
        throw new IllegalStateException("no free port from 20000 to 32000");
    }

    /** Every job does its short work, and starts at once. */
    void calm() {
        Mode.ALL.forEach(job -> records.plan(job, WORK_MILLIS, 0));
        records.plan(Mode.UNGUARDED, 0, 0);
    }

    @Override
    public void close() {
        records.close();
        processes.close();
    }
}
