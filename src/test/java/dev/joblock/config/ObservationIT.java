package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.testing.RecordedObservations;
import dev.joblock.testing.RedisExtension;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Two applications with Quartz and a registry of observations, as XML declares them. */
class ObservationIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.shared();

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String QUARTZ = """
            <bean id="invoice" class="org.springframework.scheduling.quartz.MethodInvokingJobDetailFactoryBean"
                  p:targetObject-ref="work" p:targetMethod="run"/>
            <bean id="trigger" class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                  p:jobDetail-ref="invoice" p:cronExpression="* * * * * ?"/>
            <bean id="scheduler" class="org.springframework.scheduling.quartz.SchedulerFactoryBean"
                  p:waitForJobsToCompleteOnShutdown="true">
                <property name="triggers"><list><ref bean="trigger"/></list></property>
            </bean>
            """;

    private final String prefix = "observed:" + UUID.randomUUID() + ":";

    /** The job: fails each second time. */
    public static final class Work {
        final RecordedObservations recorded;
        final List<String> seen = new CopyOnWriteArrayList<>();

        Work(RecordedObservations recorded) {
            this.recorded = recorded;
        }

        public void run() {
            seen.add(recorded.current());
            if (seen.size() % 2 == 0) {
                throw new IllegalStateException("no paper");
            }
        }
    }

    @Test
    void eachRunOfAQuartzJobIsOneObservationOnTheNodeThatRan() {
        List<Work> works = new ArrayList<>();
        List<GenericXmlApplicationContext> nodes = new ArrayList<>();
        try {
            for (int n = 0; n < 2; n++) {
                Work work = new Work(new RecordedObservations());
                works.add(work);
                nodes.add(Host.of(QUARTZ + Host.IMPORT)
                        .singleton("work", work)
                        .singleton("registry", work.recorded.registry())
                        .environment("joblock.quartz.jobs", "*")
                        .environment("joblock.prefix", prefix)
                        .environment("joblock.node-id", "n" + n)
                        .environment("joblock.ask-budget", "20s")
                        .environment("joblock.redis.host", redis.host())
                        .environment("joblock.redis.port", Integer.toString(redis.port()))
                        .start());
            }
            await().atMost(PATIENCE)
                    .until(() ->
                            works.stream().mapToInt(work -> work.seen.size()).sum() >= 6);
        } finally {
            nodes.forEach(GenericXmlApplicationContext::close);
        }

        List<String> slots = new ArrayList<>();
        for (int n = 0; n < 2; n++) {
            Work work = works.get(n);
            String node = "n" + n;
            // A node may have won none.
            assertThat(work.seen).allMatch("joblock.run"::equals);
            List<Observation.Context> stopped = work.recorded.stopped();
            assertThat(stopped).hasSameSizeAs(work.seen);
            for (int run = 0; run < stopped.size(); run++) {
                Map<String, String> values = RecordedObservations.values(stopped.get(run));
                assertThat(values)
                        .containsEntry("job", "invoice")
                        .containsEntry("origin", "scheduled")
                        .containsEntry("node", node)
                        .containsKey("fencing.token");
                assertThat(values.get("outcome")).isIn("ran", "failed");
                assertThat(stopped.get(run).getError() != null).isEqualTo("failed".equals(values.get("outcome")));
                slots.add(values.get("slot"));
            }
            assertThat(stopped.stream().filter(context -> context.getError() != null))
                    .hasSize(work.seen.size() / 2)
                    .allSatisfy(context ->
                            assertThat(context.getError()).rootCause().hasMessage("no paper"));
        }
        assertThat(slots).hasSizeGreaterThanOrEqualTo(6).doesNotHaveDuplicates();
    }
}
