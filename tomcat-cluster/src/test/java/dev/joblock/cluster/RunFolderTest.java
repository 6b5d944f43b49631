package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {

    @TempDir
    private Path folder;

    private Process sleeper;

    @BeforeEach
    void startAProcess() throws IOException {
        sleeper = new ProcessBuilder("sleep", "300").start();
    }

    @AfterEach
    void endIt() {
        sleeper.destroyForcibly();
    }

    @Test
    void whatAKilledRunHasLeftRunningIsEnded() throws Exception {
        earlierRun(RecordedProcess.of("node1", sleeper.toHandle()));

        RunFolder.take(folder);

        assertThat(sleeper.waitFor(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void anotherProcessThatGotTheSameNumberIsLeftAlone() throws Exception {
        RecordedProcess recorded = RecordedProcess.of("node1", sleeper.toHandle());
        earlierRun(
                new RecordedProcess("node1", recorded.pid(), recorded.started().minus(Duration.ofMinutes(1))));

        RunFolder.take(folder);

        assertThat(sleeper.isAlive()).isTrue();
    }

    @Test
    void aRunWhoseOwnerLivesIsNotTouched() throws Exception {
        Files.writeString(
                folder.resolve("processes"),
                RecordedProcess.of("owner", ProcessHandle.current()).line() + "\n"
                        + RecordedProcess.of("node1", sleeper.toHandle()).line() + "\n");

        assertThatThrownBy(() -> RunFolder.take(folder))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("already running")
                .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()));
        assertThat(sleeper.isAlive()).isTrue();
    }

    @Test
    void aLineThatWasCutShortByACrashIsPassedOver() throws Exception {
        earlierRun(RecordedProcess.of("node1", sleeper.toHandle()));
        Files.writeString(folder.resolve("processes"), Files.readString(folder.resolve("processes")) + "node2 12");

        RunFolder.take(folder);

        assertThat(sleeper.waitFor(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void theFolderIsEmptiedAndWritesDownItsOwner() throws Exception {
        Files.createDirectories(folder.resolve("node1/webapps"));
        Files.writeString(folder.resolve("node1/webapps/ROOT.war"), "old");

        RunFolder.take(folder);

        assertThat(folder).isDirectoryNotContaining("glob:**/node1");
        assertThat(folder.resolve("processes"))
                .content()
                .startsWith("owner " + ProcessHandle.current().pid());
    }

    /** A list as a run leaves it that was killed: its owner is gone. */
    private void earlierRun(RecordedProcess child) throws IOException {
        long now = System.currentTimeMillis();
        Files.writeString(folder.resolve("processes"), "owner 999999999 " + now + "\n" + child.line() + "\n");
    }
}
