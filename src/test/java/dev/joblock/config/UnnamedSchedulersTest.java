package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.quartz.Scheduler;
import org.springframework.context.support.GenericXmlApplicationContext;

/** Applications whose scheduler factories have no name, of which Quartz would make one scheduler for the whole JVM. */
class UnnamedSchedulersTest {
    private static final String SCHEDULER =
            "<bean class=\"org.springframework.scheduling.quartz.SchedulerFactoryBean\"/>";

    private static GenericXmlApplicationContext start() {
        return Host.of(SCHEDULER + Host.IMPORT)
                .environment("joblock.quartz.jobs", "*")
                .start();
    }

    private static Scheduler scheduler(GenericXmlApplicationContext context) {
        return context.getBean(Scheduler.class);
    }

    @Test
    void threeStartsOneAfterTheOtherEachHaveASchedulerOfTheirOwn() throws Exception {
        for (int i = 0; i < 3; i++) {
            GenericXmlApplicationContext context = start();
            Scheduler scheduler = scheduler(context);
            assertThat(scheduler.isStarted()).isTrue();
            assertThat(scheduler.getListenerManager().getTriggerListeners()).hasSize(1);
            context.close();
            assertThat(scheduler.isShutdown()).isTrue();
        }
    }

    @Test
    void endOfOneApplicationLeavesTheSchedulerOfTheOtherRunning() throws Exception {
        try (GenericXmlApplicationContext first = start()) {
            GenericXmlApplicationContext second = start();
            assertThat(scheduler(first)).isNotSameAs(scheduler(second));

            second.close();

            assertThat(scheduler(first).isShutdown()).isFalse();
            assertThat(scheduler(first).getListenerManager().getTriggerListeners())
                    .hasSize(1);
        }
    }
}
