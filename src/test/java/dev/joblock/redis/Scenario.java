package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.JobRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Some actors, and what each of them does step by step. A thread of steps keeps its order; an {@link Explorer} interleaves
 * the threads in every order.
 */
record Scenario(String name, List<Actor> actors, List<List<Move>> threads) {
    static final Duration LEASE = Duration.ofSeconds(60);

    enum Kind {
        /** Asks and hears the answer. */
        ASK,
        /** An ask reaches the store; its answer is on its way, or lost. */
        LAND,
        /** The answer of a landed ask is heard: a grant that is over by then is given up. */
        HEAR,
        /** The job begins, if the lease is believed to be held. */
        START,
        /** The job begins, whatever the lease is. */
        START_ANYHOW,
        RENEW,
        /** An old copy of a renewal reaches the store. */
        LATE_RENEW,
        /** The run ends; one that was given up is cancelled. */
        RELEASE,
        /** An old copy of a release reaches the store. */
        LATE_RELEASE,
        UNCLAIM,
        /** An old copy of an un-claim reaches the store. */
        LATE_UNCLAIM,
        /** The ask is given up, its outcome unknown. */
        CANCEL,
        /** A run that has ended is cancelled as well, since its ask was sent twice. */
        SETTLE,
        /** A client that is none of ours takes the plain key. */
        TAKE,
        /** It gives the plain key back, by compare-and-delete. */
        FREE,
        /** Time passes. */
        PASS
    }

    record Move(Kind kind, int actor, long ms) {}

    /** Who asks, and for what run. One that dies leaves its lease to its end. */
    record Actor(Holder holder, JobRun run, boolean dies) {}

    /** What an actor does. */
    enum Script {
        RUNS(false, thread(Kind.ASK, Kind.START, Kind.RENEW, Kind.RELEASE)),
        RUNS_SHORT(false, thread(Kind.ASK, Kind.START, Kind.RELEASE)),
        /** Another listener vetoes. */
        VETOED(false, thread(Kind.ASK, Kind.UNCLAIM)),
        /** The answer of the un-claim is lost, so it is sent again, and the first copy comes late. */
        VETOED_TWICE(false, thread(Kind.ASK, Kind.UNCLAIM), thread(Kind.LATE_UNCLAIM)),
        DIES(true, thread(Kind.ASK, Kind.START)),
        DIES_AFTER_RENEWAL(true, thread(Kind.ASK, Kind.START, Kind.RENEW)),
        DIES_BEFORE_START(true, thread(Kind.LAND)),
        /** No answer in time: the cancel overtakes the ask, or does not. */
        GIVES_UP(false, thread(Kind.LAND), thread(Kind.CANCEL)),
        /** Stopped before it hears of its grant. */
        PAUSED(false, thread(Kind.LAND, Kind.HEAR, Kind.START, Kind.RELEASE)),
        /** Stopped between grant and start, and starts all the same. */
        WAKES(false, thread(Kind.ASK, Kind.START_ANYHOW, Kind.RELEASE)),
        /** Its connection broke and it asked again by the same nonce; the first copy comes late. */
        ASKS_TWICE(false, thread(Kind.LAND), thread(Kind.ASK, Kind.START, Kind.RELEASE, Kind.SETTLE)),
        /** The same, vetoed. */
        ASKS_TWICE_VETOED(false, thread(Kind.LAND), thread(Kind.ASK, Kind.UNCLAIM, Kind.SETTLE)),
        /** The same with nothing done about the first copy. */
        ASKS_TWICE_UNSETTLED(false, thread(Kind.LAND), thread(Kind.ASK, Kind.START, Kind.RELEASE)),
        /** Old copies of its renewal and its release come late. */
        ECHOES(false, thread(Kind.ASK, Kind.START, Kind.RELEASE), thread(Kind.LATE_RENEW), thread(Kind.LATE_RELEASE)),
        /** A client in another language, in token mode. */
        OUTSIDER(false, thread(Kind.TAKE, Kind.FREE));

        private final boolean dies;
        // Lists that can't be changed.
        @SuppressWarnings("ImmutableEnumChecker")
        private final List<List<Kind>> threads;

        @SafeVarargs
        @SuppressWarnings("varargs")
        Script(boolean dies, List<Kind>... threads) {
            this.dies = dies;
            this.threads = List.of(threads);
        }

        private static List<Kind> thread(Kind... kinds) {
            return List.of(kinds);
        }
    }

    String describe(Move move) {
        boolean pass = move.kind == Kind.PASS;
        return pass ? move.ms + " ms pass" : actors.get(move.actor).holder.nonce() + " " + move.kind;
    }

    static Builder of() {
        return new Builder();
    }

    static final class Builder {
        private final List<Actor> actors = new ArrayList<>();
        private final List<List<Move>> threads = new ArrayList<>();
        private final StringBuilder name = new StringBuilder();

        private Builder() {}

        /** One more actor, on a node of its own. */
        Builder with(Script script, JobRun run) {
            int index = actors.size();
            String letter = String.valueOf((char) ('A' + index));
            actors.add(new Actor(new Holder("node " + letter, letter), run, script.dies));
            for (List<Kind> thread : script.threads) {
                threads.add(
                        thread.stream().map(kind -> new Move(kind, index, 0)).toList());
            }
            name.append(name.isEmpty() ? "" : ", ")
                    .append(letter)
                    .append(' ')
                    .append(script)
                    .append(' ')
                    .append(run);
            return this;
        }

        Scenario atOneMoment() {
            return new Scenario(name.toString(), List.copyOf(actors), List.copyOf(threads));
        }

        /** Time passes in between, in these steps. */
        Scenario whilePass(long... ms) {
            threads.add(Arrays.stream(ms)
                    .mapToObj(step -> new Move(Kind.PASS, -1, step))
                    .toList());
            name.append(", ").append(Arrays.toString(ms)).append(" ms pass");
            return atOneMoment();
        }
    }
}
