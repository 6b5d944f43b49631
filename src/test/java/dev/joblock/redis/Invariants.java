package dev.joblock.redis;

import dev.joblock.JobRun;
import dev.joblock.RecordedRun;
import dev.joblock.redis.Mechanism.Call;
import dev.joblock.redis.Mechanism.Reply;
import dev.joblock.redis.Scenario.Actor;
import dev.joblock.redis.World.Grant;
import dev.joblock.redis.World.Local;
import dev.joblock.redis.World.Stored;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What must hold after each step, whatever the order of the steps. */
final class Invariants {

    /** A rule was broken. */
    static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    private final List<Actor> actors;
    private final boolean hasPlainKey;

    Invariants(Scenario scenario, boolean hasPlainKey) {
        this.actors = scenario.actors();
        this.hasPlainKey = hasPlainKey;
    }

    void check(World before, World after, @Nullable Call call, @Nullable Reply reply) {
        if (call != null && reply != null) {
            checkReply(before, call, reply);
        }
        checkStarts(before, after);
        checkLeases(after);
        require(
                token(after.stored()) >= token(before.stored()),
                "the token fell from %s to %s",
                token(before.stored()),
                token(after.stored()));
    }

    private void checkReply(World before, Call call, Reply reply) {
        Stored was = call.stored();
        boolean unchanged = was.fields().equals(reply.stored().fields());
        boolean running = was.isRunning(call.nonce());
        switch (call.kind()) {
            case ASK:
                if (reply.isGrant()) {
                    checkGrant(before, call, reply);
                } else {
                    require(unchanged, "a denial changed the record");
                }
                break;
            case RENEW:
                boolean held = running && was.record().isLive(call.now());
                require(held == reply.yes(), "a renewal of a lease that is %s was answered with %s", held, reply.yes());
                require(held || unchanged, "a renewal changed the record of a lease that was over");
                break;
            case RELEASE, UNCLAIM:
                require(running || unchanged, "an end by somebody else changed the record");
                break;
            case CANCEL:
                require(
                        running || lockFields(was).equals(lockFields(reply.stored())),
                        "a cancel changed the lock of somebody else");
                break;
            default:
                break;
        }
    }

    private void checkGrant(World before, Call call, Reply reply) {
        long token = Objects.requireNonNull(reply.answer()).fencingToken();
        Optional<Instant> left = leftOut(before, call.actor().run(), token);
        require(
                reply.answer().passedOver().equals(left),
                "a grant of %s passes over the slots from %s on, and not from %s on",
                call.actor().run(),
                reply.answer().passedOver(),
                left);
        Optional<Grant> repeated = before.granted(token);
        if (repeated.isPresent()) {
            Actor first = actors.get(repeated.get().actor());
            require(first.equals(call.actor()), "two were given the token %s", token);
            return;
        }
        for (Grant grant : before.grants()) {
            require(grant.token() < token, "the token %s came after %s", token, grant.token());
        }
        RecordedRun dead = reply.answer().abandoned().orElse(null);
        if (dead != null) {
            Grant grant = before.granted(dead.fencingToken()).orElse(null);
            require(grant != null, "a run was reported as abandoned that nobody was granted: %s", dead);
            require(
                    grant != null && !grant.abandoned() && !grant.released() && !grant.undone(),
                    "a run was reported as abandoned that had ended: %s",
                    dead);
        }
        if (call.actor().run().rule() == JobRun.Rule.INTERVAL) {
            checkInterval(before, call);
        }
    }

    /** The first slot that nobody was granted between the last one that was, before a token, and a run. */
    private Optional<Instant> leftOut(World world, JobRun run, long token) {
        return world.grants().stream()
                .filter(grant -> grant.token() < token && !grant.undone())
                .map(this::run)
                .filter(other -> isSlotOf(run, other))
                .max(Comparator.comparing(other -> other.slot().orElseThrow().scheduled()))
                .flatMap(last -> last.slot().orElseThrow().next())
                .filter(next -> next.isBefore(run.slot().orElseThrow().scheduled()));
    }

    private static boolean isSlotOf(JobRun run, JobRun other) {
        return run.rule() == JobRun.Rule.SLOT
                && other.rule() == JobRun.Rule.SLOT
                && other.lane().equals(run.lane());
    }

    /** Starts advance by whole intervals while less than half an interval late, so two may lie that much closer. */
    private void checkInterval(World before, Call call) {
        long interval = call.actor().run().interval().toMillis();
        for (Grant grant : before.grants()) {
            JobRun other = actors.get(grant.actor()).run();
            boolean sameLane = other.rule() == JobRun.Rule.INTERVAL
                    && other.lane().equals(call.actor().run().lane());
            require(
                    !sameLane || grant.undone() || call.now() - grant.at() >= interval / 2 - Grants.tolerance(interval),
                    "two starts of an interval lie %s ms apart",
                    call.now() - grant.at());
        }
    }

    /** A slot starts once; it starts again only where it is owed, and what ran before was abandoned. */
    private void checkStarts(World before, World after) {
        for (Grant grant : after.grants()) {
            boolean startsNow = grant.started()
                    && !before.granted(grant.token()).map(Grant::started).orElse(false);
            require(!grant.started() || !grant.undone(), "a run that had started was undone: %s", grant);
            if (startsNow && slot(grant).isPresent()) {
                for (Grant other : after.grants()) {
                    boolean again = other.token() != grant.token() && other.started() && sameSlot(grant, other);
                    require(
                            !again || (other.abandoned() && run(grant).rule() == JobRun.Rule.OWED),
                            "a slot was started twice: %s after %s",
                            grant,
                            other);
                }
            }
        }
    }

    /** One believes at most, and who believes holds a lease that lives; a plain key has an owner; who was cancelled holds none. */
    private void checkLeases(World world) {
        Stored stored = world.stored();
        LockRecord record = stored.record();
        int believers = 0;
        for (int i = 0; i < actors.size(); i++) {
            Local local = world.local(i);
            String nonce = actors.get(i).holder().nonce();
            boolean live = stored.isRunning(nonce) && record.isLive(world.now());
            boolean outsider = local.token() == 0;
            if (local.believes(world.now())) {
                believers++;
                require(outsider || live, "%s believes to hold a lease that is over", nonce);
                require(
                        !hasPlainKey || stored.plain().equals(nonce),
                        "%s believes to hold the plain key, which holds '%s'",
                        nonce,
                        stored.plain());
            }
            require(!stored.plain().equals(nonce) || live || outsider, "the plain key of %s has no lease", nonce);
            require(!local.cancelled() || !stored.isRunning(nonce), "%s was cancelled and holds a lease", nonce);
        }
        require(believers < 2, "%s believe to hold the lease", believers);
    }

    private JobRun run(Grant grant) {
        return actors.get(grant.actor()).run();
    }

    private Optional<Instant> slot(Grant grant) {
        return run(grant).slot().map(slot -> slot.scheduled());
    }

    private boolean sameSlot(Grant one, Grant other) {
        return slot(one).equals(slot(other))
                && run(one).lane().equals(run(other).lane());
    }

    private static Map<String, String> lockFields(Stored stored) {
        Map<String, String> fields = new HashMap<>(stored.fields());
        fields.keySet().removeIf(name -> name.equals("v") || name.startsWith(LockRecord.TOMBSTONE));
        return fields;
    }

    private static long token(Stored stored) {
        return stored.record().number("token");
    }

    // Error Prone's annotations are not on the class path.
    @SuppressWarnings("AnnotateFormatMethod")
    static void require(boolean holds, String message, @Nullable Object... arguments) {
        if (!holds) {
            throw new Broken(String.format(message, arguments));
        }
    }
}
