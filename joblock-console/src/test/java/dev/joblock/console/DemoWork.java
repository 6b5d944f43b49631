package dev.joblock.console;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** What the jobs of all nodes in this JVM do, and how often they did it. */
public final class DemoWork {

    private static final Map<String, AtomicInteger> RUNS = new ConcurrentHashMap<>();
    private static volatile CountDownLatch hold = new CountDownLatch(0);

    /** Made by the context of each node. */
    public DemoWork() {}

    static int runs(String job) {
        return RUNS.computeIfAbsent(job, name -> new AtomicInteger()).get();
    }

    /** From now on {@code rebuildIndex} works until it is let go. */
    static void hold() {
        hold = new CountDownLatch(1);
    }

    static void letGo() {
        hold.countDown();
    }

    void run(String job) throws InterruptedException {
        int run = RUNS.computeIfAbsent(job, name -> new AtomicInteger()).incrementAndGet();
        switch (job) {
            case "rebuildIndex" -> hold.await();
            case "importPrices" ->
                Thread.sleep(1200 + (run * 37 % 11) * 90L); // work, so that there is something to draw
            case "syncOrders" -> Thread.sleep(60 + (run * 53 % 17) * 22L);
            case "sendInvoices" -> {
                Thread.sleep(250 + (run * 29 % 7) * 40L);
                if (run % 4 == 3) {
                    throw new IllegalStateException("The mail server <mx1> refused invoice 4711");
                }
            }
            default -> {
                // Done at once.
            }
        }
    }
}
