package dev.joblock.sample.urls;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.HttpServerErrorException;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestClientResponseException;

/**
 * Calls a URL by POST, with time-outs, and again if the other side is away (no connection, no answer in time, a status of
 * 500 or more). A header names the slot, so that the other side can tell a repeated call from a new one. Thread-safe.
 */
public class UrlCaller implements DisposableBean {

    /** The header that is equal in all calls of one slot. */
    public static final String SLOT_HEADER = "Idempotency-Key";

    /**
     * What came of a call.
     *
     * @param attempts how often it was sent
     * @param answer the status, or what went wrong
     */
    public record Outcome(int attempts, String answer) {}

    private final HttpClient connections;
    private final RestClient client;
    private final RetryTemplate retries;

    /**
     * A caller.
     *
     * @param timeoutMillis how long to wait for a connection, and as long again for an answer
     * @param attempts how often to send a call at the most
     * @param pauseMillis how long to wait before the second; twice as long before each further one
     */
    public UrlCaller(long timeoutMillis, int attempts, long pauseMillis) {
        Duration timeout = Duration.ofMillis(timeoutMillis);
        this.connections = HttpClient.newBuilder().connectTimeout(timeout).build();
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(connections);
        requests.setReadTimeout(timeout);
        this.client = RestClient.builder().requestFactory(requests).build();
        this.retries = new RetryTemplate(RetryPolicy.builder()
                .maxRetries(attempts - 1L)
                .delay(Duration.ofMillis(pauseMillis))
                .multiplier(2)
                .includes(ResourceAccessException.class, HttpServerErrorException.class)
                .build());
    }

    /**
     * Calls.
     *
     * @param job the job on whose behalf
     * @param slot its slot
     * @param url where to
     * @return what came of it
     */
    public Outcome call(String job, Instant slot, String url) {
        int[] attempts = {0};
        try {
            int status = retries.execute(() -> {
                attempts[0]++;
                return client.post()
                        .uri(url)
                        .header(SLOT_HEADER, job + "@" + slot)
                        .retrieve()
                        .toBodilessEntity()
                        .getStatusCode()
                        .value();
            });
            return new Outcome(attempts[0], String.valueOf(status));
        } catch (RetryException e) {
            return new Outcome(attempts[0], text(e.getLastException()));
        }
    }

    /** From Java 21 on a client can be closed; before, its threads end when nobody refers to it any more. */
    @Override
    public void destroy() throws Exception {
        if (connections instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    private static String text(Throwable failure) {
        if (failure instanceof RestClientResponseException response) {
            return String.valueOf(response.getStatusCode().value());
        }
        Throwable cause =
                failure instanceof RestClientException && failure.getCause() instanceof IOException io ? io : failure;
        return cause.toString();
    }
}
