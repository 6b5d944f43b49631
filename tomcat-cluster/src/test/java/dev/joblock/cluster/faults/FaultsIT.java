package dev.joblock.cluster.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.faults.Records.Held;
import dev.joblock.cluster.faults.Records.Run;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import redis.clients.jedis.exceptions.JedisException;

/** Faults that come from outside, on four processes and a real Redis; a test is a row of the table in docs/faults.md. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsIT extends FaultSuite {

    private static final Duration LEASE = Fleet.LEASE;
    private static final Duration PHASE = Duration.ofSeconds(2);

    @Test
    @Order(10)
    void withoutAnyFaultEachSlotRunsOnce() {
        Account account = row(direct(), form.steadySlots()).settle();
        report("none, equal clocks", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    // The holder.

    @Test
    @Order(20)
    void aHolderThatIsHaltedPastItsLeaseIsToldAndItsWriteRefused() {
        Fleet nodes = direct();
        Row row = row(nodes, slotsIn(Duration.ofSeconds(15)));
        List<String> found = new ArrayList<>();
        for (String job : Mode.ALL) {
            Run victim = longRun(row, job, Duration.ofSeconds(1));
            Node node = nodes.node(victim.node());
            node.halt();
            Run next = row.awaitRun(
                    "a run of another node that has written",
                    run -> run.job().equals(job)
                            && run.started() > victim.started()
                            && !run.node().equals(victim.node())
                            && run.written().equals("ok"));
            node.goOn();
            Run late = row.awaitRun("the end of the halted run", run -> run.id() == victim.id() && run.ended() != null);
            found.add(job + ": next run after " + seconds(next.started() - victim.started()) + " s, told " + late.told()
                    + ", its write " + late.written() + ";");
        }
        Account account = row.settle();
        report("holder halted (SIGSTOP) past its lease in the job, continued; 3 times", account, found);
        assertOnce(account);
        assertThat(found).allMatch(text -> text.contains("told true") && text.contains("its write stale"));
    }

    @Test
    @Order(30)
    void aPauseBetweenGrantAndStartGivesNoSecondRun() {
        Account account = pauseBetweenGrantAndStart(Duration.ofMillis(1_500), Duration.ofSeconds(9));
        report("node halted for 1.5 s between grant and start; 3 times", account);
        assertOnce(account);
    }

    @Test
    @Order(31)
    void aPauseBetweenGrantAndStartBeyondTheLeaseGivesNoSecondRunOfTheSlot() {
        Account account = pauseBetweenGrantAndStart(LEASE.plusSeconds(2), Duration.ofSeconds(19));
        report("node halted for lease + 2 s between grant and start; 3 times", account);
        assertOnce(account);
    }

    private Account pauseBetweenGrantAndStart(Duration pause, Duration all) {
        Fleet nodes = direct();
        Row row = row(nodes, slotsIn(all));
        for (String job : Mode.ALL) {
            lab().records().plan(job, Lab.WORK_MILLIS, 300);
            long since = System.nanoTime();
            Held held = await("a start of " + job + " that is held up")
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> lab().records().atGate(job, since), list -> !list.isEmpty())
                    .get(0);
            Node node = nodes.node(held.node());
            node.halt();
            lab().calm();
            Span.last(pause);
            node.goOn();
            row.awaitRun(
                    "the run that was held up",
                    run -> run.job().equals(job)
                            && run.slot() == held.slot()
                            && run.node().equals(held.node()));
        }
        return row.settle();
    }

    @Test
    @Order(40)
    void aKilledHolderCostsItsRunAndTheRestOfItsLease() {
        Fleet nodes = direct();
        Row row = row(nodes, slotsIn(Duration.ofSeconds(20)));
        List<String> found = new ArrayList<>();
        List<Duration> pauses = new ArrayList<>();
        List<Run> victims = new ArrayList<>();
        for (String job : Mode.ALL) {
            Run victim = longRun(row, job, Duration.ofSeconds(20));
            Node node = nodes.node(victim.node());
            row.kill(node);
            long killed = System.nanoTime();
            Run next = row.awaitRun("the next run", run -> run.job().equals(job) && run.started() > killed);
            pauses.add(Duration.ofNanos(next.started() - killed));
            found.add(job + ": next run " + seconds(next.started() - killed) + " s after the kill;");
            victims.add(victim);
            nodes.restart(node);
        }
        Account account = row.settle();
        report("holder killed (SIGKILL) in mid-run, lease 3 s; 3 times", account, found);
        assertOnce(account);
        assertThat(pauses)
                .allSatisfy(pause ->
                        assertThat(pause).isLessThan(LEASE.plus(form.period()).plusSeconds(1)));
        assertThat(victims).as("recorded abandoned, once").allMatch(victim -> account.abandoned(victim) == 1);
    }

    @Test
    @Order(90)
    void aKilledHolderIsRunAgainByOneSurvivorWhereItsJobAsksForThat() {
        Fleet nodes = rerunning();
        Row row = row(nodes, slotsIn(Duration.ofSeconds(20)));
        List<String> found = new ArrayList<>();
        List<Duration> pauses = new ArrayList<>();
        for (String job : Mode.ALL) {
            Run victim = longRun(row, job, Duration.ofSeconds(20));
            Node node = nodes.node(victim.node());
            row.kill(node);
            long killed = System.nanoTime();
            Run again = row.awaitRun(
                    "the same slot on another node",
                    run -> run.job().equals(job) && run.slot() == victim.slot() && run.id() != victim.id());
            pauses.add(Duration.ofNanos(again.started() - killed));
            found.add(job + ": run again " + seconds(again.started() - killed) + " s after the kill;");
            nodes.restart(node);
        }
        Account account = row.settle();
        found.add("the killed runs are counted beside their reruns: at least once, by choice.");
        report("holder killed in mid-run, with `rerun`; 3 times", account, found);
        for (String job : Mode.ALL) {
            assertThat(account.doublesOfLiveNodes(job))
                    .as("slots of " + job + " that ended twice")
                    .isZero();
            assertThat(account.overlaps(job))
                    .as("valid leases of " + job + " at once")
                    .isZero();
        }
        assertThat(pauses).allSatisfy(pause -> assertThat(pause).isLessThan(LEASE.plusSeconds(2)));
    }

    // Redis: asked to misbehave.

    @Test
    @Order(50)
    void aScriptCacheThatIsFlushedAgainAndAgainCostsNothing() {
        Row row = row(direct(), form.slots());
        row.repeat(Duration.ofMillis(50), () -> redis().call("SCRIPT", "FLUSH"));
        Account account = row.settle();
        report("SCRIPT FLUSH every 50 ms", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    @Test
    @Order(51)
    void connectionsThatAreKilledAgainAndAgainGiveNoSecondRun() {
        Row row = row(direct(), form.slots());
        row.repeat(Duration.ofMillis(150), () -> redis().call("CLIENT", "KILL", "TYPE", "normal"));
        Account account = row.settle();
        report("CLIENT KILL TYPE normal every 150 ms", account);
        assertOnce(account);
    }

    @Test
    @Order(52)
    void aServerThatIsBusyBeyondTheTimeOutCostsTheFiresOfThatTime() {
        Row row = row(direct(), form.slots());
        List<Span> faults = new ArrayList<>();
        for (int slot = 2; slot < form.slots() - 4; slot += 5) {
            row.awaitSlot(slot);
            faults.add(Span.of(Duration.ZERO, () -> redis().call("DEBUG", "SLEEP", "1.5"), () -> {}));
        }
        Account account = row.settle();
        report("DEBUG SLEEP 1.5 (time-out 1 s)", account);
        assertOnce(account);
        assertMissedOnlyIn(account, faults);
    }

    @Test
    @Order(60)
    void aReadOnlyServerCostsTheFiresOfThatTime() {
        refusals(
                "READONLY",
                "READONLY",
                () -> redis().call("REPLICAOF", "127.0.0.1", "1"),
                () -> redis().call("REPLICAOF", "NO", "ONE"));
    }

    @Test
    @Order(61)
    void aFullServerCostsTheFiresOfThatTime() {
        refusals(
                "OOM",
                "OOM",
                () -> redis().call("CONFIG", "SET", "maxmemory", "1"),
                () -> redis().call("CONFIG", "SET", "maxmemory", "0"));
    }

    @Test
    @Order(62)
    void aServerThatCanNotSaveCostsTheFiresOfThatTime() {
        refusals("MISCONF", "MISCONF", this::breakSaving, () -> {
            redis().call("CONFIG", "SET", "save", "");
            redis().call("CONFIG", "SET", "dir", redis().folder().toString());
        });
    }

    private void breakSaving() {
        try {
            Path gone = Files.createTempDirectory(redis().folder(), "gone");
            redis().call("CONFIG", "SET", "dir", gone.toString());
            Files.delete(gone);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        redis().call("CONFIG", "SET", "save", "3600 1");
        redis().call("BGSAVE");
        await("a failed save").until(() -> redis().call("INFO", "persistence").contains("rdb_last_bgsave_status:err"));
    }

    @Test
    @Order(63)
    void aUserWithoutTheRightsCostsTheFiresOfThatTime() {
        refusals(
                "NOPERM",
                "not permitted",
                () -> redis().call("ACL", "SETUSER", "default", "-evalsha", "-eval", "-watch", "-multi"),
                () -> redis().call("ACL", "SETUSER", "default", "+@all"));
    }

    @Test
    @Order(64)
    void aServerThatLoadsCostsTheFiresOfThatTime() {
        Fleet nodes = direct();
        // Redis answers LOADING each time that it has read two megabytes; here that is every 200 ms.
        redis().call("CONFIG", "SET", "rdbcompression", "no");
        redis().call("DEBUG", "POPULATE", String.valueOf(PHASE.toMillis() / 2), "ballast", "20000");
        Row row = row(nodes, slotsIn(Duration.ofSeconds(8)));
        row.awaitSlot(2);
        Span fault = Span.of(
                Duration.ZERO,
                () -> {
                    try {
                        redis().call("SHUTDOWN", "SAVE");
                    } catch (JedisException e) {
                        // Its last answer is the end of the connection.
                    }
                    redis().awaitEnd();
                    redis().launch(List.of("--key-load-delay", "2000"));
                },
                () -> await("the end of loading").atMost(Duration.ofSeconds(30)).until(redis()::isWell));
        refused("LOADING", "loading", row.settle(), fault);
    }

    private void refusals(String name, String text, Runnable fault, Runnable heal) {
        Row row = row(direct(), slotsIn(Duration.ofSeconds(8)));
        row.awaitSlot(2);
        Span span = Span.of(PHASE, fault, heal);
        refused(name, text, row.settle(), span);
    }

    private void refused(String name, String text, Account account, Span span) {
        report(
                name + " for " + PHASE.toSeconds() + " s",
                account,
                account.denials(text) + " asks denied as store down (" + text + ").");
        assertOnce(account);
        assertMissedOnlyIn(account, List.of(span));
        assertThat(account.denials(text)).as("denials that name " + text).isPositive();
        assertThat(account.warnings()).as("WARN lines").isLessThan(60);
    }

    // Redis: killed, restarted, flushed.

    @Test
    @Order(70)
    void aRedisThatIsKilledAndKeepsItsWritesGivesNoSecondRun() {
        String[] appendOnly = {"--appendonly", "yes", "--appendfsync", "always"};
        Fleet nodes = direct();
        redis().call("CONFIG", "SET", "appendfsync", "always");
        redis().call("CONFIG", "SET", "appendonly", "yes");
        await("the first append-only file").until(() -> {
            String info = redis().call("INFO", "persistence");
            return info.contains("aof_rewrite_in_progress:0") && info.contains("aof_enabled:1");
        });
        Row row = row(nodes, slotsIn(Duration.ofSeconds(8)));
        Span fault =
                inMidRun(row, () -> Span.of(Duration.ofSeconds(1), redis()::kill, () -> redis().start(appendOnly)));
        Account account = row.settle();
        redis().call("CONFIG", "SET", "appendonly", "no");
        report("Redis killed in mid-run, restarted after 1 s with its AOF (fsync always)", account);
        assertOnce(account);
        assertMissedOnlyIn(account, List.of(fault));
    }

    @Test
    @Order(71)
    void aRedisThatIsKilledAndForgetsIsSaidPlainly() {
        Row row = row(direct(), slotsIn(Duration.ofSeconds(8)));
        Span fault = inMidRun(
                row,
                () -> Span.of(Duration.ofSeconds(1), redis()::kill, () -> {
                    redis().forget();
                    redis().start();
                }));
        Account account = row.settle();
        report("Redis killed in mid-run, restarted empty after 1 s", account, barriers(account));
        assertSameAccount(account);
        assertMissedOnlyIn(account, List.of(fault));
    }

    @Test
    @Order(80)
    void aFlushInMidRunIsSaidPlainly() {
        Row row = row(direct(), slotsIn(Duration.ofSeconds(8)));
        Span fault = inMidRun(row, () -> redis().call("FLUSHALL"));
        Account account = row.settle();
        report("FLUSHALL in mid-run", account, barriers(account));
        assertSameAccount(account);
        assertMissedOnlyIn(account, List.of(fault));
    }

    /** Does something while a run of some seconds goes on in each mode; the time until all three have ended. */
    private Span inMidRun(Row row, Runnable fault) {
        List<Long> ids =
                longRuns(row, Duration.ofMillis(2_500)).stream().map(Run::id).toList();
        Instant begin = Instant.now();
        fault.run();
        ids.forEach(id -> row.awaitRun("its end", run -> run.id() == id && run.ended() != null));
        return new Span(begin, Instant.now());
    }

    /** What the second barrier made of slots that ran twice. */
    private static String barriers(Account account) {
        return account.sum(account::doubles) + " slots ran twice, " + account.sum(account::overlaps)
                + " pairs of leases were valid at once, " + account.sum(account::told)
                + " runs were told; the SQL fence refused "
                + account.sum(account::stale) + " overtaken writes, a unique key (job, slot) "
                + account.sum(account::duplicates)
                + " second ones.";
    }

    // The line between node and Redis.

    @Test
    @Order(100)
    void aSlowLineCostsNothingWhereAnAskIsOneRoundTrip() {
        Fleet nodes = onLines();
        lines().forEach(line -> line.delayAnswers(Duration.ofMillis(200)));
        try {
            Account account = row(nodes, form.slots()).settle();
            report(
                    "answers delayed by 200 ms",
                    account,
                    "an ask of status-time takes five round trips, which are its whole budget of 1 s here: denied as"
                            + " store down.");
            assertOnce(account);
            for (String job : List.of("hash-timestamp", "token")) {
                assertThat(account.missedSlots(job))
                        .as("slots of " + job + " missed")
                        .isEmpty();
            }
        } finally {
            lines().forEach(Line::heal);
        }
    }

    @Test
    @Order(101)
    void aLineSlowerThanTheTimeOutCostsTheFiresOfThatTime() {
        lineFault(
                "answers delayed by 2 s (time-out 1 s), for 4 s",
                Duration.ofSeconds(4),
                line -> line.delayAnswers(Duration.ofSeconds(2)));
    }

    @Test
    @Order(102)
    void aBlackHoleCostsTheFiresOfThatTimeAndDelaysNoOtherJob() {
        Account account = lineFault("black hole for 10 s", Duration.ofSeconds(10), Line::fallSilent);
        assertThat(account.latestUnguarded())
                .as("seconds by which an unguarded job was late")
                .isLessThan(1);
    }

    private Account lineFault(String name, Duration time, java.util.function.Consumer<Line> fault) {
        Row row = row(onLines(), slotsIn(time.plusSeconds(7)));
        row.awaitSlot(2);
        Span span = Span.of(time, () -> lines().forEach(fault), () -> lines().forEach(Line::heal));
        Account account = row.settle();
        report(name, account);
        assertOnce(account);
        assertMissedOnlyIn(account, List.of(span));
        return account;
    }

    @Test
    @Order(103)
    void answersThatAreLostAfterTheCommandWasSentGiveNoSecondRun() {
        Row row = row(onLines(), slotsIn(Duration.ofSeconds(16)));
        row.awaitSlot(1);
        Span.of(
                Duration.ofSeconds(10),
                () -> lines().forEach(line -> line.cutAfterOneIn(3)),
                () -> lines().forEach(Line::heal));
        Account account = row.settle();
        report("connection cut after the command was sent, one in 3, for 10 s", account);
        assertOnce(account);
    }

    @Test
    @Order(104)
    void commandsThatArriveAfterTheirCancelGiveNoSecondRun() {
        Row row = row(onLines(), slotsIn(Duration.ofSeconds(16)));
        row.awaitSlot(1);
        Span.of(
                Duration.ofSeconds(10),
                () -> lines().forEach(line -> line.holdOneIn(3, Duration.ofMillis(2_500))),
                () -> lines().forEach(Line::heal));
        Account account = row.settle();
        report("commands held up for 2.5 s that arrive after their cancel, one in 3, for 10 s", account);
        assertOnce(account);
    }

    // Clocks.

    @Test
    @Order(200)
    void clocksThatDifferBySecondsDoNotMatter() {
        Account account = row(millisecondClocks(), form.steadySlots()).settle();
        report("clocks 0, +300, -300, +1500 ms", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    @Test
    @Order(201)
    void aFlushUnderClocksThatDifferIsSaidPlainly() {
        Row row = row(millisecondClocks(), form.slots());
        int flushes = 3;
        for (int i = 0; i < flushes; i++) {
            long since = System.nanoTime();
            row.awaitRun("a run", run -> run.started() > since && run.token() != null);
            redis().call("FLUSHALL");
        }
        Account account = row.settle();
        report("FLUSHALL at a start, clocks as before; " + flushes + " times", account, barriers(account));
        assertSameAccount(account);
    }

    private Fleet millisecondClocks() {
        List<Duration> lags = java.util.Collections.nCopies(Fleet.NODES, Duration.ZERO);
        return clocks("clocks-ms", List.of("", "+0.3s", "-0.3s", "+1.5s"), lags);
    }

    @Test
    @Order(202)
    void aNodeThatFiresEachSlotLongAfterItsRunRepeatsNothing() {
        Duration lag = Duration.ofSeconds(4);
        Fleet nodes = clocks(
                "clocks-s",
                List.of("", "+4s", "-4s", "+0.3s"),
                List.of(Duration.ZERO, Duration.ZERO, lag, Duration.ZERO));
        Account account = row(nodes, form.steadySlots()).settle();
        report("clocks 0, +4, -4, +0.3 s", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    @Test
    @Order(203)
    void clocksThatAreOffByMinutesDoNotMatter() {
        // The long form waits until the last node has fired all slots, five minutes after the others.
        Duration lag = form.isLong() ? Duration.ofSeconds(305) : null;
        Fleet nodes = clocks(
                "clocks-min",
                List.of("", "+300s", "-300s", "+1.5s"),
                Arrays.asList(Duration.ZERO, null, lag, Duration.ZERO));
        Account account = row(nodes, form.steadySlots()).settle();
        report("clocks 0, +300, -300, +1.5 s", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    @Test
    @Order(204)
    void clocksThatAreSteppedInMidRunDoNotMatter() {
        List<Path> files = IntStream.rangeClosed(1, Fleet.NODES)
                .mapToObj(i -> lab().folder().resolve("clock-node" + i))
                .toList();
        Row row = row(steppedClocks(files, Duration.ofSeconds(5)), form.steadySlots());
        row.awaitSlot(3);
        row.clocksStepped();
        step(files.get(1), "+20s");
        step(files.get(2), "-5s");
        row.awaitSlot(7);
        step(files.get(3), "+0.4s");
        Account account = row.settle();
        report("clocks stepped in mid-run by +20, -5, +0.4 s", account);
        assertOnce(account);
        assertNoneMissed(account);
    }

    // Sentinel.

    @Test
    @Order(300)
    void aMasterThatFreezesRightAfterAGrantGivesNoSecondRun() {
        Sentinels sentinels = new Sentinels(lab(), "frozen");
        sentinels.start();
        Row row = row(following(sentinels, "frozen", Map.of()), slotsIn(Duration.ofSeconds(15)));
        String found = freezeMaster(sentinels, row);
        long failedOver = System.nanoTime();
        Run next = row.awaitRun("a run after the fail-over", run -> run.started() > failedOver && run.token() != null);
        Account account = row.settle();
        sentinels.master().goOn();
        report(
                "Sentinel: master frozen right after a grant",
                account,
                found,
                "Next run " + seconds(next.started() - failedOver) + " s later.");
        assertOnce(account);
    }

    @Test
    @Order(301)
    void aMasterThatComesBackBesideItsSuccessorIsSaidPlainly() {
        Account account = masterComesBack("back", Map.of());
        assertSameAccount(account);
    }

    @Test
    @Order(302)
    void aMasterThatComesBackBesideItsSuccessorGrantsNothingWithoutItsReplica() {
        Account account = masterComesBack("back-replicas", Map.of("joblock.replicas", "1"));
        assertOnce(account);
    }

    /** Calls that wait for the frozen master are answered by it, and leave good connections to it in the pools. */
    private Account masterComesBack(String name, Map<String, String> more) {
        Sentinels sentinels = new Sentinels(lab(), name);
        sentinels.start();
        Row row = row(following(sentinels, name, more), slotsIn(Duration.ofSeconds(20)));
        String found = freezeMaster(sentinels, row);
        sentinels.awaitSwitch();
        sentinels.master().goOn();
        Account account = row.settle();
        report("Sentinel: master frozen, goes on beside its successor" + with(more), account, found, barriers(account));
        return account;
    }

    private String freezeMaster(Sentinels sentinels, Row row) {
        Run granted = longRuns(row, Duration.ofSeconds(5)).get(0);
        sentinels.awaitReplica();
        sentinels.master().halt();
        sentinels.awaitFailover();
        return "Fail-over " + seconds(System.nanoTime() - granted.started()) + " s after the grant.";
    }

    @Test
    @Order(310)
    void aGrantThatNoReplicaHasWhenItsMasterDiesIsSaidPlainly() {
        Sentinels sentinels = new Sentinels(lab(), "lost");
        sentinels.start();
        Row row = row(following(sentinels, "lost", Map.of()), slotsIn(Duration.ofSeconds(15)));
        row.awaitSlot(1);
        sentinels.cutReplicaOff();
        longRuns(row, Duration.ofSeconds(5));
        sentinels.master().kill();
        sentinels.awaitFailover();
        Account account = row.settle();
        report("Sentinel: grant that the replica has not, master killed", account, barriers(account));
        assertSameAccount(account);
    }

    @Test
    @Order(311)
    void aGrantThatNoReplicaHasIsRefusedWhereReplicasAreWaitedFor() {
        Map<String, String> more = Map.of("joblock.replicas", "1");
        Sentinels sentinels = new Sentinels(lab(), "lost-replicas");
        sentinels.start();
        Row row = row(following(sentinels, "lost-replicas", more), slotsIn(Duration.ofSeconds(15)));
        row.awaitSlot(1);
        sentinels.cutReplicaOff();
        long cut = Instant.now().toEpochMilli();
        row.awaitDenial("a refused grant", "replica", System.nanoTime());
        long granted = lab().records().runs(row.begin()).stream()
                .filter(run -> run.token() != null && run.slot() > cut)
                .count();
        sentinels.master().kill();
        sentinels.awaitFailover();
        // The successor has no replica but the dead master, and that is one that still counts: it grants nothing
        // either.
        sentinels
                .master()
                .start(
                        "--replicaof",
                        "127.0.0.1",
                        String.valueOf(sentinels.replica().address().port()));
        Account account = row.settle();
        report(
                "Sentinel: replica cut off, master killed and back as replica" + with(more),
                account,
                account.denials("replica") + " asks denied for want of a replica.");
        assertOnce(account);
        assertThat(granted).as("runs granted without the replica").isZero();
    }

    private static String with(Map<String, String> settings) {
        return settings.isEmpty() ? "" : ", with " + settings.toString().replaceAll("[{}]", "`");
    }
}
