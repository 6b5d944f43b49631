package dev.joblock.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Puts files into the inbox when their times have come, on a thread of its own, and writes down what it has delivered. The
 * ledger may be read by any thread.
 */
final class Deliverer implements AutoCloseable {

    /**
     * What was delivered.
     *
     * @param delivery the delivery
     * @param file its content
     */
    record Delivered(Delivery delivery, PartnerFile file) {}

    private static final long POLL_MS = 100;

    private final Path inbox;
    private final List<Delivery> plan;
    private final Predicate<Delivered> taken;
    private final Map<String, Delivered> last = new HashMap<>();
    private final List<Delivered> ledger = new CopyOnWriteArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = new Thread(this::deliverAll, "joblock-partners");

    private Deliverer(Path inbox, List<Delivery> plan, Predicate<Delivered> taken) {
        this.inbox = inbox;
        this.plan = List.copyOf(plan);
        this.taken = taken;
        thread.setDaemon(true);
    }

    /**
     * Begins to deliver.
     *
     * @param inbox where to
     * @param plan what, in the order of its times
     * @param taken whether a file has been taken, so that its partner may replace it
     * @return the deliverer
     */
    static Deliverer start(Path inbox, List<Delivery> plan, Predicate<Delivered> taken) {
        try {
            Files.createDirectories(inbox);
        } catch (IOException e) {
            throw new ClusterException("The inbox " + inbox + " can't be made: " + e, e);
        }
        Deliverer deliverer = new Deliverer(inbox, plan, taken);
        deliverer.thread.start();
        return deliverer;
    }

    /** What was delivered up to now, in the order of its delivery. */
    List<Delivered> ledger() {
        return List.copyOf(ledger);
    }

    /** Whether nothing more will come. */
    boolean isDone() {
        return ledger.size() == plan.size();
    }

    @Override
    public void close() {
        stopping.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliverAll() {
        List<Delivery> open = new ArrayList<>(plan);
        try {
            while (!open.isEmpty()) {
                Iterator<Delivery> next = open.iterator();
                while (next.hasNext()) {
                    Delivery delivery = next.next();
                    if (delivery.at().isAfter(Instant.now())) {
                        break;
                    }
                    if (mayDeliver(delivery)) {
                        deliver(delivery);
                        next.remove();
                    }
                }
                if (stopping.await(POLL_MS, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A partner who sends a file again has heard of the first before. */
    private boolean mayDeliver(Delivery delivery) {
        Delivered before = last.get(delivery.name());
        return before == null || taken.test(before);
    }

    /** Under another name first, so that nobody sees half a file. */
    private void deliver(Delivery delivery) throws IOException {
        PartnerFile file = PartnerFile.of(delivery);
        Path part = inbox.resolve(delivery.name() + ".part");
        Files.writeString(part, file.text(), StandardCharsets.UTF_8);
        Files.move(part, inbox.resolve(delivery.name()), StandardCopyOption.ATOMIC_MOVE);
        Delivered delivered = new Delivered(delivery, file);
        last.put(delivery.name(), delivered);
        ledger.add(delivered);
    }
}
