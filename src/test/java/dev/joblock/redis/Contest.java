package dev.joblock.redis;

import dev.joblock.Slot;
import dev.joblock.StoreAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets players ask at one moment, round by round, and judges each round when all have their answers. */
final class Contest {

    /** Before a round, on one thread. */
    interface Opening {
        void prepare(int round);
    }

    /** One ask of one player. */
    interface Player {
        StoreAnswer ask(int round, int player);
    }

    /** After a round, on one thread. */
    interface Referee {
        void judge(int round, List<StoreAnswer> answers);
    }

    private Contest() {}

    static void play(int players, int rounds, Opening opening, Player player, Referee referee) throws Exception {
        @Nullable StoreAnswer[] answers = new StoreAnswer[players];
        int[] round = {0};
        CyclicBarrier gate = new CyclicBarrier(players, () -> opening.prepare(round[0]));
        CyclicBarrier finish = new CyclicBarrier(players, () -> {
            referee.judge(round[0], answered(answers));
            round[0]++;
        });
        ExecutorService threads = Executors.newFixedThreadPool(players);
        ExecutorCompletionService<Void> done = new ExecutorCompletionService<>(threads);
        try {
            for (int p = 0; p < players; p++) {
                int me = p;
                done.submit(() -> {
                    for (int r = 0; r < rounds; r++) {
                        gate.await(60, TimeUnit.SECONDS);
                        answers[me] = player.ask(r, me);
                        finish.await(60, TimeUnit.SECONDS);
                    }
                    return null;
                });
            }
            awaitAll(players, done, threads);
        } finally {
            threads.shutdownNow();
        }
    }

    static List<Integer> winners(List<StoreAnswer> answers) {
        List<Integer> winners = new ArrayList<>();
        for (int p = 0; p < answers.size(); p++) {
            if (answers.get(p).denial().isEmpty()) {
                winners.add(p);
            }
        }
        return winners;
    }

    /** The n-th of 1,200 minutes before the start of a test. */
    static Slot minute(Instant start, int n) {
        Instant scheduled = start.minus(Duration.ofMinutes(1_200L - n));
        return Slot.of(scheduled, scheduled.plusSeconds(60), "0 * * * * ?");
    }

    /** Ends at the first failure, and throws that one, not the broken barriers that follow from it. */
    private static void awaitAll(int players, ExecutorCompletionService<Void> done, ExecutorService threads)
            throws Exception {
        Throwable failure = null;
        for (int p = 0; p < players; p++) {
            try {
                done.take().get();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause() == null ? e : e.getCause();
                boolean follows = cause instanceof BrokenBarrierException || cause instanceof InterruptedException;
                if (failure == null || !follows) {
                    failure = cause;
                }
                threads.shutdownNow();
            }
        }
        if (failure instanceof Error error) {
            throw error;
        }
        if (failure instanceof Exception exception) {
            throw exception;
        }
    }

    private static List<StoreAnswer> answered(@Nullable StoreAnswer[] answers) {
        List<StoreAnswer> list = new ArrayList<>();
        for (StoreAnswer answer : Arrays.asList(answers)) {
            if (answer == null) {
                throw new AssertionError("a player has no answer");
            }
            list.add(answer);
        }
        return list;
    }
}
