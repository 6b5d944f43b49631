package dev.joblock.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.JobCatalog;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobLockService;
import dev.joblock.RegisteredJob;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.context.support.GenericXmlApplicationContext;

class CatalogTest {
    /** Named by a string in the XML. */
    private static final Class<?> JOB = ShortJob.class;

    @Test
    void theJobsOfTheSchedulersAreListedWithTriggerScheduleZoneAndNextSlot() {
        String xml = """
                <bean id="invoice" class="org.springframework.scheduling.quartz.JobDetailFactoryBean"
                      p:jobClass="%s" p:group="nightly"/>
                <bean id="daily" class="org.springframework.scheduling.quartz.CronTriggerFactoryBean"
                      p:jobDetail-ref="invoice" p:cronExpression="0 0 3 * * ?" p:timeZone="Europe/Berlin"/>
                """.formatted(JOB.getName())
                + Host.job("other", "otherTrigger", "0 0 4 * * ?")
                + Host.scheduler("scheduler", "", Host.ref("daily"), Host.ref("otherTrigger"));
        JobLockPolicy policy = new JobLockPolicy();
        policy.setJobs("nightly.*");
        policy.setLockName("shared");
        try (GenericXmlApplicationContext context =
                Host.start(Mockito.mock(JobLockService.class), new JobLockPolicy[] {policy}, Host.kit(""), xml)) {
            JobCatalog catalog = context.getBean("kitAttacher", JobCatalog.class);
            List<RegisteredJob> jobs = catalog.jobs();
            assertThat(jobs).extracting(RegisteredJob::job).containsExactlyInAnyOrder("nightly.invoice", "other");
            RegisteredJob invoice =
                    jobs.stream().filter(RegisteredJob::isGuarded).findFirst().get();
            assertThat(invoice.job()).isEqualTo("nightly.invoice");
            assertThat(invoice.lockName()).isEqualTo("shared");
            assertThat(invoice.trigger()).isEqualTo("daily");
            assertThat(invoice.schedule()).isEqualTo("cron 0 0 3 * * ?");
            assertThat(invoice.zone()).isEqualTo("Europe/Berlin");
            assertThat(invoice.next()).isPresent();
            assertThat(catalog.threads()).isEqualTo(10);
            assertThat(catalog.busyThreads()).isZero();
        }
    }
}
