package dev.joblock.redis;

import dev.joblock.RecordedRun;
import dev.joblock.StoreAnswer;
import dev.joblock.redis.Mechanism.Call;
import dev.joblock.redis.Mechanism.Reply;
import dev.joblock.redis.Scenario.Actor;
import dev.joblock.redis.Scenario.Kind;
import dev.joblock.redis.Scenario.Move;
import dev.joblock.redis.World.Grant;
import dev.joblock.redis.World.Local;
import dev.joblock.redis.World.Part;
import dev.joblock.redis.World.Phase;
import dev.joblock.redis.World.Transaction;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one step of a thread changes a world. A call is one step where the store has scripts; else it reads in several steps and
 * writes in one more, which is refused if the key was written since it is watched.
 */
final class Steps {
    private final Scenario scenario;
    private final List<Part> parts;

    private Steps(Scenario scenario, Part... parts) {
        this.scenario = scenario;
        this.parts = List.of(parts);
    }

    static Steps ofScripts(Scenario scenario) {
        return new Steps(scenario);
    }

    /** As status-time does it: the time is read after the record. */
    static Steps ofTransactions(Scenario scenario) {
        return new Steps(scenario, Part.WATCH, Part.READ, Part.TIME);
    }

    /** As it must not be done: whoever was held up after the time was read knows less than the record says. */
    static Steps ofTransactionsThatReadTheTimeFirst(Scenario scenario) {
        return new Steps(scenario, Part.TIME, Part.WATCH, Part.READ);
    }

    /** As it must not be done either. */
    static Steps ofTransactionsThatDoNotWatch(Scenario scenario) {
        return new Steps(scenario, Part.READ, Part.TIME);
    }

    boolean isOver(World world, int thread) {
        return world.positions().get(thread) == scenario.threads().get(thread).size();
    }

    Move move(World world, int thread) {
        return scenario.threads().get(thread).get(world.positions().get(thread));
    }

    /** What the next step of a thread asks of the store; null if it does not get there yet, or asks nothing. */
    @Nullable
    Call call(World world, int thread) {
        Move move = move(world, thread);
        Transaction open = world.transactions().get(thread);
        if (!open.isNone()) {
            boolean ready = open.done() == parts.size();
            return ready ? new Call(open.kind(), actor(move), open.read(), open.now()) : null;
        }
        Kind kind = parts.isEmpty() ? kind(world, move) : null;
        return kind == null ? null : new Call(kind, actor(move), world.stored(), world.now());
    }

    /** Takes the next step of a thread. One that made a call is told the reply; none means that its transaction was refused. */
    World take(World world, int thread, @Nullable Call call, @Nullable Reply reply) {
        Move move = move(world, thread);
        Transaction open = world.transactions().get(thread);
        if (call != null && reply == null) {
            return world.in(thread, Transaction.of(open.kind()));
        }
        if (call != null && reply != null) {
            World written = reply.wrote() ? world.storing(reply.stored()).overtaking() : world;
            return answered(written.in(thread, Transaction.NONE), move, call, reply)
                    .advancing(thread);
        }
        Kind kind = kind(world, move);
        if (open.isNone() && kind == null) {
            return alone(world, move).advancing(thread);
        }
        Transaction begun = open.isNone() && kind != null ? Transaction.of(kind) : open;
        return world.in(thread, begun.taking(parts.get(begun.done()), world));
    }

    private Actor actor(Move move) {
        return scenario.actors().get(move.actor());
    }

    /** By which call an actor makes a move, given what it believes; null if it makes none. */
    private static @Nullable Kind kind(World world, Move move) {
        if (move.kind() == Kind.PASS) {
            return null;
        }
        Local local = world.local(move.actor());
        Phase phase = local.phase();
        boolean sent = phase == Phase.OVER && local.token() != 0;
        return switch (move.kind()) {
            case ASK -> phase == Phase.IDLE || phase == Phase.ANSWERED ? Kind.ASK : null;
            case LAND -> Kind.ASK;
            case RENEW -> local.believes(world.now()) && phase == Phase.RUNNING ? Kind.RENEW : null;
            case LATE_RENEW -> sent || phase == Phase.RUNNING ? Kind.RENEW : null;
            case RELEASE ->
                phase == Phase.GIVEN_UP
                        ? Kind.CANCEL
                        : phase == Phase.GRANTED || phase == Phase.RUNNING || phase == Phase.LOST ? Kind.RELEASE : null;
            case LATE_RELEASE -> sent ? Kind.RELEASE : null;
            case UNCLAIM -> phase == Phase.GIVEN_UP ? Kind.CANCEL : phase == Phase.GRANTED ? Kind.UNCLAIM : null;
            case LATE_UNCLAIM -> sent ? Kind.UNCLAIM : null;
            case CANCEL -> phase == Phase.IDLE || phase == Phase.ANSWERED ? Kind.CANCEL : null;
            case SETTLE -> Kind.CANCEL;
            case TAKE -> Kind.TAKE;
            case FREE -> phase == Phase.GRANTED ? Kind.FREE : null;
            default -> null;
        };
    }

    /** A move that the store has no part in. */
    private static World alone(World world, Move move) {
        if (move.kind() == Kind.PASS) {
            return world.at(world.now() + move.ms());
        }
        Local local = world.local(move.actor());
        Phase phase = local.phase();
        boolean inTime = world.now() < local.deadline();
        switch (move.kind()) {
            case HEAR:
                Phase heard = phase != Phase.ANSWERED ? Phase.OVER : inTime ? Phase.GRANTED : Phase.GIVEN_UP;
                return world.knowing(move.actor(), local.in(heard));
            case START:
            case START_ANYHOW:
                if (phase != Phase.GRANTED) {
                    return world;
                }
                if (!inTime && move.kind() == Kind.START) {
                    return world.knowing(move.actor(), local.in(Phase.LOST));
                }
                return world.knowing(move.actor(), local.in(Phase.RUNNING)).changing(local.token(), Grant::start);
            default:
                return world;
        }
    }

    private static World answered(World world, Move move, Call call, Reply reply) {
        Local local = world.local(move.actor());
        switch (call.kind()) {
            case ASK:
                return asked(world, move, call, reply);
            case RENEW:
                if (move.kind() == Kind.LATE_RENEW) {
                    return world;
                }
                long deadline = call.now() + Scenario.LEASE.toMillis();
                Local renewed = new Local(local.phase(), local.token(), deadline, local.cancelled());
                return world.knowing(move.actor(), reply.yes() ? renewed : local.in(Phase.LOST));
            case TAKE:
                long until = call.now() + Scenario.LEASE.toMillis();
                return world.knowing(
                        move.actor(), new Local(reply.yes() ? Phase.GRANTED : Phase.OVER, 0, until, false));
            default:
                boolean cancelled = local.cancelled() || call.kind() == Kind.CANCEL;
                World over =
                        world.knowing(move.actor(), new Local(Phase.OVER, local.token(), local.deadline(), cancelled));
                return ended(over, call, reply);
        }
    }

    private static World asked(World world, Move move, Call call, Reply reply) {
        Local local = world.local(move.actor());
        if (!reply.isGrant()) {
            return move.kind() == Kind.LAND ? world : world.knowing(move.actor(), local.in(Phase.OVER));
        }
        StoreAnswer answer = Objects.requireNonNull(reply.answer());
        long token = answer.fencingToken();
        World known = world;
        if (world.granted(token).isEmpty()) {
            known = world.granting(new Grant(move.actor(), token, call.now(), false, false, false, false));
            RecordedRun dead = answer.abandoned().orElse(null);
            if (dead != null) {
                known = known.changing(dead.fencingToken(), Grant::abandon);
            }
        }
        if (move.kind() == Kind.LAND && local.phase() != Phase.IDLE) {
            return known;
        }
        long deadline = answer.since().toEpochMilli() + Scenario.LEASE.toMillis();
        Phase phase =
                move.kind() == Kind.LAND ? Phase.ANSWERED : world.now() < deadline ? Phase.GRANTED : Phase.GIVEN_UP;
        return known.knowing(move.actor(), new Local(phase, token, deadline, local.cancelled()));
    }

    /** Notes what an end did to the grant that it found. */
    private static World ended(World world, Call call, Reply reply) {
        boolean did = call.stored().isRunning(call.nonce()) && !reply.stored().isRunning(call.nonce());
        long token = call.stored().record().number("token");
        if (!did) {
            return world;
        }
        return world.changing(token, call.kind() == Kind.RELEASE ? Grant::release : Grant::undo);
    }
}
