package dev.joblock.sample;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.web.HttpRequestHandler;

/** The meters of this node as text, for Prometheus to read. */
public class MetricsPage implements HttpRequestHandler {

    private final PrometheusMeterRegistry meters;

    /**
     * A page.
     *
     * @param meters where Joblock measures, since it is the application's only registry
     */
    public MetricsPage(PrometheusMeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain; version=0.0.4; charset=utf-8");
        response.getOutputStream().write(meters.scrape().getBytes(StandardCharsets.UTF_8));
    }
}
