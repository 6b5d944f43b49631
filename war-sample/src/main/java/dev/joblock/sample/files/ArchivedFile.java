package dev.joblock.sample.files;

import java.nio.file.Path;
import java.nio.file.attribute.FileTime;

/**
 * A copy of a file as it was at one moment.
 *
 * @param path the copy, named by its checksum; nobody changes it any more
 * @param checksum SHA-256 of its bytes, in hexadecimal digits
 * @param size in bytes
 * @param modified of the file that it was copied from
 * @param complete whether it ends with the mark that says how many lines there are, and there are so many
 */
public record ArchivedFile(Path path, String checksum, long size, FileTime modified, boolean complete) {}
