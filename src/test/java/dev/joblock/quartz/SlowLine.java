package dev.joblock.quartz;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A long line to a real server on this machine: each answer takes a while. */
final class SlowLine implements AutoCloseable {
    private final int server;
    private final Duration delay;
    private final ServerSocket listener;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    SlowLine(int serverPort, Duration delay) {
        this.server = serverPort;
        this.delay = delay;
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        threads.execute(this::accept);
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (closed.getCount() > 0) {
                Socket client = listener.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), server);
                sockets.add(client);
                sockets.add(upstream);
                threads.execute(() -> pump(client, upstream, Duration.ZERO));
                threads.execute(() -> pump(upstream, client, delay));
            }
        } catch (IOException e) {
            close();
        }
    }

    private void pump(Socket from, Socket to, Duration later) {
        byte[] buffer = new byte[8_192];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                if (closed.await(later.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
                out.write(buffer, 0, n);
                out.flush();
            }
            to.close();
        } catch (IOException | InterruptedException e) {
            close();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            listener.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            threads.shutdown();
        }
    }
}
