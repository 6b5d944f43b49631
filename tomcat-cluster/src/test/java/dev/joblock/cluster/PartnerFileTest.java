package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.cluster.Delivery.Kind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PartnerFileTest {

    private static final String GOOD = "R\\d{6};\\d{4}-\\d{1,2};\\d+\\.\\d\\d;2026-11-\\d\\d";

    @ParameterizedTest
    @EnumSource(Kind.class)
    void whatIsSaidOfAContentIsTrue(Kind kind) {
        for (int lines = 40; lines < 400; lines += 17) {
            PartnerFile file = PartnerFile.of(delivery(kind, 1, lines));
            List<String> all = file.text().lines().toList();
            List<String> data = all.stream()
                    .filter(line -> !line.startsWith("reference;") && !line.startsWith("#"))
                    .toList();
            long good = data.stream().filter(line -> line.matches(GOOD)).count();
            assertThat(good).isEqualTo(file.rows());
            if (kind != Kind.GARBAGE) {
                assertThat(data.size() - good).isEqualTo(file.broken());
            }
            assertThat(all.get(all.size() - 1).equals("# end " + data.size())).isEqualTo(file.complete());
            assertThat(data).filteredOn(line -> line.matches(GOOD)).doesNotHaveDuplicates();
        }
    }

    @Test
    void eachStateIsWhatItsNameSays() {
        assertThat(PartnerFile.of(delivery(Kind.WHOLE, 1, 100)).rows()).isEqualTo(100);
        assertThat(PartnerFile.of(delivery(Kind.BAD_LINES, 1, 100)).broken()).isBetween(1, 5);
        assertThat(PartnerFile.of(delivery(Kind.TRUNCATED, 1, 100)).complete()).isFalse();
        assertThat(PartnerFile.of(delivery(Kind.GARBAGE, 1, 100)).rows()).isZero();
    }

    @Test
    void equalDeliveriesHaveEqualContentsAndOthersOthers() {
        PartnerFile file = PartnerFile.of(delivery(Kind.WHOLE, 1, 100));

        assertThat(PartnerFile.of(delivery(Kind.WHOLE, 1, 100)).checksum())
                .isEqualTo(file.checksum())
                .hasSize(64);
        assertThat(PartnerFile.of(delivery(Kind.WHOLE, 2, 100)).checksum()).isNotEqualTo(file.checksum());
    }

    private static Delivery delivery(Kind kind, int number, int lines) {
        return new Delivery(Instant.EPOCH, "a.csv", number, kind, false, lines);
    }
}
