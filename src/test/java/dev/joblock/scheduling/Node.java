package dev.joblock.scheduling;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.JobLock;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockService;
import dev.joblock.JobRun;
import dev.joblock.testing.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.scheduling.annotation.Scheduled;

/** One node of a cluster: an XML application that imports the kit. Nodes of one prefix on one Redis are a cluster. */
final class Node implements AutoCloseable {

    static final String IMPORT = "<import resource=\"classpath:spring/joblock.xml\"/>";
    static final String POOL =
            "<bean id=\"pool\" class=\"org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler\" p:poolSize=\"4\""
                    + " p:waitForTasksToCompleteOnShutdown=\"true\" p:awaitTerminationSeconds=\"30\"/>";

    final GenericXmlApplicationContext context = new GenericXmlApplicationContext();
    final Recorder recorder = new Recorder();

    private Node() {}

    static Node start(RedisServer redis, String prefix, Map<String, String> settings, String... beans) {
        return start(null, redis, prefix, settings, beans);
    }

    static Node start(
            @Nullable ApplicationContext parent,
            RedisServer redis,
            String prefix,
            Map<String, String> settings,
            String... beans) {
        Node node = new Node();
        Map<String, Object> properties = new HashMap<>(settings);
        properties.put("joblock.redis.host", redis.host());
        properties.put("joblock.redis.port", String.valueOf(redis.port()));
        properties.put("joblock.prefix", prefix);
        properties.putIfAbsent("joblock.ask-budget", "20s");
        properties.putIfAbsent("joblock.redis.timeout", "10s");
        node.context.setParent(parent);
        node.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
        node.context.getBeanFactory().registerSingleton("recorder", node.recorder);
        String xml = TestHost.HEAD + String.join("", beans) + "</beans>";
        node.context.load(new ByteArrayResource(xml.getBytes(StandardCharsets.UTF_8)));
        try {
            node.context.refresh();
        } catch (RuntimeException e) {
            node.context.close();
            throw e;
        }
        return node;
    }

    static String job(String id) {
        return "<bean id=\"" + id + "\" class=\"" + Job.class.getName()
                + "\"><constructor-arg ref=\"recorder\"/><constructor-arg ref=\"jobLockService\"/></bean>";
    }

    @Override
    public void close() {
        context.close();
    }

    /** One run of a job: when Redis granted it, and the slot if it has one. */
    record Run(JobRun run, Instant since) {
        Instant slot() {
            return run.slot().orElseThrow().scheduled();
        }
    }

    /** What happens on a node. */
    static final class Recorder implements JobLockListener {
        final List<Run> runs = new CopyOnWriteArrayList<>();
        final List<String> unguarded = new CopyOnWriteArrayList<>();
        final List<JobRun> asked = new CopyOnWriteArrayList<>();
        final List<Denied> denials = new CopyOnWriteArrayList<>();
        /** Of each denial its run, in the same order. */
        final List<JobRun> denied = new CopyOnWriteArrayList<>();

        @Override
        public void onGranted(JobLock lock) {
            asked.add(lock.run());
        }

        @Override
        public void onDenied(JobRun run, Denied why) {
            asked.add(run);
            denied.add(run);
            denials.add(why);
        }

        /** The runs that were denied for a reason. */
        List<JobRun> denied(DenialReason reason) {
            // A run stands in its list before its denial does.
            return IntStream.range(0, denials.size())
                    .filter(i -> denials.get(i).reason() == reason)
                    .mapToObj(denied::get)
                    .toList();
        }

        /** The slots that were denied for a reason. */
        Set<Instant> deniedSlots(DenialReason reason) {
            return denied(reason).stream()
                    .map(run -> run.slot().orElseThrow().scheduled())
                    .collect(Collectors.toSet());
        }

        List<Run> of(String job) {
            return runs.stream().filter(run -> run.run().job().equals(job)).toList();
        }
    }

    /** A job by XML or by annotation. */
    static class Job {
        private final Recorder recorder;
        private final JobLockService service;

        Job(Recorder recorder, JobLockService service) {
            this.recorder = recorder;
            this.service = service;
        }

        public void work() {
            service.current()
                    .ifPresentOrElse(
                            lock -> recorder.runs.add(new Run(lock.run(), lock.since())),
                            () -> recorder.unguarded.add("work"));
        }
    }

    /** The same with a cron of its own. */
    static class EverySecond extends Job {
        EverySecond(Recorder recorder, JobLockService service) {
            super(recorder, service);
        }

        @Override
        @Scheduled(cron = "* * * * * *")
        public void work() {
            super.work();
        }
    }
}
