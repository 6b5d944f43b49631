package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.JobLockPolicy;
import dev.joblock.testing.RedisExtension;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.quartz.InterruptableJob;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;

/** A job whose lease is lost is interrupted, and the next job on its worker is not. One worker, lease 3 s. */
class InterruptIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private final String prefix = QuartzNode.newPrefix();

    /** A job with Quartz' own way of being interrupted. */
    public static class Stoppable extends BodyJob implements InterruptableJob {
        static final CountDownLatch ASKED = new CountDownLatch(1);

        @Override
        public void interrupt() {
            ASKED.countDown();
        }
    }

    private QuartzNode node() {
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs("*");
        policy.setLease("3s");
        policy.setInterruptOnLoss("true");
        return new QuartzNode(
                redis.server(), prefix, QuartzNode.setup().threads(1).policies(policy));
    }

    private void lose(String job) {
        redis.server().call("DEL", prefix + job);
    }

    @Test
    void threadIsInterruptedAndItsFlagDoesNotReachTheNextJob() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        AtomicReference<Thread> worker = new AtomicReference<>();
        AtomicReference<Thread> next = new AtomicReference<>();
        AtomicBoolean flagOfNext = new AtomicBoolean(true);
        try (QuartzNode node = node()) {
            node.schedule(BodyJob.job("export", context -> {
                        worker.set(Thread.currentThread());
                        lose("export");
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            interrupted.set(true);
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .schedule(BodyJob.job("next", context -> {
                        flagOfNext.set(Thread.currentThread().isInterrupted());
                        next.set(Thread.currentThread());
                    }))
                    .start();

            node.scheduler.triggerJob(JobKey.jobKey("export"));
            await().atMost(QuartzNode.PATIENCE).untilTrue(interrupted);
            node.scheduler.triggerJob(JobKey.jobKey("next"));
            await().atMost(QuartzNode.PATIENCE).until(() -> next.get() != null);

            assertThat(next.get()).isSameAs(worker.get());
            assertThat(flagOfNext).isFalse();
        }
    }

    @Test
    void jobThatCanBeInterruptedByQuartzIsAskedThatWay() throws Exception {
        AtomicBoolean flag = new AtomicBoolean(true);
        CountDownLatch ended = new CountDownLatch(1);
        try (QuartzNode node = node()) {
            node.schedule(BodyJob.job(Stoppable.class, "polite", (JobExecutionContext context) -> {
                        lose("polite");
                        assertThat(Stoppable.ASKED.await(20, TimeUnit.SECONDS)).isTrue();
                        flag.set(Thread.currentThread().isInterrupted());
                        ended.countDown();
                    }))
                    .start();
            node.scheduler.triggerJob(JobKey.jobKey("polite"));

            assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(flag).isFalse();
        }
    }
}
