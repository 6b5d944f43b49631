package dev.joblock.sample.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Makes {@code src/main/resources/expected-files.csv}: {@code java … ExpectedFilesCsv FILE}. The same file each time; a
 * test compares.
 */
final class ExpectedFilesCsv {

    private static final long SEED = 20_261_130;
    private static final int FIRST_MINUTE = 5 * 60;
    private static final int MINUTES = 16 * 60;

    private static final List<String> PARTNERS = List.of(
            "alster",
            "birke",
            "cargo-nord",
            "delta",
            "elbe",
            "falke",
            "glaswerk",
            "hafen",
            "insel",
            "jade",
            "kontor",
            "linde",
            "markt",
            "nordwind",
            "oder",
            "post-sued",
            "quelle",
            "rhein",
            "speicher",
            "tanne",
            "ufer",
            "voss",
            "weser",
            "xanten",
            "ysel",
            "zoll");
    private static final List<String> KINDS = List.of(
            "orders",
            "invoices",
            "credits",
            "payments",
            "returns",
            "stock",
            "prices",
            "customers",
            "shipments",
            "receipts",
            "claims",
            "rebates",
            "contracts",
            "rates",
            "balances",
            "transfers",
            "holdings",
            "trades",
            "fees",
            "taxes");

    private ExpectedFilesCsv() {}

    static String text() {
        Random random = new Random(SEED);
        List<String> lines = new ArrayList<>();
        for (String partner : PARTNERS) {
            for (String kind : KINDS) {
                int minute = FIRST_MINUTE + random.nextInt(MINUTES / 5) * 5;
                lines.add(String.format("%s-%s.csv,%s,%02d:%02d", partner, kind, partner, minute / 60, minute % 60));
            }
        }
        Collections.sort(lines);
        return "name,partner,due\n" + String.join("\n", lines) + "\n";
    }

    public static void main(String[] args) throws IOException {
        Files.writeString(Path.of(args[0]), text(), StandardCharsets.UTF_8);
    }
}
