package dev.joblock.cluster.faults;

import dev.joblock.cluster.HostPort;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The line from a node to its Redis: a TCP proxy that is slow, silent or cut when it is told to be. Thread-safe. */
final class Line implements AutoCloseable {

    private static final long LOOK_MILLIS = 10;

    private final HostPort server;
    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "line");
        thread.setDaemon(true);
        return thread;
    });
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asks = new AtomicInteger();
    private volatile long delayMillis;
    private volatile boolean silent;
    private volatile int cutOneIn;
    private volatile int holdOneIn;
    private volatile long holdMillis;

    Line(HostPort server) {
        this.server = server;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    HostPort address() {
        return HostPort.loopback(listener.getLocalPort());
    }

    /** From now on each answer comes so much later. */
    void delayAnswers(Duration by) {
        delayMillis = by.toMillis();
    }

    /** From now on connections open, and nothing goes through. What is sent arrives when the line is healed. */
    void fallSilent() {
        silent = true;
    }

    /** From now on, of so many scripts and transactions one loses its answer: it is sent, and then the connection is cut. */
    void cutAfterOneIn(int many) {
        cutOneIn = many;
    }

    /** From now on, of so many scripts and transactions one stays on the way for a while, and arrives all the same. */
    void holdOneIn(int many, Duration time) {
        holdMillis = time.toMillis();
        holdOneIn = many;
    }

    /** From now on everything goes through at once. */
    void heal() {
        delayMillis = 0;
        silent = false;
        cutOneIn = 0;
        holdOneIn = 0;
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(Line::closeQuietly);
        threads.shutdownNow();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                open.add(client);
                threads.execute(() -> connect(client));
            }
        } catch (IOException e) {
            close();
        }
    }

    private void connect(Socket client) {
        try {
            Socket upstream = new Socket(server.host(), server.port());
            open.add(upstream);
            client.setTcpNoDelay(true);
            upstream.setTcpNoDelay(true);
            threads.execute(() -> pump(client, upstream, true));
            pump(upstream, client, false);
        } catch (IOException e) {
            closeQuietly(client); // as if the server itself had refused
        }
    }

    private void pump(Socket from, Socket to, boolean requests) {
        byte[] buffer = new byte[16_384];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                boolean cut = requests && pass(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                while (silent) {
                    TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                }
                if (!requests && delayMillis > 0) {
                    TimeUnit.MILLISECONDS.sleep(delayMillis);
                }
                out.write(buffer, 0, n);
                out.flush();
                if (cut) {
                    // The client is gone at once; the server reads to the end of what was sent.
                    closeQuietly(from);
                    to.shutdownOutput();
                    return;
                }
            }
        } catch (IOException e) {
            // One side has ended the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closeQuietly(from);
        closeQuietly(to);
    }

    /** Holds a request if it is its turn; true if the connection is to be cut after it. */
    private boolean pass(String request) throws InterruptedException {
        boolean ask = request.contains("EVAL") || request.contains("EXEC");
        int oneIn = Math.max(cutOneIn, holdOneIn);
        if (!ask || oneIn == 0 || asks.incrementAndGet() % oneIn != 0) {
            return false;
        }
        if (holdOneIn > 0) {
            TimeUnit.MILLISECONDS.sleep(holdMillis);
        }
        return cutOneIn > 0;
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException e) {
            // It is of no more use either way.
        }
    }
}
