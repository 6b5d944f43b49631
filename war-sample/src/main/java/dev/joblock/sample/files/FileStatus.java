package dev.joblock.sample.files;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One expected file as people want to see it.
 *
 * @param name its name
 * @param partner who delivers it
 * @param expectedAt when it is due
 * @param state not arrived, arrived, or sent again
 * @param late whether it came too late, or is missing since it was due
 * @param broken whether its last version has lines that were skipped, is cut short, or can't be loaded
 * @param arrivedAt when its first version was seen
 * @param versions how many contents it had
 * @param checksum the last version's SHA-256
 * @param load waiting, loading, loaded or failed
 * @param loadedBy the node that loaded the last version
 * @param rows how many lines were loaded
 * @param skipped how many lines were skipped
 * @param error why it can't be loaded
 * @param watchedAt when a node looked after it last
 * @param watchedBy which node
 */
public record FileStatus(
        String name,
        String partner,
        Instant expectedAt,
        String state,
        boolean late,
        boolean broken,
        @Nullable Instant arrivedAt,
        int versions,
        @Nullable String checksum,
        @Nullable String load,
        @Nullable String loadedBy,
        int rows,
        int skipped,
        @Nullable String error,
        @Nullable Instant watchedAt,
        @Nullable String watchedBy) {}
