package dev.joblock.cluster.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import redis.clients.jedis.exceptions.JedisException;

/** A master, a replica, and three Sentinels that watch them. */
final class Sentinels {

    static final String MASTER = "jobs";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FaultRedis master;
    private final FaultRedis replica;
    private final List<FaultRedis> sentinels = new ArrayList<>();

    Sentinels(Lab lab, String name) {
        master = lab.newRedis(name + "-master");
        replica = lab.newRedis(name + "-replica");
        for (int i = 1; i <= 3; i++) {
            sentinels.add(lab.newRedis(name + "-sentinel" + i));
        }
    }

    /** Starts all five, and waits until each Sentinel knows the others and the replica. */
    void start() {
        master.start("--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0");
        replica.start(
                "--replicaof", "127.0.0.1", String.valueOf(master.address().port()));
        awaitReplica(); // a Sentinel asks the master for its replicas at once, and then each ten seconds
        for (FaultRedis sentinel : sentinels) {
            sentinel.startSentinel(List.of(
                    "sentinel monitor " + MASTER + " 127.0.0.1 "
                            + master.address().port() + " 2",
                    "sentinel down-after-milliseconds " + MASTER + " 1000",
                    "sentinel failover-timeout " + MASTER + " 3000"));
        }
        await("Sentinels that know each other")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(JedisException.class)
                .untilAsserted(() -> assertThat(states()).allMatch(Sentinels::knowsAll));
    }

    FaultRedis master() {
        return master;
    }

    FaultRedis replica() {
        return replica;
    }

    /** Where the Sentinels are, with commas between them. */
    String addresses() {
        return sentinels.stream().map(sentinel -> sentinel.address().toString()).collect(Collectors.joining(","));
    }

    /** Waits until the replica has all that the master has written by now. */
    void awaitReplica() {
        long written = number(master.call("INFO", "replication"), "master_repl_offset");
        await("the replica").atMost(PATIENCE).pollInterval(Duration.ofMillis(5)).until(() -> {
            String info = replica.call("INFO", "replication");
            return info.contains("master_link_status:up") && number(info, "slave_repl_offset") >= written;
        });
    }

    /** Ends the replication without a word to Sentinel, which would put it right after eight seconds. */
    void cutReplicaOff() {
        replica.call("REPLICAOF", "127.0.0.1", "1");
    }

    /** Waits until the replica is the master. */
    void awaitFailover() {
        await("fail-over")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(20))
                .ignoreExceptionsInstanceOf(JedisException.class) // a server that changes its role drops its clients
                .until(() -> replica.call("INFO", "replication").contains("role:master"));
    }

    /** Waits until all Sentinels tell their clients of the new master. */
    void awaitSwitch() {
        String port = String.valueOf(replica.address().port());
        await("the news of the fail-over")
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .ignoreExceptionsInstanceOf(JedisException.class)
                .until(() -> sentinels.stream()
                        .allMatch(sentinel -> sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER)
                                .endsWith(port)));
    }

    private List<String> states() {
        return sentinels.stream()
                .map(sentinel -> sentinel.call("SENTINEL", "MASTER", MASTER))
                .toList();
    }

    private static boolean knowsAll(String state) {
        return state.contains("num-slaves 1 ") && state.contains("num-other-sentinels 2 ");
    }

    private static long number(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .mapToLong(
                        line -> Long.parseLong(line.substring(name.length() + 1).strip()))
                .findFirst()
                .orElse(-1);
    }
}
