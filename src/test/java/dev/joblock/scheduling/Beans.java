package dev.joblock.scheduling;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Beans of hosts in tests; far schedules, so that nothing runs unless a test runs it. */
final class Beans {

    static final String FAR = "0 0 3 1 1 *";

    private Beans() {}

    /** Scheduled in XML. */
    static class Plain {
        final AtomicInteger runs = new AtomicInteger();

        public void work() {
            runs.incrementAndGet();
        }

        public void other() {
            runs.incrementAndGet();
        }

        public CompletableFuture<String> later() {
            return future;
        }

        final CompletableFuture<String> future = new CompletableFuture<>();

        public void failing() {
            throw new IllegalArgumentException("broken");
        }
    }

    interface Api {
        void nightly();

        int runs();
    }

    /** Two crons on one method, a rate and a delay. */
    static class Annotated implements Api {
        final AtomicInteger runs = new AtomicInteger();

        @Override
        @Scheduled(cron = FAR)
        @Scheduled(cron = "0 0 4 1 1 *", zone = "Europe/Berlin")
        public void nightly() {
            runs.incrementAndGet();
        }

        @Override
        public int runs() {
            return runs.get();
        }
    }

    static class Intervals {
        @Scheduled(fixedRate = 3_600_000, initialDelay = 3_600_000)
        public void rate() {}

        @Scheduled(fixedDelay = 7_200_000, initialDelay = 3_600_000)
        public void delay() {}
    }

    static class PrivateMethod {
        @Scheduled(cron = FAR)
        @SuppressWarnings("UnusedMethod")
        private void secret() {}
    }

    static class AsyncVoid {
        @Async
        @Scheduled(cron = FAR)
        public void fire() {}
    }

    static class Reactive {
        @Scheduled(cron = FAR)
        public Flow.@Nullable Publisher<String> stream() {
            return null;
        }
    }

    static class Once {
        @Scheduled(initialDelay = 3_600_000)
        public void warmUp() {}
    }

    static class Outer {
        private @Nullable Object inner;

        public void setInner(Object inner) {
            this.inner = inner;
        }

        @Nullable
        Object inner() {
            return inner;
        }
    }

    @EnableScheduling
    static class Enabling {}

    static class Configuring implements SchedulingConfigurer {
        @Override
        public void configureTasks(ScheduledTaskRegistrar registrar) {
            registrar.addCronTask(new Lambda(), FAR);
        }
    }

    static class Lambda implements Runnable {
        @Override
        public void run() {}
    }
}
