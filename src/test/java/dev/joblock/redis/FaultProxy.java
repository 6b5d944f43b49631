package dev.joblock.redis;

import dev.joblock.testing.RedisServer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands between a client and a real server and loses answers: from the first request on that holds a given word, what the
 * server says on that connection is swallowed, or ends the connection. The server has done what it was asked by then.
 */
final class FaultProxy implements AutoCloseable {
    private volatile RedisServer server;
    private final ServerSocket listener;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Closeable> open = new ConcurrentLinkedQueue<>();
    private volatile String word = "";
    private volatile boolean cut;

    FaultProxy(RedisServer server) {
        this.server = server;
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

    /** From now on the answer to a request with this word does not come. */
    void swallowAnswerTo(String requestWord) {
        cut = false;
        word = requestWord;
    }

    /** From now on the connection ends in place of the answer to a request with this word. */
    void cutAtAnswerTo(String requestWord) {
        cut = true;
        word = requestWord;
    }

    /** From now on new connections lead to another server, and those that there are stay, as behind a virtual address. */
    void pointTo(RedisServer other) {
        server = other;
    }

    /** From now on new connections are let through. */
    void heal() {
        word = "";
    }

    @Override
    public void close() {
        closeQuietly(listener);
        open.forEach(FaultProxy::closeQuietly);
        threads.shutdownNow();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                open.add(client);
                Socket upstream = new Socket(server.host(), server.port());
                open.add(upstream);
                Pipe pipe = new Pipe(client, upstream);
                threads.execute(pipe::requests);
                threads.execute(pipe::answers);
            }
        } catch (IOException closed) {
            close();
        }
    }

    private static void closeQuietly(Closeable closeable) {
        try {
            closeable.close();
        } catch (IOException ignored) {
            // It is of no more use either way.
        }
    }

    /** One connection. */
    private final class Pipe {
        private final Socket client;
        private final Socket upstream;
        private volatile boolean struck;

        Pipe(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        void requests() {
            pump(client, upstream, true);
        }

        void answers() {
            pump(upstream, client, false);
        }

        private void pump(Socket from, Socket to, boolean requests) {
            byte[] buffer = new byte[8_192];
            try {
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream();
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    if (requests) {
                        String text = new String(buffer, 0, n, StandardCharsets.ISO_8859_1);
                        struck |= !word.isEmpty() && text.contains(word);
                        out.write(buffer, 0, n);
                    } else if (!struck) {
                        out.write(buffer, 0, n);
                    } else if (cut) {
                        break;
                    }
                }
            } catch (IOException ended) {
                struck = true;
            }
            closeQuietly(client);
            closeQuietly(upstream);
        }
    }
}
