package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.redis.Mechanism.Call;
import dev.joblock.redis.Mechanism.Reply;
import dev.joblock.redis.Scenario.Actor;
import dev.joblock.redis.Scenario.Kind;
import dev.joblock.redis.World.Grant;
import dev.joblock.redis.World.Stored;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What must hold when everybody has done all his steps: no lease without an owner; after the last lease has run out anybody
 * gets the lock; a slot that was granted and not taken back is taken, any later one is free; a slot is owed where its last run
 * was abandoned.
 */
final class Aftermath {
    private static final Holder PROBE = new Holder("probe", "probe");

    /** One more ask after the end, and what must come of it. */
    record Probe(Call call, Optional<Boolean> granted, boolean mayBeGranted, String why) {
        void check(Reply reply) {
            boolean got = reply.isGrant();
            Invariants.require(granted.orElse(got) == got, "%s, but it was: %s", why, reply);
            Invariants.require(!got || mayBeGranted, "%s, but it was: %s", why, reply);
        }
    }

    private final Scenario scenario;
    private final List<JobRun> slots;

    Aftermath(Scenario scenario) {
        this.scenario = scenario;
        this.slots = scenario.actors().stream()
                .map(Actor::run)
                .filter(run -> run.rule() == JobRun.Rule.SLOT)
                .distinct()
                .toList();
    }

    void checkNoOrphan(World world) {
        LockRecord record = world.stored().record();
        String owner = record.text("owner");
        boolean left = scenario.actors().stream()
                .anyMatch(actor -> actor.dies() && actor.holder().nonce().equals(owner));
        Invariants.require(
                left || !record.isLive(world.now()), "everybody has ended, and %s still holds the lock", owner);
    }

    List<Probe> probes(World world) {
        long later = world.now() + 3 * Scenario.LEASE.toMillis();
        Stored stored = world.stored().at(later);
        List<Probe> probes = new ArrayList<>();
        probes.add(new Probe(
                call(JobRun.exclusive("probe"), stored, later),
                Optional.of(true),
                true,
                "all leases are over, so an ask must be granted"));
        for (JobRun run : slots) {
            boolean free = world.grants().stream()
                    .filter(grant -> !grant.undone() && isSlot(grant, run.lane()))
                    .allMatch(grant -> scheduled(run(grant)).isBefore(scheduled(run)));
            probes.add(new Probe(
                    call(run, stored, later),
                    Optional.of(free),
                    true,
                    free ? "no such slot was granted for good, so it must be free" : "the slot must be taken"));
            probes.add(owed(world, run, stored, later));
        }
        return probes;
    }

    /** A lane owes one slot at most, so that what it owes of a slot is not known where a later one was abandoned too. */
    private Probe owed(World world, JobRun run, Stored stored, long later) {
        Optional<Grant> last = world.grants().stream()
                .filter(grant -> !grant.undone() && isOf(grant, run.lane(), scheduled(run)))
                .reduce((one, other) -> other);
        boolean owes = last.isPresent() && !last.get().released();
        boolean mayBeReplaced = world.grants().stream()
                .anyMatch(grant -> !grant.undone()
                        && !grant.released()
                        && isLane(grant, run.lane())
                        && scheduled(run(grant)).isAfter(scheduled(run)));
        JobRun again = JobRun.owed(run.job(), run.lane(), scheduled(run));
        return new Probe(
                call(again, stored, later),
                mayBeReplaced ? Optional.empty() : Optional.of(owes),
                owes,
                owes ? "the slot must be owed" : "the slot must not be owed");
    }

    private JobRun run(Grant grant) {
        return scenario.actors().get(grant.actor()).run();
    }

    private boolean isLane(Grant grant, String lane) {
        return run(grant).slot().isPresent() && run(grant).lane().equals(lane);
    }

    private boolean isSlot(Grant grant, String lane) {
        return run(grant).rule() == JobRun.Rule.SLOT && isLane(grant, lane);
    }

    private boolean isOf(Grant grant, String lane, Instant scheduled) {
        return isLane(grant, lane) && scheduled(run(grant)).equals(scheduled);
    }

    private static Instant scheduled(JobRun run) {
        return run.slot().map(slot -> slot.scheduled()).orElseThrow();
    }

    private static Call call(JobRun run, Stored stored, long now) {
        return new Call(Kind.ASK, new Actor(PROBE, run, false), stored, now);
    }
}
