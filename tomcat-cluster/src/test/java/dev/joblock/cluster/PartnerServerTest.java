package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartnerServerTest {

    @Test
    void someSlotsFindNobodyAtFirstAndAllAreWrittenDown() throws Exception {
        String away = slot(true);
        String there = slot(false);
        try (PartnerServer partner = PartnerServer.start()) {
            assertThat(post(partner, there)).isEqualTo(204);
            assertThat(post(partner, away)).isEqualTo(503);
            assertThat(post(partner, away)).isEqualTo(204);
            assertThat(partner.calls())
                    .containsExactly(
                            new PartnerServer.Call("/x", there, 204),
                            new PartnerServer.Call("/x", away, 503),
                            new PartnerServer.Call("/x", away, 204));
        }
    }

    private static String slot(boolean away) {
        return IntStream.range(0, 100)
                .mapToObj(i -> "job@" + i)
                .filter(slot -> PartnerServer.isAwayAtFirst(slot) == away)
                .findFirst()
                .orElseThrow();
    }

    private static int post(PartnerServer partner, String slot) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(partner.address() + "/x"))
                .header("Idempotency-Key", slot)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }
}
