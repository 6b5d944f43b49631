package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;

import dev.joblock.JobLockService;
import dev.joblock.sample.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.batch.core.job.Job;
import org.springframework.batch.core.launch.JobOperator;
import org.springframework.batch.core.repository.JobRepository;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.context.support.PropertySourcesPlaceholderConfigurer;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The batch job as {@code batch.xml} has it, on a database in memory. */
class FileLoaderTest {

    private static final String TITLES = "reference;account;amount;booked\n";

    @TempDir
    private Path folder;

    private final TestDatabase database = new TestDatabase();
    private final FileStates states = new FileStates(database.source(), database.transactionManager());
    private final GenericXmlApplicationContext context = new GenericXmlApplicationContext();
    private final JobLockService locks = mock(JobLockService.class);
    private FileLoader loader;
    private FileArchive archive;

    @BeforeEach
    void setUp() {
        archive = new FileArchive(folder.resolve("archive").toString());
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("sample.load.workMillis", "0")));
        context.registerBean(PropertySourcesPlaceholderConfigurer.class);
        context.registerBean("dataSource", DataSource.class, database::source);
        context.registerBean("transactionManager", JdbcTransactionManager.class, database::transactionManager);
        context.load("file:src/main/webapp/WEB-INF/spring/batch.xml");
        context.refresh();
        doAnswer(call -> {
                    call.<Runnable>getArgument(1).run();
                    return null;
                })
                .when(locks)
                .run(any(), any());
        loader = new FileLoader(
                locks,
                context.getBean(JobOperator.class),
                context.getBean(JobRepository.class),
                context.getBean(Job.class),
                states,
                archive);
        database.expect("a.csv", 60);
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void everyLineIsLoaded() throws Exception {
        FileVersion version = arrive(TITLES + rows(1, 120) + "# end 120\n");
        loader.load(version, "node1");

        assertThat(file()).satisfies(file -> {
            assertThat(file.load()).isEqualTo("loaded");
            assertThat(file.rows()).isEqualTo(120);
            assertThat(file.skipped()).isZero();
            assertThat(file.broken()).isFalse();
            assertThat(file.loadedBy()).isEqualTo("node1");
        });
        assertThat(database.count("delivered_row WHERE reference = 'R7' AND account = 'A-7' AND amount = 7.50"))
                .isEqualTo(1);
    }

    @Test
    void aVersionIsLoadedOnceHoweverOftenItIsAskedFor() throws Exception {
        FileVersion version = arrive(TITLES + rows(1, 10) + "# end 10\n");
        loader.load(version, "node1");
        loader.load(version, "node2");

        assertThat(database.count("batch_job_execution")).isEqualTo(1);
        assertThat(file().loadedBy()).isEqualTo("node1");
    }

    @Test
    void whoeverIsDeniedTheLockDoesNothing() throws Exception {
        JobLockService denying = mock(JobLockService.class);
        FileVersion version = arrive(TITLES + rows(1, 10) + "# end 10\n");
        new FileLoader(
                        denying,
                        context.getBean(JobOperator.class),
                        context.getBean(JobRepository.class),
                        context.getBean(Job.class),
                        states,
                        archive)
                .load(version, "node1");

        assertThat(file().load()).isEqualTo("waiting");
    }

    @Test
    void brokenLinesAreSkippedAndKept() throws Exception {
        String broken = "R1001;A-1;12,3x;2026-11-30\nR1002;A-1\n;A-1;1.00;2026-11-30\nR1003;A-1;1.00;30.11.2026\n";
        loader.load(arrive(TITLES + rows(1, 60) + broken + rows(61, 80) + "# end 84\n"), "node1");

        assertThat(file()).satisfies(file -> {
            assertThat(file.load()).isEqualTo("loaded");
            assertThat(file.rows()).isEqualTo(80);
            assertThat(file.skipped()).isEqualTo(4);
            assertThat(file.broken()).isTrue();
        });
        assertThat(database.jdbc()
                        .sql("SELECT line FROM skipped_line ORDER BY line")
                        .query(Integer.class)
                        .list())
                .containsExactly(62, 63, 64, 65);
    }

    @Test
    void aFileWithTooManyBrokenLinesFailsAndIsGivenUpAfterThreeAttempts() throws Exception {
        FileVersion version = arrive("no\nsuch\nfile\n".repeat(20));
        for (int i = 0; i < 4; i++) {
            loader.load(version, "node1");
        }

        assertThat(file().load()).isEqualTo("failed");
        assertThat(file().rows()).isZero();
        assertThat(states.version("a.csv", version.checksum()).orElseThrow().attempts())
                .isEqualTo(3);
    }

    @Test
    void aLoadThatFailedGoesOnWhereItWas() throws Exception {
        FileVersion version = arrive(TITLES + rows(1, 70) + "bad\n" + rows(71, 200) + "# end 201\n");
        failAtLine150(version);

        assertThat(file().load()).isEqualTo("failed");
        assertThat(file().rows()).isBetween(100, 150);
        repair(version);
        loader.load(version, "node2");

        assertLoadedAfterRestart();
    }

    @Test
    void aLoadWhoseNodeHasDiedGoesOnWhereItWas() throws Exception {
        FileVersion version = arrive(TITLES + rows(1, 70) + "bad\n" + rows(71, 200) + "# end 201\n");
        failAtLine150(version);
        repair(version);
        // As a killed node leaves them.
        database.jdbc()
                .sql("UPDATE batch_job_execution SET status = 'STARTED', exit_code = 'UNKNOWN', end_time = NULL")
                .update();
        database.jdbc()
                .sql("UPDATE batch_step_execution SET status = 'STARTED', exit_code = 'EXECUTING', end_time = NULL")
                .update();
        database.jdbc().sql("UPDATE file_version SET status = 'loading'").update();
        loader.load(version, "node2");

        assertLoadedAfterRestart();
    }

    @Test
    void aNodeThatDiedWhenAllWasLoadedButItsStateIsNoFailure() throws Exception {
        FileVersion version = arrive(TITLES + rows(1, 10) + "# end 10\n");
        loader.load(version, "node1");
        database.jdbc().sql("UPDATE file_version SET status = 'loading'").update();
        loader.load(version, "node2");

        assertThat(file().load()).isEqualTo("loaded");
        assertThat(file().rows()).isEqualTo(10);
        assertThat(database.count("batch_job_execution")).isEqualTo(1);
    }

    @Test
    void aNodeThatDiedBetweenInstanceAndExecutionDoesNotBlockTheFile() throws Exception {
        FileVersion version = arrive(TITLES + rows(1, 10) + "# end 10\n");
        loader.load(version, "node1");
        for (String table : new String[] {
            "batch_step_execution_context", "batch_step_execution", "batch_job_execution_context",
            "batch_job_execution_params", "batch_job_execution", "delivered_row"
        }) {
            database.jdbc().sql("DELETE FROM " + table).update();
        }
        database.jdbc().sql("UPDATE file_version SET status = 'loading'").update();
        loader.load(version, "node2");

        assertThat(file().load()).isEqualTo("loaded");
        assertThat(file().rows()).isEqualTo(10);
    }

    private void assertLoadedAfterRestart() {
        assertThat(file().load()).isEqualTo("loaded");
        assertThat(file().rows()).isEqualTo(200);
        assertThat(file().skipped()).isEqualTo(1);
        assertThat(database.count("batch_job_instance")).isEqualTo(1);
        assertThat(database.count("batch_job_execution")).isEqualTo(2);
        assertThat(database.count("batch_job_execution WHERE status = 'COMPLETED'"))
                .isEqualTo(1);
        // It did not begin anew: the second execution wrote the rest only.
        assertThat(database.jdbc()
                        .sql("SELECT write_count FROM batch_step_execution ORDER BY step_execution_id DESC LIMIT 1")
                        .query(Integer.class)
                        .single())
                .isBetween(51, 150);
    }

    /** A row that is there already stops the chunk that it is in. */
    private void failAtLine150(FileVersion version) {
        database.jdbc()
                .sql("INSERT INTO delivered_row VALUES (?, 'R150', 'x', 1, DATE '2026-11-30')")
                .param(version.id())
                .update();
        loader.load(version, "node1");
    }

    private void repair(FileVersion version) {
        database.jdbc()
                .sql("DELETE FROM delivered_row WHERE version_id = ? AND account = 'x'")
                .param(version.id())
                .update();
    }

    private FileVersion arrive(String content) throws Exception {
        Path file = folder.resolve("a.csv");
        Files.writeString(file, content);
        return states.arrived("a.csv", archive.copy(file).orElseThrow(), "node1");
    }

    private FileStatus file() {
        return new FileReport(database.source(), 15)
                .list(FileReport.Filter.ALL, 1)
                .get(0);
    }

    private static String rows(int from, int to) {
        StringBuilder rows = new StringBuilder();
        for (int i = from; i <= to; i++) {
            rows.append("R")
                    .append(i)
                    .append(";A-")
                    .append(i)
                    .append(';')
                    .append(i)
                    .append(".50;2026-11-30\n");
        }
        return rows.toString();
    }
}
