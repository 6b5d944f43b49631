package dev.joblock.cluster.faults;

import dev.joblock.cluster.H2Process;
import dev.joblock.cluster.Ports;
import dev.joblock.cluster.Processes;
import dev.joblock.cluster.RunFolder;
import java.nio.file.Path;

/** What all rows share: the folder, the database that counts, and a Redis. */
final class Lab implements AutoCloseable {

    static final int WORK_MILLIS = 50;

    private final RunFolder folder;
    private final Processes processes;
    private final H2Process database;
    private final Records records;
    private final FaultRedis redis;

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
        return new FaultRedis(processes, folder.path(), name, Ports.free(1).get(0));
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
