package dev.joblock.cluster;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Shows the sample on several Tomcats until it is interrupted: {@code mvn -f reactor.xml -Pup package}.
 *
 * <p>It runs inside Maven's own JVM, so that a signal to Maven reaches the shutdown hook, which ends all processes.
 */
public final class Up {

    private final PrintStream out;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicReference<@Nullable Cluster> cluster = new AtomicReference<>();

    private Up(PrintStream out) {
        this.out = out;
    }

    /**
     * Starts the cluster and shows it until a signal ends this JVM; ends it with 1 if something fails. Never returns.
     *
     * @param args none; the options are system properties, see {@link ClusterOptions}
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws InterruptedException {
        Up up = new Up(System.out);
        Runtime.getRuntime().addShutdownHook(new Thread(up::stop, "joblock-up-stop"));
        try {
            up.run(System.getProperties());
        } catch (ClusterException | SQLException e) {
            up.fail(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            e.printStackTrace(up.out);
            up.fail(e.toString());
        }
        // Not to return while the hook works: Maven would close the class loader under it. The JVM ends with the hook.
        new CountDownLatch(1).await();
    }

    private void run(Properties properties) throws SQLException, InterruptedException {
        ClusterOptions options = ClusterOptions.from(properties);
        out.println();
        out.println("Joblock sample: " + options.nodes() + " Tomcats, one run.");
        PartnerServer partner = PartnerServer.start(); // its threads are daemons: it ends with this JVM
        Cluster started = new Cluster(
                options.with(Map.of("sample.urls.base", partner.address())),
                Layout.from(properties, "up"),
                line -> out.println("  " + line));
        cluster.set(started);
        if (stopping.getCount() > 0) {
            started.start();
            new LiveView(started, out).show(stopping);
        }
    }

    private void fail(String message) {
        // While everything is being stopped on purpose, things fail; that is nobody's business.
        if (stopping.getCount() > 0) {
            out.println();
            out.println("Joblock sample stopped: " + message);
            out.println();
            System.exit(1);
        }
    }

    /** Called once, by the shutdown hook. */
    private void stop() {
        stopping.countDown();
        Cluster running = cluster.get();
        if (running != null && !running.processes().isEmpty()) {
            long before =
                    running.processes().stream().filter(ProcessHandle::isAlive).count();
            out.println();
            out.println("Stopping " + before + " processes ...");
            running.close();
            long left =
                    running.processes().stream().filter(ProcessHandle::isAlive).count();
            out.println(left == 0 ? "Stopped. Nothing is left running." : left + " processes could not be stopped.");
        }
    }
}
