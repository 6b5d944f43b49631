package dev.joblock.sample.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileArchiveTest {

    @TempDir
    private Path folder;

    private FileArchive archive;
    private Path file;

    @BeforeEach
    void setUp() {
        archive = new FileArchive(folder.resolve("archive").toString());
        file = folder.resolve("a.csv");
    }

    @Test
    void theCopyIsNamedByItsChecksumAndStaysWhenTheFileIsReplaced() throws Exception {
        Files.writeString(file, "abc");
        ArchivedFile copy = archive.copy(file).orElseThrow();
        Files.writeString(file, "other");

        assertThat(copy.checksum()).isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(copy.path())
                .isEqualTo(archive.path(copy.checksum()))
                .content()
                .isEqualTo("abc");
        assertThat(copy.size()).isEqualTo(3);
    }

    @Test
    void theSameContentIsKeptOnce() throws Exception {
        Files.writeString(file, "abc");
        archive.copy(file);
        archive.copy(file);

        assertThat(folder.resolve("archive")).isDirectoryContaining("glob:**.csv");
        try (var kept = Files.list(folder.resolve("archive"))) {
            assertThat(kept).hasSize(1);
        }
    }

    @Test
    void aFileIsCompleteIfItsLastLineCountsTheOthers() throws Exception {
        assertThat(isComplete("title\na;1\nb;2\n# end 2\n")).isTrue();
        assertThat(isComplete("title\na;1\nb;2\n# end 2")).isTrue();
        assertThat(isComplete("title\na;1\n# end 2\n")).isFalse();
        assertThat(isComplete("title\na;1\nb")).isFalse();
        assertThat(isComplete("")).isFalse();
    }

    @Test
    void aContentThatIsNoTextIsIncompleteAndNoError() throws Exception {
        Files.write(file, new byte[] {(byte) 0xff, 0, (byte) 0xc3, 10, 13});

        assertThat(archive.copy(file).orElseThrow().complete()).isFalse();
    }

    @Test
    void aFileThatIsNotThereIsSaid() {
        assertThatThrownBy(() -> archive.copy(file)).isInstanceOf(NoSuchFileException.class);
    }

    private boolean isComplete(String content) throws IOException {
        Files.writeString(file, content);
        return archive.copy(file).orElseThrow().complete();
    }
}
