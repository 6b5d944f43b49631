package dev.joblock.redis;

import dev.joblock.redis.Scenario.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * All that some steps have brought about: the store, what each actor believes, what was granted. Immutable. Two orders that
 * lead to equal worlds have equal futures, so that the explorer goes on from one of them for both.
 */
record World(
        long now,
        Stored stored,
        List<Integer> positions,
        List<Local> locals,
        List<Transaction> transactions,
        List<Grant> grants) {

    /** What the store holds: the record, and in token mode the plain key ("" if there is none). */
    static final class Stored {
        static final Stored NOTHING = new Stored(new LockRecord(Map.of()), "", 0);

        private final LockRecord record;
        private final String plain;
        private final long plainUntil;
        private final int hash;

        Stored(LockRecord record, String plain, long plainUntil) {
            this.record = record;
            this.plain = plain;
            this.plainUntil = plainUntil;
            this.hash = Objects.hash(record.fields(), plain, plainUntil);
        }

        LockRecord record() {
            return record;
        }

        Map<String, String> fields() {
            return record.fields();
        }

        String plain() {
            return plain;
        }

        long plainUntil() {
            return plainUntil;
        }

        /** Without a plain key that has expired. */
        Stored at(long now) {
            return !plain.isEmpty() && plainUntil <= now ? new Stored(record, "", 0) : this;
        }

        boolean isRunning(String nonce) {
            return record.isRunning() && record.isOwner(nonce);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Stored that
                    && hash == that.hash
                    && plain.equals(that.plain)
                    && plainUntil == that.plainUntil
                    && (record == that.record || fields().equals(that.fields()));
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    enum Phase {
        IDLE,
        /** A grant is on its way to the actor. */
        ANSWERED,
        GRANTED,
        RUNNING,
        LOST,
        GIVEN_UP,
        OVER
    }

    /** What an actor believes. The deadline is the whole lease, without the engine's margin: no order may need it. */
    record Local(Phase phase, long token, long deadline, boolean cancelled) {
        Local in(Phase next) {
            return new Local(next, token, deadline, cancelled);
        }

        boolean believes(long now) {
            return (phase == Phase.GRANTED || phase == Phase.RUNNING) && now < deadline;
        }
    }

    /** What a call reads before it may write, where the store has no scripts. */
    enum Part {
        WATCH,
        READ,
        TIME
    }

    /** A call that is under way on the wire: what it has read so far, and whether the key was written since it watches. */
    record Transaction(Kind kind, int done, long now, Stored read, boolean watches, boolean overtaken) {
        static final Transaction NONE = new Transaction(Kind.PASS, 0, 0, Stored.NOTHING, false, false);

        static Transaction of(Kind kind) {
            return new Transaction(kind, 0, 0, Stored.NOTHING, false, false);
        }

        boolean isNone() {
            return kind == Kind.PASS;
        }

        Transaction taking(Part part, World world) {
            return new Transaction(
                    kind,
                    done + 1,
                    part == Part.TIME ? world.now : now,
                    part == Part.READ ? world.stored : read,
                    watches || part == Part.WATCH,
                    overtaken);
        }

        Transaction overtake() {
            return watches ? new Transaction(kind, done, now, read, true, true) : this;
        }
    }

    /** A grant that the store gave, and what became of it. */
    record Grant(int actor, long token, long at, boolean started, boolean undone, boolean abandoned, boolean released) {
        Grant start() {
            return new Grant(actor, token, at, true, undone, abandoned, released);
        }

        Grant undo() {
            return new Grant(actor, token, at, started, true, abandoned, released);
        }

        Grant abandon() {
            return new Grant(actor, token, at, started, undone, true, released);
        }

        Grant release() {
            return new Grant(actor, token, at, started, undone, abandoned, true);
        }
    }

    static World start(Scenario scenario, long now) {
        Local idle = new Local(Phase.IDLE, 0, 0, false);
        int threads = scenario.threads().size();
        return new World(
                now,
                Stored.NOTHING,
                List.copyOf(Collections.nCopies(threads, 0)),
                List.copyOf(Collections.nCopies(scenario.actors().size(), idle)),
                List.copyOf(Collections.nCopies(threads, Transaction.NONE)),
                List.of());
    }

    Local local(int actor) {
        return locals.get(actor);
    }

    Optional<Grant> granted(long token) {
        return grants.stream().filter(grant -> grant.token == token).findAny();
    }

    World at(long time) {
        return new World(time, stored.at(time), positions, locals, transactions, grants);
    }

    World storing(Stored after) {
        return new World(now, after, positions, locals, transactions, grants);
    }

    World advancing(int thread) {
        return new World(
                now, stored, replaced(positions, thread, positions.get(thread) + 1), locals, transactions, grants);
    }

    World knowing(int actor, Local local) {
        return new World(now, stored, positions, replaced(locals, actor, local), transactions, grants);
    }

    World in(int thread, Transaction transaction) {
        return new World(now, stored, positions, locals, replaced(transactions, thread, transaction), grants);
    }

    /** Every transaction that watches the key has been overtaken by a write. */
    World overtaking() {
        List<Transaction> touched = new ArrayList<>(transactions);
        touched.replaceAll(Transaction::overtake);
        return new World(now, stored, positions, locals, List.copyOf(touched), grants);
    }

    World granting(Grant grant) {
        List<Grant> more = new ArrayList<>(grants);
        more.add(grant);
        return new World(now, stored, positions, locals, transactions, List.copyOf(more));
    }

    World changing(long token, UnaryOperator<Grant> change) {
        List<Grant> changed = new ArrayList<>(grants);
        changed.replaceAll(grant -> grant.token == token ? change.apply(grant) : grant);
        return new World(now, stored, positions, locals, transactions, List.copyOf(changed));
    }

    private static <T> List<T> replaced(List<T> list, int index, T value) {
        List<T> copy = new ArrayList<>(list);
        copy.set(index, value);
        return List.copyOf(copy);
    }
}
