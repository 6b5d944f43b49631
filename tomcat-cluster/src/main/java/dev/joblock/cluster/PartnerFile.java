package dev.joblock.cluster;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/**
 * The content of a delivery, and what there is in it to be loaded.
 *
 * @param text the content
 * @param rows how many lines can be read
 * @param broken how many can't
 * @param complete whether the end mark is there
 */
record PartnerFile(String text, int rows, int broken, boolean complete) {

    private static final String TITLES = "reference;account;amount;booked\n";

    /** Shorter than the first field, so that what is left of the line can't be read. */
    private static final int LEFT_OF_LINE = 3;

    /**
     * Writes the content, the same for equal name, number and state.
     *
     * @param delivery which
     * @return the content
     */
    static PartnerFile of(Delivery delivery) {
        Random random = new Random(31L * delivery.name().hashCode() + delivery.number());
        return switch (delivery.kind()) {
            case WHOLE -> lines(delivery.lines(), 0, random);
            case BAD_LINES -> lines(delivery.lines(), 1 + random.nextInt(5), random);
            case GARBAGE -> garbage(delivery.lines(), random);
            case TRUNCATED -> truncated(delivery.lines(), random);
        };
    }

    /**
     * What the sample will know this content by.
     *
     * @return SHA-256 in hexadecimal digits
     */
    String checksum() {
        try {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    private static PartnerFile lines(int lines, int broken, Random random) {
        StringBuilder text = new StringBuilder(TITLES);
        for (int i = 1; i <= lines; i++) {
            // The broken ones spread evenly, with three ways of being so.
            boolean bad = broken > 0 && i % (lines / broken) == 0 && i / (lines / broken) <= broken;
            text.append(bad ? badLine(i) : line(i, random)).append('\n');
        }
        text.append("# end ").append(lines).append('\n');
        return new PartnerFile(text.toString(), lines - broken, broken, true);
    }

    private static PartnerFile garbage(int lines, Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i <= lines; i++) {
            text.append(Long.toHexString(random.nextLong())).append('\n');
        }
        return new PartnerFile(text.toString(), 0, 0, false);
    }

    private static PartnerFile truncated(int lines, Random random) {
        StringBuilder text = new StringBuilder(TITLES);
        int left = lines / 2;
        for (int i = 1; i <= left; i++) {
            text.append(line(i, random)).append('\n');
        }
        text.append(line(left + 1, random), 0, LEFT_OF_LINE);
        return new PartnerFile(text.toString(), left, 1, false);
    }

    private static String line(int i, Random random) {
        return "R" + (100_000 + i) + ";" + (1_000 + random.nextInt(9_000)) + "-" + random.nextInt(100) + ";"
                + random.nextInt(100_000) + "." + (10 + random.nextInt(90)) + ";2026-11-" + (10 + random.nextInt(20));
    }

    private static String badLine(int i) {
        return switch (i % 3) {
            case 0 -> "R" + (100_000 + i) + ";4711-1;12,5x;2026-11-30";
            case 1 -> "R" + (100_000 + i) + ";4711-1";
            default -> "R" + (100_000 + i) + ";4711-1;12.50;30.11.2026";
        };
    }
}
