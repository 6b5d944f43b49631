package dev.joblock.scheduling;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.scheduling.annotation.Scheduled;

/** Beans with guarded methods. */
final class Locked {

    private Locked() {}

    interface Api {
        @Nullable
        String rebuild();
    }

    /** With an interface; may be injected by class. */
    static class Service implements Api {
        final AtomicInteger runs = new AtomicInteger();

        public Service() {}

        @Override
        @JobLocked(job = "rebuild-index", lease = "2m", maxHold = "${hold}")
        public @Nullable String rebuild() {
            runs.incrementAndGet();
            return "rebuilt";
        }

        @JobLocked(job = "${app}-#{#region}-#{#p1}")
        public void sync(String region, int part) {
            runs.incrementAndGet();
        }

        @JobLocked
        public Optional<String> find() {
            return Optional.of("found");
        }

        @JobLocked
        public CompletableFuture<String> later() {
            return new CompletableFuture<>();
        }

        public int runs() {
            return runs.get();
        }
    }

    /** Takes the bean by its class. */
    static class Client {
        private final Service service;

        Client(Service service) {
            this.service = service;
        }

        @Nullable
        String call() {
            return service.rebuild();
        }
    }

    static final class FinalWithInterface implements Api {
        @Override
        @JobLocked(job = "rebuild-index")
        public String rebuild() {
            return "rebuilt";
        }
    }

    static final class FinalWithout {
        @JobLocked
        public void work() {}
    }

    static class FinalMethod {
        @JobLocked
        public final void work() {}
    }

    static class PrivateMethod {
        @JobLocked
        @SuppressWarnings("UnusedMethod")
        private void work() {}
    }

    static class StaticMethod {
        @JobLocked
        public static void work() {}
    }

    static class Primitive {
        @JobLocked
        public int work() {
            return 1;
        }
    }

    static class PlainFuture {
        @JobLocked
        public @Nullable Future<String> work() {
            return null;
        }
    }

    static class SelfCall {
        @JobLocked
        public void work() {}

        public void all() {
            work();
        }
    }

    static class SelfCallWithArguments {
        @JobLocked(job = "#{#name}")
        public void work(String name, long id) {}

        public void all(String name) {
            this.work(name, 5L);
        }
    }

    static class SelfReference {
        @JobLocked
        public void work() {}

        public Runnable all() {
            return this::work;
        }
    }

    static class SelfCallInLambda {
        @JobLocked
        public void work() {}

        public Runnable all() {
            return () -> work();
        }
    }

    static class Parent {
        @JobLocked
        public void work() {}
    }

    static class Child extends Parent {
        @JobLocked
        @Override
        public void work() {
            super.work();
        }

        public void other(Child self) {
            self.work();
        }
    }

    static class UnknownArgument {
        @JobLocked(job = "sync-#{#regoin}")
        public void work(String region) {}
    }

    static class UnknownPlaceholder {
        @JobLocked(job = "${nowhere}")
        public void work() {}
    }

    static class BadLease {
        @JobLocked(lease = "30")
        public void work() {}
    }

    static class ShortHold {
        @JobLocked(lease = "2h", maxHold = "1h")
        public void work() {}
    }

    static class LongLease {
        @JobLocked(lease = "48h")
        public void work() {}
    }

    static class ScheduledToo {
        final AtomicInteger runs = new AtomicInteger();

        @JobLocked(job = "nightly")
        @Scheduled(cron = Beans.FAR)
        public void work() {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }

    /** A post-processor is made before ours is there. */
    static class TooEarly implements BeanPostProcessor, Ordered {
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @JobLocked
        public void work() {}
    }
}
