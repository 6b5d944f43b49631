package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.sample.TestDatabase;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.server.ResponseStatusException;

class FileReportTest {

    private final TestDatabase database = new TestDatabase();
    private final FileStates states = new FileStates(database.source(), database.transactionManager());
    private final FileReport report = new FileReport(database.source(), 10);
    private final FilesController controller = new FilesController(report, new Cycles(database.source()));

    @BeforeEach
    void threeFiles() {
        database.expect("missing.csv", -60);
        database.expect("graced.csv", -2);
        database.expect("coming.csv", 600);
        database.expect("there.csv", 600);
        arrive("there.csv", "1".repeat(64), true);
    }

    @Test
    void aFileIsLateIfItIsMissingWhenTheGraceIsOver() {
        assertThat(controller.files("late", 10)).extracting(FileStatus::name).containsExactly("missing.csv");
    }

    @Test
    void aFileThatCameTooLateStaysLate() {
        arrive("missing.csv", "2".repeat(64), true);

        assertThat(controller.files("late", 10)).extracting(FileStatus::name).containsExactly("missing.csv");
        assertThat(controller.files("arrived", 10)).extracting(FileStatus::name).contains("missing.csv");
    }

    @Test
    void missingOnesComeFirstThenThoseThatAreThereThenThoseToCome() {
        assertThat(controller.files("all", 10))
                .extracting(FileStatus::name)
                .containsExactly("missing.csv", "there.csv", "graced.csv", "coming.csv");
        assertThat(controller.files("all", 1)).hasSize(1);
    }

    @Test
    void aFileIsBrokenIfLinesWereSkippedOrItIsCutShortOrCannotBeLoaded() {
        assertThat(controller.files("broken", 10)).isEmpty();

        long cut = arrive("graced.csv", "3".repeat(64), false).id();
        states.loaded(cut);
        long skips = arrive("coming.csv", "4".repeat(64), true).id();
        database.jdbc()
                .sql("INSERT INTO skipped_line VALUES (?, 7, 'x', 'y')")
                .param(skips)
                .update();
        states.loaded(skips);
        long failed = arrive("missing.csv", "5".repeat(64), true).id();
        states.failed(failed, "z".repeat(2_000));

        assertThat(controller.files("broken", 10))
                .extracting(FileStatus::name)
                .containsExactlyInAnyOrder("graced.csv", "coming.csv", "missing.csv");
        assertThat(report.summary()).isEqualTo(new FileSummary(0, 4, 0, 1, 3, 4, 0, 1));
    }

    @Test
    void aCorrectionMakesAFileWholeAgain() {
        long first = arrive("coming.csv", "6".repeat(64), false).id();
        states.loaded(first);
        long second = arrive("coming.csv", "7".repeat(64), true).id();
        states.loaded(second);

        assertThat(controller.files("broken", 10)).isEmpty();
        assertThat(controller.summary().sentAgain()).isEqualTo(1);
    }

    @Test
    void whatTheReportKeepsIsWhatItSays() {
        FileSummary now = report.keep("node1", 7L);

        assertThat(now).isEqualTo(new FileSummary(3, 1, 0, 1, 0, 1, 0, 0));
        assertThat(database.count("status_report WHERE not_arrived = 3 AND late = 1 AND token = 7"))
                .isEqualTo(1);
    }

    @Test
    void aFilterThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> controller.files("x", 1))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("late, broken");
    }

    private FileVersion arrive(String name, String checksum, boolean complete) {
        return states.arrived(
                name, new ArchivedFile(Path.of("x"), checksum, 1, FileTime.from(Instant.now()), complete), "node1");
    }
}
