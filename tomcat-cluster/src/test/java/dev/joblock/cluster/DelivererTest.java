package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.joblock.cluster.Delivery.Kind;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DelivererTest {

    private final Instant now = Instant.now().minusSeconds(1);

    @TempDir
    private Path folder;

    @Test
    void whatIsDueIsDeliveredAndStandsInTheLedger() {
        Delivery due = delivery("a.csv", 1, now);
        Delivery later = delivery("b.csv", 1, now.plusSeconds(3_600));
        try (Deliverer partners = Deliverer.start(folder.resolve("inbox"), List.of(due, later), before -> true)) {
            await().until(() -> partners.ledger().size() == 1);

            PartnerFile file = PartnerFile.of(due);
            assertThat(partners.ledger()).containsExactly(new Deliverer.Delivered(due, file));
            assertThat(folder.resolve("inbox/a.csv")).content().isEqualTo(file.text());
            assertThat(folder.resolve("inbox")).isDirectoryNotContaining("glob:**.part");
            assertThat(partners.isDone()).isFalse();
        }
        assertThat(folder.resolve("inbox/b.csv")).doesNotExist();
    }

    @Test
    void aFileIsNotReplacedBeforeItWasTakenAndHoldsUpNoOther() {
        AtomicBoolean taken = new AtomicBoolean();
        List<Delivery> plan = List.of(delivery("a.csv", 1, now), delivery("a.csv", 2, now), delivery("b.csv", 1, now));
        try (Deliverer partners = Deliverer.start(folder, plan, before -> taken.get())) {
            await().until(() -> partners.ledger().size() == 2);
            assertThat(partners.ledger())
                    .extracting(one -> one.delivery().name())
                    .containsExactly("a.csv", "b.csv");

            taken.set(true);
            await().until(partners::isDone);
            assertThat(folder.resolve("a.csv"))
                    .content()
                    .isEqualTo(PartnerFile.of(plan.get(1)).text());
        }
    }

    private static Delivery delivery(String name, int number, Instant at) {
        return new Delivery(at, name, number, Kind.WHOLE, false, 40);
    }
}
