package dev.joblock.console;

import java.text.ParseException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.quartz.CronExpression;
import org.quartz.JobKey;
import org.quartz.TriggerKey;
import org.quartz.impl.triggers.CronTriggerImpl;
import org.springframework.beans.factory.FactoryBean;

/** A cron trigger for a job that is named, as XML can write it. */
public final class DemoTrigger implements FactoryBean<CronTriggerImpl> {

    private @Nullable String name;
    private @Nullable String jobName;
    private @Nullable String cronExpression;

    /** Filled by the context. */
    public DemoTrigger() {}

    /** Its name. */
    public void setName(String name) {
        this.name = name;
    }

    /** The name of its job. */
    public void setJobName(String jobName) {
        this.jobName = jobName;
    }

    /** When it fires. */
    public void setCronExpression(String cronExpression) {
        this.cronExpression = cronExpression;
    }

    @Override
    public CronTriggerImpl getObject() throws ParseException {
        CronTriggerImpl trigger = new CronTriggerImpl();
        trigger.setKey(new TriggerKey(Objects.requireNonNull(name)));
        trigger.setJobKey(new JobKey(Objects.requireNonNull(jobName)));
        trigger.setCronExpression(new CronExpression(Objects.requireNonNull(cronExpression)));
        trigger.setMisfireInstruction(CronTriggerImpl.MISFIRE_INSTRUCTION_DO_NOTHING);
        return trigger;
    }

    @Override
    public Class<?> getObjectType() {
        return CronTriggerImpl.class;
    }
}
