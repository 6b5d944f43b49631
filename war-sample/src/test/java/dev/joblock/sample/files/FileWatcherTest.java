package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.joblock.sample.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileWatcherTest {

    private static final FileTask TASK = new FileTask("1-0", Instant.parse("2026-11-30T12:00:00Z"), "a.csv", "");

    @TempDir
    private Path folder;

    private final TestDatabase database = new TestDatabase();
    private final FileStates states = new FileStates(database.source(), database.transactionManager());
    private final FileReport report = new FileReport(database.source(), 15);
    private final FileLoader loader = mock(FileLoader.class);
    private FileWatcher watcher;

    @BeforeEach
    void expectAFile() {
        database.expect("a.csv", 60);
        watcher = new FileWatcher(
                folder.toString(),
                60_000,
                new FileArchive(folder.resolve("archive").toString()),
                states,
                loader);
    }

    @Test
    void aFileThatHasNotArrivedStaysSo() throws Exception {
        watcher.watch(TASK, "node1");

        FileStatus file = file();
        assertThat(file.state()).isEqualTo("not arrived");
        assertThat(file.watchedBy()).isEqualTo("node1");
        assertThat(file.versions()).isZero();
        verify(loader, never()).load(any(), any());
    }

    @Test
    void aFileThatHasArrivedIsLoadedWithItsTimeAndChecksum() throws Exception {
        deliver("one", 120);
        watcher.watch(TASK, "node1");

        FileStatus file = file();
        assertThat(file.state()).isEqualTo("arrived");
        assertThat(file.checksum()).hasSize(64);
        assertThat(file.arrivedAt()).isNotNull();
        verify(loader).load(argThat(version -> version.number() == 1), any());
    }

    @Test
    void aFileThatMayStillBeBeingWrittenHasToWait() throws Exception {
        deliver("one", 1);
        watcher.watch(TASK, "node1");

        assertThat(file().state()).isEqualTo("not arrived");
        verify(loader, never()).load(any(), any());
    }

    @Test
    void aNewContentUnderTheSameNameIsSentAgain() throws Exception {
        deliver("one", 180);
        watcher.watch(TASK, "node1");
        deliver("two", 120);
        watcher.watch(TASK, "node2");

        assertThat(file().state()).isEqualTo("sent again");
        assertThat(file().versions()).isEqualTo(2);
        verify(loader).load(argThat(version -> version.number() == 2), any());
    }

    @Test
    void theSameContentSentAgainIsTheSameVersion() throws Exception {
        deliver("one", 180);
        watcher.watch(TASK, "node1");
        states.loaded(1);
        deliver("one", 120);
        watcher.watch(TASK, "node2");

        assertThat(file().state()).isEqualTo("arrived");
        assertThat(file().versions()).isEqualTo(1);
        verify(loader, times(1)).load(any(), any());
    }

    @Test
    void aLoadThatHasNotEndedIsTriedAgainAlsoIfTheFileWasTakenAway() throws Exception {
        deliver("one", 120);
        watcher.watch(TASK, "node1");
        watcher.watch(TASK, "node2");
        Files.delete(folder.resolve("a.csv"));
        watcher.watch(TASK, "node3");

        verify(loader, times(3)).load(any(), any());
    }

    @Test
    void aVersionThatWasReplacedBeforeItsLoadHasEndedIsLoadedAllTheSame() throws Exception {
        deliver("one", 180);
        watcher.watch(TASK, "node1");
        states.loading(1, "node1"); // which dies
        deliver("two", 120);
        watcher.watch(TASK, "node2");

        verify(loader).load(argThat(version -> version.number() == 1), eq("node2"));
        verify(loader).load(argThat(version -> version.number() == 2), eq("node2"));
    }

    @Test
    void aLoadThatFailedThreeTimesIsLeft() throws Exception {
        deliver("one", 120);
        for (int attempt = 1; attempt <= 3; attempt++) {
            watcher.watch(TASK, "node1");
            states.loading(1, "node1");
            states.failed(1, "no good");
        }
        watcher.watch(TASK, "node1");

        verify(loader, times(3)).load(any(), any());
        assertThat(file().broken()).isTrue();
        assertThat(file().error()).isEqualTo("no good");
    }

    @Test
    void aTaskForAFileThatNobodyExpectsIsLeftOut() throws Exception {
        Files.writeString(folder.resolve("b.csv"), "one");
        watcher.watch(new FileTask("1-0", Instant.EPOCH, "b.csv", ""), "node1");

        verify(loader, never()).load(any(), any());
    }

    private FileStatus file() {
        return report.list(FileReport.Filter.ALL, 10).get(0);
    }

    private void deliver(String content, int secondsAgo) throws IOException {
        Path file = folder.resolve("a.csv");
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(secondsAgo)));
    }
}
