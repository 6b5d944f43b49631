package dev.joblock.sample.files;

/**
 * One content of one file.
 *
 * @param id the number of its row
 * @param name the file's name
 * @param number 1 for the first content under this name
 * @param checksum SHA-256
 * @param status waiting, loading, loaded or failed
 * @param attempts how often a load was started
 */
public record FileVersion(long id, String name, int number, String checksum, String status, int attempts) {

    /** So often a load that fails is tried. */
    private static final int MOST_ATTEMPTS = 3;

    /**
     * Whether there is anything left to do.
     *
     * @return false if it is loaded, or was tried often enough
     */
    public boolean isToBeLoaded() {
        return !status.equals("loaded") && !(status.equals("failed") && attempts >= MOST_ATTEMPTS);
    }
}
