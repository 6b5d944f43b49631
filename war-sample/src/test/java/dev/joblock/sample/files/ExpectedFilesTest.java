package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.sample.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

class ExpectedFilesTest {

    private static final ClassPathResource CSV = new ClassPathResource("expected-files.csv");

    private final TestDatabase database = new TestDatabase();

    @Test
    void theCsvIsTheOneThatItsGeneratorMakes() throws Exception {
        assertThat(CSV.getContentAsString(StandardCharsets.UTF_8)).isEqualTo(ExpectedFilesCsv.text());
        assertThat(ExpectedFilesCsv.text().lines()).hasSizeGreaterThan(500).doesNotHaveDuplicates();
    }

    @Test
    void nodesThatStartAtOnceFillTheTableOnce() throws Exception {
        int nodes = 4;
        CyclicBarrier together = new CyclicBarrier(nodes);
        ExecutorService threads = Executors.newFixedThreadPool(nodes);
        try {
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < nodes; i++) {
                ExpectedFiles files = new ExpectedFiles(database.source(), database.transactionManager(), CSV, 60);
                starts.add(threads.submit(() -> {
                    together.await();
                    files.afterPropertiesSet();
                    return files.names().size();
                }));
            }
            for (Future<?> start : starts) {
                assertThat(start.get()).isEqualTo(520);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theDayBeginsWithTheFirstStartAndItsHoursAreAsLongAsOneLikes() {
        ExpectedFiles files = files("late.csv,b,07:30", "early.csv,a,06:00");

        files.afterPropertiesSet();

        assertThat(files.names()).containsExactly("early.csv", "late.csv");
        List<Instant> due = database.jdbc()
                .sql("SELECT expected_at FROM expected_file ORDER BY expected_at")
                .query(Instant.class)
                .list();
        assertThat(due.get(0)).isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(Duration.between(due.get(0), due.get(1))).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void aLaterStartChangesNothing() {
        files("a.csv,a,06:00").afterPropertiesSet();
        ExpectedFiles later = files("b.csv,a,06:00");

        later.afterPropertiesSet();

        assertThat(later.names()).containsExactly("a.csv");
    }

    private ExpectedFiles files(String... lines) {
        byte[] csv = ("name,partner,due\n" + String.join("\n", lines)).getBytes(StandardCharsets.UTF_8);
        return new ExpectedFiles(database.source(), database.transactionManager(), new ByteArrayResource(csv), 10);
    }
}
