package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import redis.clients.jedis.Jedis;

/** One real Tomcat that runs an application twice, in two versions, or anew: a slot still runs once, and nothing is left behind. */
class RedeployIT {

    private static final Duration PERIOD = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** In the lines in which Tomcat says what an application has left behind. */
    private static final List<String> LEAKS = List.of("appears to have started a thread", "ThreadLocal", "memory leak");

    private static final String[] THREADS = {"joblock", "SchedulerFactoryBean"};

    /** Of these each application has a fixed number; the others come when they are needed, and have the node's id in their names. */
    private static final String[] FIXED_THREADS = {"joblock-history", "joblock-presence", "SchedulerFactoryBean"};

    private Processes processes;
    private RedisProcess redis;
    private GuestTomcat tomcat;
    private GuestSlots slots;

    @BeforeEach
    void startRedisAndATomcatWithoutApplications(TestInfo test) throws IOException {
        Layout layout = Layout.from(
                System.getProperties(),
                "redeploy-it/" + test.getTestMethod().orElseThrow().getName());
        processes = new Processes(RunFolder.take(layout.run()));
        List<Integer> ports = Ports.free(2);
        redis = RedisProcess.start(processes, layout.run(), ports.get(0));
        slots = new GuestSlots(layout.run().resolve("slots"));
        tomcat = GuestTomcat.start(
                processes,
                layout,
                ports.get(1),
                Map.of(
                        "guest.file",
                        layout.run().resolve("slots").toString(),
                        "joblock.redis.port",
                        String.valueOf(redis.address().port()),
                        "joblock.redis.pool.max-idle", // so that a pool at rest is one client
                        "1"));
    }

    @AfterEach
    void stop() {
        if (processes != null) {
            processes.close();
        }
    }

    @Test
    void anApplicationDeployedTwiceRunsEachSlotOnceUnderTwoNodeIds() throws IOException {
        tomcat.deploy("shop");
        tomcat.deploy("Shop");
        Window window = Window.after(Instant.now().plus(PERIOD), PERIOD, 10);
        awaitAnswers(window, "shop", "Shop");

        say("runs " + slots.runsByApplication(window) + ", nodes " + slots.nodes());
        assertThat(slots.runs(window)).isEqualTo(window.each(1));
        assertThat(slots.denials(window)).isEqualTo(window.each(1));
        assertThat(slots.nodes())
                .containsOnlyKeys("shop", "Shop")
                .allSatisfy((application, ids) -> assertThat(ids).hasSize(1));
        assertThat(slots.nodes().get("shop")).doesNotContainAnyElementsOf(nodes("Shop"));
    }

    @Test
    void twoVersionsRunEachSlotOnceAndTheOldOneGoesWithoutATrace() throws IOException {
        tomcat.deploy("shop##001");
        tomcat.deploy("shop##002");
        Window both = Window.after(Instant.now().plus(PERIOD), PERIOD, 10);
        awaitAnswers(both, "shop##001", "shop##002");
        assertThat(slots.denials(both)).isEqualTo(both.each(1));

        tomcat.undeploy("shop##001");
        Window after = Window.after(Instant.now().plus(PERIOD), PERIOD, 5);
        awaitAnswers(after, "shop##002");

        Window all = between(both.begin(), after.end());
        awaitAnswers(all, "shop##002");
        say("runs of " + all.slots() + " slots " + slots.runsByApplication(all) + ", nodes " + slots.nodes());
        assertThat(slots.runs(all)).isEqualTo(all.each(1));
        assertThat(slots.of("shop##001", after)).isEmpty();
        assertThat(nodes("shop##001")).hasSize(1).doesNotContainAnyElementsOf(nodes("shop##002"));
        assertNoLeak();
    }

    @Test
    void fiveRedeploysLeaveNothingBehindAndCostNoSlot() throws IOException {
        tomcat.deploy("Shop");
        tomcat.deploy("shop");
        Window before = Window.after(Instant.now().plus(PERIOD), PERIOD, 3);
        awaitAnswers(before, "shop", "Shop");
        awaitClients(2);
        List<String> threads = tomcat.threads(FIXED_THREADS);
        awaitLoaders(2, 2);

        Window last = before;
        for (int i = 1; i <= 5; i++) {
            String[] gone = nodes("shop").toArray(String[]::new);
            tomcat.deploy("shop");
            last = Window.after(Instant.now().plus(PERIOD), PERIOD, 3);
            awaitAnswers(last, "shop", "Shop");
            assertThat(slots.runs(last)).as("redeploy " + i).isEqualTo(last.each(1));
            awaitClients(2);
            assertThat(nodes("shop")).as("redeploy " + i).hasSize(1 + i);
            awaitNoThreads(gone);
            assertThat(tomcat.threads(FIXED_THREADS)).as("redeploy " + i).isEqualTo(threads);
            awaitLoaders(2, 2);
        }

        Window all = between(before.begin(), last.end());
        awaitAnswers(all, "Shop");
        say("runs of " + all.slots() + " slots " + slots.runsByApplication(all));
        assertThat(slots.runs(all)).isEqualTo(all.each(1));

        tomcat.undeploy("shop");
        tomcat.undeploy("Shop");
        awaitClients(0);
        awaitNoThreads(THREADS);
        // The JDK keeps the one whose record was compared last (ObjectMethods.OBJECT_EQ), here a record of Spring's.
        awaitLoaders(0, 1);
        assertNoLeak();
    }

    @Test
    void aRedisThatDoesNotAnswerHoldsUpTheStopForLessThan30Seconds() throws IOException, InterruptedException {
        tomcat.deploy("shop");
        Window window = Window.after(Instant.now().plus(PERIOD), PERIOD, 3);
        awaitAnswers(window, "shop");
        assertThat(slots.runs(window)).isEqualTo(window.each(1));

        Instant begin;
        signalRedis("STOP");
        try {
            Window down = Window.after(Instant.now(), PERIOD, 1);
            awaitAnswers(down, "shop");
            assertThat(slots.denials(down)).as("store down").isEqualTo(down.each(1));
            begin = Instant.now();
            tomcat.undeploy("shop");
        } finally {
            signalRedis("CONT");
        }
        Duration taken = Duration.between(begin, Instant.now());
        say("stopped after " + taken.toMillis() + " ms");
        assertThat(taken).isLessThan(Duration.ofSeconds(30));
        awaitClients(0);
        awaitNoThreads(THREADS);
        assertNoLeak();
    }

    private Set<String> nodes(String application) {
        return slots.nodes().getOrDefault(application, Set.of());
    }

    private static Window between(Instant begin, Instant end) {
        return new Window(begin, PERIOD, (int) Duration.between(begin, end).dividedBy(PERIOD));
    }

    /** Waits until each of the applications has run or been denied each slot. */
    private void awaitAnswers(Window window, String... applications) {
        Duration most = PATIENCE.plus(PERIOD.multipliedBy(window.slots()));
        for (String application : applications) {
            await(application + " has answered")
                    .atMost(most)
                    .untilAsserted(
                            () -> assertThat(slots.of(application, window)).isEqualTo(window.each(1)));
        }
    }

    private void awaitClients(int count) {
        await("Redis clients")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(clients()).hasSize(count));
    }

    private void awaitNoThreads(String... words) {
        await("threads")
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(tomcat.threads(words)).isEmpty());
    }

    /** Waits until so many applications are left in the memory. */
    private void awaitLoaders(long least, long most) {
        await("class loaders")
                .atMost(PATIENCE)
                .pollInterval(PERIOD)
                .untilAsserted(() -> assertThat(tomcat.loaders()).isBetween(least, most));
    }

    /** The clients of Redis but for this one. */
    private List<String> clients() {
        try (Jedis jedis = new Jedis(redis.address().host(), redis.address().port())) {
            String own = "id=" + jedis.clientId() + " ";
            return jedis.clientList()
                    .lines()
                    .filter(line -> !line.startsWith(own))
                    .toList();
        }
    }

    private void signalRedis(String signal) throws IOException, InterruptedException {
        Child child = processes.all().get(0);
        int exit = new ProcessBuilder(
                        "kill", "-" + signal, String.valueOf(child.handle().pid()))
                .inheritIO()
                .start()
                .waitFor();
        assertThat(exit).isZero();
    }

    private void assertNoLeak() {
        assertThat(tomcat.log()).noneMatch(line -> LEAKS.stream().anyMatch(line::contains));
    }

    private static void say(String text) {
        System.out.println("RedeployIT: " + text);
    }
}
