package dev.joblock.quartz;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobListener;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerListener;

/** A neighbour of the listener under test that writes down what Quartz tells it. */
final class RecordingListener implements TriggerListener, JobListener {
    private final String name = "recorder-" + UUID.randomUUID();
    final List<Call> calls = new CopyOnWriteArrayList<>();

    /** What one callback said. */
    record Call(
            String callback,
            String job,
            String trigger,
            Instant scheduled,
            @Nullable Throwable failure) {}

    List<Call> calls(String callback) {
        return calls.stream().filter(call -> call.callback.equals(callback)).toList();
    }

    List<Instant> slots(String callback) {
        return calls(callback).stream().map(Call::scheduled).toList();
    }

    long count(String callback, String job) {
        return calls(callback).stream().filter(call -> call.job.equals(job)).count();
    }

    long count(String callback) {
        return calls(callback).size();
    }

    private void add(String callback, JobExecutionContext context, @Nullable Throwable failure) {
        calls.add(new Call(
                callback,
                context.getJobDetail().getKey().getName(),
                context.getTrigger().getKey().getName(),
                context.getScheduledFireTime().toInstant(),
                failure));
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public void triggerFired(Trigger trigger, JobExecutionContext context) {
        add("fired", context, null);
    }

    @Override
    public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
        return false;
    }

    @Override
    public void triggerMisfired(Trigger trigger) {
        calls.add(new Call(
                "misfired", trigger.getJobKey().getName(), trigger.getKey().getName(), Instant.EPOCH, null));
    }

    @Override
    public void triggerComplete(
            Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction instruction) {
        add("complete", context, null);
    }

    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        add("toBeExecuted", context, null);
    }

    @Override
    public void jobExecutionVetoed(JobExecutionContext context) {
        add("vetoed", context, null);
    }

    @Override
    public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException exception) {
        add("executed", context, exception);
    }
}
