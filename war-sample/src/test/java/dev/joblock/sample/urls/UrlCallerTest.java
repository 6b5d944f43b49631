package dev.joblock.sample.urls;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UrlCallerTest {

    private static final Instant SLOT = Instant.parse("2026-11-30T12:00:00Z");

    private final Deque<Integer> answers = new ArrayDeque<>();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private HttpServer server;
    private String address;

    @BeforeEach
    void start() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            heard.add(exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst(UrlCaller.SLOT_HEADER));
            exchange.sendResponseHeaders(answers.remove(), -1);
            exchange.close();
        });
        server.createContext("/silent", exchange -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
        address = "http://127.0.0.1:" + server.getAddress().getPort() + "/";
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
    }

    @Test
    void aCallIsOnePostThatNamesTheSlot() {
        answers.add(204);

        assertThat(caller(10_000).call("job", SLOT, address)).isEqualTo(new UrlCaller.Outcome(1, "204"));
        assertThat(heard).containsExactly("POST job@2026-11-30T12:00:00Z");
    }

    @Test
    void aPartnerWhoIsAwayIsCalledAgainForTheSameSlot() {
        answers.addAll(List.of(503, 500, 200));

        assertThat(caller(10_000).call("job", SLOT, address)).isEqualTo(new UrlCaller.Outcome(3, "200"));
        assertThat(heard).hasSize(3).containsOnly("POST job@2026-11-30T12:00:00Z");
    }

    @Test
    void itIsCalledThreeTimesAtTheMost() {
        answers.addAll(List.of(503, 503, 503, 503));

        assertThat(caller(10_000).call("job", SLOT, address)).isEqualTo(new UrlCaller.Outcome(3, "503"));
        assertThat(heard).hasSize(3);
    }

    @Test
    void aRefusalIsFinal() {
        answers.add(404);

        assertThat(caller(10_000).call("job", SLOT, address)).isEqualTo(new UrlCaller.Outcome(1, "404"));
    }

    @Test
    void aPartnerWhoDoesNotAnswerInTimeIsLeft() {
        UrlCaller.Outcome outcome = caller(200).call("job", SLOT, address + "silent");

        assertThat(outcome.attempts()).isEqualTo(3);
        assertThat(outcome.answer()).contains("HttpTimeoutException");
    }

    @Test
    void nobodyThereIsSaid() {
        server.stop(0);

        UrlCaller.Outcome outcome = caller(10_000).call("job", SLOT, address);

        assertThat(outcome.attempts()).isEqualTo(3);
        assertThat(outcome.answer()).contains("ConnectException");
    }

    private static UrlCaller caller(long timeoutMillis) {
        return new UrlCaller(timeoutMillis, 3, 1);
    }
}
