package dev.joblock.history;

import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.joblock.HistoryStore;
import dev.joblock.JobAlarm;
import dev.joblock.JobCatalog;
import dev.joblock.JobStates;
import dev.joblock.LockViews;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class AlarmsTest {

    /** An Error too, such as one of a library that is missing, would end a periodic task without a word. */
    @Test
    void watchGoesOnAfterAnError() {
        AtomicInteger looks = new AtomicInteger();
        JobCatalog catalog = mock(JobCatalog.class);
        when(catalog.jobs()).then(call -> {
            if (looks.incrementAndGet() == 1) {
                throw new StackOverflowError("once");
            }
            return List.of();
        });
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("alarm", (JobAlarm) alarm -> {});
        beans.registerSingleton("catalog", catalog);
        Alarms alarms = new Alarms(
                new Ledger(null, "n1"), mock(HistoryStore.class), mock(LockViews.class), mock(JobStates.class));
        alarms.setEvery("1ms");
        alarms.setBeanFactory(beans);
        try {
            alarms.afterSingletonsInstantiated();

            await().atMost(Duration.ofSeconds(20)).until(() -> looks.get() > 1);
        } finally {
            alarms.destroy();
        }
    }
}
