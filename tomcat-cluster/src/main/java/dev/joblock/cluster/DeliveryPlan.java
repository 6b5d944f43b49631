package dev.joblock.cluster;

import dev.joblock.cluster.Delivery.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * Decides what partners do: most deliver in time, some too late or never, some deliver files that are broken and send a
 * correction, some send a file again. The same seed and files give the same plan.
 *
 * @param seed of everything that looks like chance
 * @param never which part of the files never comes, 0 to 1
 * @param grace how long after its time a file is not late yet
 * @param gap how long it takes at the least until a file is sent again; longer than the sample takes to see it
 */
record DeliveryPlan(long seed, double never, Duration grace, Duration gap) {

    private static final double LATE = 0.08;
    private static final double BAD_LINES = 0.08;
    private static final double TRUNCATED = 0.05;
    private static final double GARBAGE = 0.03;
    private static final double CORRECTED = 0.7;
    private static final double NEW_CONTENT = 0.1;
    private static final double SAME_CONTENT = 0.05;
    private static final int FEWEST_LINES = 40;
    private static final int MOST_LINES = 400;

    /**
     * Makes the plan.
     *
     * @param files what is expected
     * @return the deliveries, in the order of their times
     */
    List<Delivery> deliveries(List<Expected> files) {
        List<Delivery> all = new ArrayList<>();
        for (Expected file : files) {
            Random random = new Random(seed ^ file.name().hashCode());
            if (random.nextDouble() >= never) {
                add(all, file, random);
            }
        }
        all.sort(Comparator.comparing(Delivery::at).thenComparing(Delivery::name));
        return all;
    }

    private void add(List<Delivery> all, Expected file, Random random) {
        boolean late = random.nextDouble() < LATE;
        Instant at = late
                ? file.at().plus(grace).plusMillis(2_000 + random.nextInt(10_000))
                : file.at().minusMillis(random.nextInt(10_000));
        Delivery first = new Delivery(at, file.name(), 1, kind(random), late, lines(random));
        all.add(first);
        Instant again = at.plus(gap).plusMillis(random.nextInt(10_000));
        double fate = random.nextDouble();
        if (first.kind() != Kind.WHOLE) {
            if (fate < CORRECTED) {
                all.add(new Delivery(again, file.name(), 2, Kind.WHOLE, late, lines(random)));
            }
        } else if (fate < NEW_CONTENT) {
            all.add(new Delivery(again, file.name(), 2, Kind.WHOLE, late, lines(random)));
        } else if (fate < NEW_CONTENT + SAME_CONTENT) {
            all.add(new Delivery(again, file.name(), 1, Kind.WHOLE, late, first.lines()));
        }
    }

    private static Kind kind(Random random) {
        double fate = random.nextDouble();
        if (fate < BAD_LINES) {
            return Kind.BAD_LINES;
        }
        if (fate < BAD_LINES + TRUNCATED) {
            return Kind.TRUNCATED;
        }
        return fate < BAD_LINES + TRUNCATED + GARBAGE ? Kind.GARBAGE : Kind.WHOLE;
    }

    private static int lines(Random random) {
        return FEWEST_LINES + random.nextInt(MOST_LINES - FEWEST_LINES);
    }
}
