package dev.joblock.sample.files;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a file in the inbox.
 *
 * @param size its size when it was looked at last, or null if it has not arrived
 * @param modified its time then
 */
public record SeenFile(@Nullable Long size, @Nullable Instant modified) {

    /**
     * Whether it was ever there.
     *
     * @return false if it has not arrived yet
     */
    public boolean hasArrived() {
        return size != null;
    }

    /**
     * Whether a file is the one that was seen.
     *
     * @param otherSize its size
     * @param otherModified its time
     * @return true if nothing has changed
     */
    public boolean is(long otherSize, Instant otherModified) {
        return size != null && size == otherSize && otherModified.equals(modified);
    }
}
