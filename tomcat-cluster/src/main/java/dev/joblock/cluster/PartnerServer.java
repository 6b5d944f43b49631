package dev.joblock.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The partner whom the sample calls: answers POST, and is away for the first call of every third slot or so. It writes
 * down what it was asked. Thread-safe.
 */
final class PartnerServer implements AutoCloseable {

    private static final String SLOT_HEADER = "Idempotency-Key";
    private static final int AWAY = 503;
    private static final int DONE = 204;
    private static final int NOT_ALLOWED = 405;

    /**
     * A call.
     *
     * @param path which address
     * @param slot whose call it is, as the caller says
     * @param status what was answered
     */
    record Call(String path, String slot, int status) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, "joblock-partner-server");
        thread.setDaemon(true);
        return thread;
    });
    private final List<Call> calls = new CopyOnWriteArrayList<>();

    private PartnerServer(HttpServer server) {
        this.server = server;
    }

    /** Starts on any free port of this machine. */
    static PartnerServer start() {
        try {
            HttpServer http =
                    HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0), 0);
            PartnerServer partner = new PartnerServer(http);
            http.setExecutor(partner.threads);
            http.createContext("/", partner::answer);
            http.start();
            return partner;
        } catch (IOException e) {
            throw new ClusterException("The partner's server can't be started: " + e, e);
        }
    }

    /** The first part of its addresses. */
    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The calls up to now. */
    List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Whether the first call of a slot finds nobody. */
    static boolean isAwayAtFirst(String slot) {
        return slot.hashCode() % 3 == 0;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String slot = String.valueOf(exchange.getRequestHeaders().getFirst(SLOT_HEADER));
            boolean first = calls.stream().noneMatch(call -> call.slot().equals(slot));
            int status = exchange.getRequestMethod().equals("POST")
                    ? first && isAwayAtFirst(slot) ? AWAY : DONE
                    : NOT_ALLOWED;
            calls.add(new Call(path, slot, status));
            exchange.sendResponseHeaders(status, -1);
        }
    }
}
