package dev.joblock.quartz;

import static org.awaitility.Awaitility.await;

import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.redis.HashTimestampStore;
import dev.joblock.redis.StatusTimeStore;
import dev.joblock.redis.TokenStore;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.spi.OperableTrigger;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;

/**
 * One node of a cluster in a test: a scheduler with its own RAMJobStore, a service with its own connections, the listener
 * under test, and a neighbour that writes down all callbacks. Nodes with one prefix on one Redis are a cluster.
 */
final class QuartzNode implements AutoCloseable {
    /** So long tests wait for what must come; far more than it takes. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final AtomicInteger COUNTER = new AtomicInteger();

    final String id;
    final Scheduler scheduler;
    final DefaultJobLockService service;
    final JobLockQuartzListener listener;
    final RecordingListener recorder = new RecordingListener();
    final RecordingOutcomes outcomes = new RecordingOutcomes();
    private final JedisConnectionFactory connections;

    QuartzNode(RedisServer redis, String prefix, Setup setup) {
        this(redis.host(), redis.port(), prefix, setup);
    }

    QuartzNode(String host, int port, String prefix, Setup setup) {
        id = "n" + COUNTER.incrementAndGet();
        connections = connections(host, port);
        JobLockPolicies policies = new JobLockPolicies(setup.defaults, setup.policies);
        service = service(id, connections, prefix, setup.askBudget, policies, outcomes);
        listener = new JobLockQuartzListener(service, policies);
        listener.setJobs(setup.jobs);
        try {
            scheduler = scheduler(setup.threads, setup.misfireThreshold);
            scheduler.getContext().put("node", id);
            scheduler.getListenerManager().addTriggerListener(recorder);
            scheduler.getListenerManager().addJobListener(recorder);
            if (setup.attach) {
                Wiring.attach(scheduler, listener);
            }
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    static DefaultJobLockService service(
            String id,
            JedisConnectionFactory connections,
            String prefix,
            Duration askBudget,
            JobLockPolicies policies,
            RecordingOutcomes outcomes) {
        RedisTemplate<Object, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(connections);
        template.afterPropertiesSet();
        DefaultJobLockService service = new DefaultJobLockService(
                id,
                askBudget,
                Map.of(
                        LockMode.HASH_TIMESTAMP, new HashTimestampStore(template, prefix),
                        LockMode.STATUS_TIME, new StatusTimeStore(template, prefix),
                        LockMode.TOKEN, new TokenStore(template, prefix)),
                policies,
                List.of(outcomes));
        // Connects and loads classes now, so that the first fire is not late.
        // On a busy machine that alone may take longer than a short budget.
        await().atMost(PATIENCE)
                .until(() -> service.run(
                                JobRun.exclusive("warm-up").withLockName("warm-up " + UUID.randomUUID()), () -> {})
                        .isGranted());
        await().atMost(PATIENCE).until(() -> outcomes.ended.size() == 1);
        outcomes.denied.clear();
        outcomes.granted.clear();
        outcomes.ended.clear();
        return service;
    }

    /** How nodes of a test differ from the usual: all jobs guarded, ten workers, no misfires, lease 30 s. */
    static final class Setup {
        String jobs = "*";
        int threads = 10;
        Duration misfireThreshold = Duration.ofMinutes(1);
        Duration askBudget = Duration.ofSeconds(20);
        JobLockPolicy defaults = new JobLockPolicy();
        List<JobLockPolicy> policies = List.of();
        boolean attach = true;

        Setup jobs(String patterns) {
            jobs = patterns;
            return this;
        }

        Setup threads(int number) {
            threads = number;
            return this;
        }

        Setup misfireThreshold(Duration threshold) {
            misfireThreshold = threshold;
            return this;
        }

        Setup askBudget(Duration budget) {
            askBudget = budget;
            return this;
        }

        Setup policies(JobLockPolicy... some) {
            policies = List.of(some);
            return this;
        }

        Setup mode(LockMode mode) {
            defaults.setMode(mode.toString());
            return this;
        }

        Setup unattached() {
            attach = false;
            return this;
        }
    }

    static Setup setup() {
        return new Setup();
    }

    /** A prefix that no other test has. */
    static String newPrefix() {
        return "test:" + UUID.randomUUID() + ":";
    }

    static JedisConnectionFactory connections(String host, int port) {
        JedisConnectionFactory factory = new JedisConnectionFactory(
                new RedisStandaloneConfiguration(host, port),
                JedisClientConfiguration.builder().usePooling().build());
        factory.afterPropertiesSet();
        return factory;
    }

    static Scheduler scheduler(int threads, Duration misfireThreshold) throws SchedulerException {
        Properties properties = new Properties();
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, "test-" + UUID.randomUUID());
        properties.setProperty(StdSchedulerFactory.PROP_THREAD_POOL_CLASS, SimpleThreadPool.class.getName());
        properties.setProperty("org.quartz.threadPool.threadCount", Integer.toString(threads));
        properties.setProperty(StdSchedulerFactory.PROP_JOB_STORE_CLASS, RAMJobStore.class.getName());
        properties.setProperty("org.quartz.jobStore.misfireThreshold", Long.toString(misfireThreshold.toMillis()));
        return new StdSchedulerFactory(properties).getScheduler();
    }

    QuartzNode schedule(JobDetail job, Trigger... triggers) throws SchedulerException {
        scheduler.addJob(job.getJobBuilder().storeDurably().build(), true);
        for (Trigger trigger : triggers) {
            // Not by its builder, which forgets the repeat count of a daily-time-interval trigger.
            OperableTrigger copy = (OperableTrigger) ((OperableTrigger) trigger).clone();
            copy.setJobKey(job.getKey());
            scheduler.scheduleJob(copy);
        }
        return this;
    }

    QuartzNode start() throws SchedulerException {
        scheduler.start();
        return this;
    }

    /** Whether no denied run is asked for again. */
    boolean asksNothing() {
        return service.pendingRuns() == 0;
    }

    static JobDetail job(String name) {
        return JobBuilder.newJob(ShortJob.class).withIdentity(name).build();
    }

    @Override
    public void close() {
        try {
            scheduler.shutdown(true);
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
        service.close();
        connections.destroy();
    }
}
