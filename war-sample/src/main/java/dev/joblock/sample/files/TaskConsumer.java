package dev.joblock.sample.files;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;

/**
 * Takes tasks from the queue for as long as the application runs, on threads of its own; first those that another node
 * has left unfinished. A task that throws is not done: it stays pending, and is taken over after the time-out.
 */
public class TaskConsumer implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(TaskConsumer.class);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final int AT_ONCE = 10;
    private static final long STOP_MILLIS = 10_000;

    private final TaskQueue queue;
    private final FileWatcher watcher;
    private final FileStates states;
    private final String node;
    private final int threads;
    private final Duration timeout;
    private final List<Thread> running = new ArrayList<>();
    private volatile boolean stopping;

    /**
     * A consumer.
     *
     * @param queue the queue
     * @param watcher does the tasks
     * @param states told of tasks that were taken over
     * @param node this node's name
     * @param threads how many
     * @param timeoutMillis when a task that was taken and not done is handed to another; longer than a task may take
     */
    public TaskConsumer(
            TaskQueue queue, FileWatcher watcher, FileStates states, String node, int threads, long timeoutMillis) {
        this.queue = queue;
        this.watcher = watcher;
        this.states = states;
        this.node = node;
        this.threads = threads;
        this.timeout = Duration.ofMillis(timeoutMillis);
    }

    @Override
    public synchronized void start() {
        stopping = false;
        for (int i = 1; i <= threads; i++) {
            String consumer = node + "/" + i;
            Thread thread = new Thread(() -> consume(consumer), "file-tasks-" + i);
            thread.setDaemon(true);
            thread.start();
            running.add(thread);
        }
    }

    /** Lets the tasks that are being done end. What is left of a batch is taken over by another node. */
    @Override
    public synchronized void stop() {
        stopping = true;
        for (Thread thread : running) {
            try {
                thread.join(STOP_MILLIS);
                thread.interrupt();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        running.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !running.isEmpty();
    }

    private void consume(String consumer) {
        while (!stopping && !Thread.currentThread().isInterrupted()) {
            try {
                queue.takeOver(consumer, AT_ONCE, timeout).forEach(this::workTakenOver);
                queue.take(consumer, AT_ONCE, WAIT).forEach(this::work);
            } catch (DataAccessException e) {
                LOG.warn(
                        "No tasks at present, trying again in a second: {}",
                        e.getMostSpecificCause().toString());
                recover();
            } catch (RuntimeException e) {
                LOG.error("No tasks at present, trying again in a second", e);
                recover();
            }
        }
    }

    private void workTakenOver(FileTask task) {
        LOG.info("The task '{}' for '{}' was left by '{}'; done here", task.id(), task.name(), task.takenFrom());
        states.takenOver(task, node);
        work(task);
    }

    private void work(FileTask task) {
        if (stopping) {
            return;
        }
        try {
            watcher.watch(task, node);
        } catch (IOException | RuntimeException e) {
            LOG.warn("The task for '{}' has failed; it will be tried again", task.name(), e);
            return;
        }
        queue.done(task);
    }

    /** After a second: Redis may have come back empty. */
    private void recover() {
        try {
            TimeUnit.MILLISECONDS.sleep(WAIT.toMillis());
            queue.createGroup();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DataAccessException e) {
            // Said already, and said again if it lasts.
        }
    }
}
