package dev.joblock.sample.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Keeps a copy of each content that was delivered, under its checksum. What is loaded is the copy: a partner may replace a
 * file at any time, and a load that was cut short has to go on with the same bytes, on whichever node.
 *
 * <p>Thread-safe, also among nodes that share the folder.
 */
public class FileArchive {

    /** A file ends with a line such as {@code # end 120}. */
    private static final String END = "# end ";

    private final Path folder;

    /**
     * An archive.
     *
     * @param folder where; all nodes see the same one
     */
    public FileArchive(String folder) {
        this.folder = Path.of(folder);
    }

    /**
     * Copies a file.
     *
     * @param file the file
     * @return the copy, or empty if the file was changed meanwhile
     * @throws IOException if it can't be read, or the copy not be written
     */
    public Optional<ArchivedFile> copy(Path file) throws IOException {
        Files.createDirectories(folder);
        BasicFileAttributes before = Files.readAttributes(file, BasicFileAttributes.class);
        Path temporary = Files.createTempFile(folder, "copy", ".part");
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (OutputStream out = new DigestOutputStream(Files.newOutputStream(temporary), digest)) {
                Files.copy(file, out);
            }
            BasicFileAttributes after = Files.readAttributes(file, BasicFileAttributes.class);
            if (before.size() != after.size()
                    || before.size() != Files.size(temporary)
                    || !before.lastModifiedTime().equals(after.lastModifiedTime())) {
                return Optional.empty();
            }
            String checksum = HexFormat.of().formatHex(digest.digest());
            boolean complete = isComplete(temporary);
            // Another node that copies the same content writes the same bytes.
            Files.move(temporary, path(checksum), StandardCopyOption.ATOMIC_MOVE);
            return Optional.of(
                    new ArchivedFile(path(checksum), checksum, before.size(), before.lastModifiedTime(), complete));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /**
     * Where the copy of a content is.
     *
     * @param checksum its checksum
     * @return the file
     */
    public Path path(String checksum) {
        return folder.resolve(checksum + ".csv");
    }

    /** Byte by byte as Latin-1, so that no content is unreadable. */
    private static boolean isComplete(Path file) throws IOException {
        long lines = -1; // the line of titles does not count
        String last = "";
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                last = line;
                lines++;
            }
        }
        return last.equals(END + (lines - 1));
    }
}
