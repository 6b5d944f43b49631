package dev.joblock.history;

import dev.joblock.HistoryQuery;
import dev.joblock.JobLockListener;
import dev.joblock.JobLockPolicies;
import dev.joblock.JobLockPolicy;
import dev.joblock.JobRun;
import dev.joblock.LockMode;
import dev.joblock.engine.DefaultJobLockService;
import dev.joblock.redis.HashTimestampStore;
import dev.joblock.redis.RedisHistoryStore;
import dev.joblock.redis.RedisLockViews;
import dev.joblock.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * Run by hand: what the ledger costs. Prints the throughput of acquire + release with nobody listening, with a listener that
 * does nothing and with the ledger, in turns and for long enough that entries are written while others come (bound to one core, {@code taskset -c 0}, rounds
 * differ least); how many commands
 * Redis saw; and the slowest commands where 200,000 foreign keys and 10,000 job names are there.
 */
public final class LedgerBenchmark {
    private static final String PREFIX = "bench:";
    private static final int ROUNDS = Integer.getInteger("rounds", 15);
    private static final int RUNS = Integer.getInteger("runs", 10_000);

    private final RedisServer redis;
    private final StringRedisTemplate template;

    private LedgerBenchmark(RedisServer redis, StringRedisTemplate template) {
        this.redis = redis;
        this.template = template;
    }

    public static void main(String[] arguments) {
        try (RedisServer redis = RedisServer.launch()) {
            JedisConnectionFactory factory = new JedisConnectionFactory(
                    new RedisStandaloneConfiguration(redis.host(), redis.port()),
                    JedisClientConfiguration.builder().usePooling().build());
            factory.afterPropertiesSet();
            try {
                LedgerBenchmark benchmark = new LedgerBenchmark(redis, new StringRedisTemplate(factory));
                benchmark.throughput();
                benchmark.paced();
                benchmark.commands();
                benchmark.slowest();
            } finally {
                factory.destroy();
            }
        }
    }

    private void throughput() {
        List<Series> all = Arrays.stream(Listening.values()).map(Series::new).toList();
        all.forEach(series -> measure(series.kind));
        inTurns(all, (series, round) -> series.values[round] = measure(series.kind));
        System.out.printf("acquire + release, one thread, back to back, %d rounds of %d runs%n", ROUNDS, RUNS);
        for (Series series : all) {
            double[] ratio = new double[ROUNDS];
            Arrays.setAll(ratio, i -> series.values[i] / all.get(0).values[i]);
            System.out.printf(
                    "  %-15s %.0f/s, %+.1f %% against nobody (medians)%n",
                    series.kind, median(series.values), (median(ratio) - 1) * 100);
        }
    }

    private void paced() {
        List<Series> all = Arrays.stream(Listening.values()).map(Series::new).toList();
        inTurns(all, (series, round) -> series.values[round] = latency(series.kind));
        System.out.println("the same with 2 ms between runs");
        all.forEach(series -> System.out.printf("  %-15s %.0f us a run%n", series.kind, median(series.values)));
    }

    /** Each round in the other order, since the machine is not ours alone. */
    private static void inTurns(List<Series> all, ObjIntConsumer<Series> work) {
        for (int round = 0; round < ROUNDS; round++) {
            for (int k = 0; k < all.size(); k++) {
                work.accept(all.get(round % 2 == 0 ? k : all.size() - 1 - k), round);
            }
        }
    }

    /** What was measured of one kind, round by round. */
    private static final class Series {
        final Listening kind;
        final double[] values = new double[ROUNDS];

        Series(Listening kind) {
            this.kind = kind;
        }
    }

    /** Who hears of the runs. */
    private enum Listening {
        NONE,
        EMPTY_LISTENER,
        LEDGER
    }

    private double measure(Listening kind) {
        return inService(kind, service -> {
            long begin = System.nanoTime();
            for (int i = 0; i < RUNS; i++) {
                service.run(JobRun.exclusive("job" + i % 100), () -> {});
            }
            return RUNS * 1e9 / (System.nanoTime() - begin);
        });
    }

    /** Median time of a run in microseconds, at 500 runs a second. */
    private double latency(Listening kind) {
        return inService(kind, service -> {
            double[] micros = new double[300];
            for (int i = 0; i < micros.length; i++) {
                long begin = System.nanoTime();
                service.run(JobRun.exclusive("job" + i % 100), () -> {});
                micros[i] = (System.nanoTime() - begin) / 1e3;
                long next = begin + 2_000_000;
                while (System.nanoTime() < next) {
                    java.util.concurrent.locks.LockSupport.parkNanos(next - System.nanoTime());
                }
            }
            return median(micros);
        });
    }

    private interface Work {
        double on(DefaultJobLockService service);
    }

    private double inService(Listening kind, Work work) {
        Ledger ledger = kind == Listening.LEDGER
                ? new Ledger(new RedisHistoryStore(template, PREFIX, 10_000, "30d"), "n1", 100_000)
                : null;
        List<JobLockListener> listeners = switch (kind) {
            case NONE -> List.of();
            case EMPTY_LISTENER -> List.of(new JobLockListener() {});
            case LEDGER -> List.of(Objects.requireNonNull(ledger));
        };
        DefaultJobLockService service = new DefaultJobLockService(
                "n1",
                Duration.ofSeconds(5),
                Map.of(LockMode.HASH_TIMESTAMP, new HashTimestampStore(template, PREFIX)),
                new JobLockPolicies(new JobLockPolicy(), List.of()),
                listeners);
        try {
            return work.on(service);
        } finally {
            service.close();
            if (ledger != null) {
                ledger.destroy();
            }
        }
    }

    private void commands() {
        redis.call("CONFIG", "RESETSTAT");
        inService(Listening.LEDGER, service -> {
            for (int i = 0; i < 1_000; i++) {
                service.run(JobRun.exclusive("job" + i % 100), () -> {});
            }
            return 0;
        });
        List<String> lines = new ArrayList<>();
        for (String line : redis.text("INFO", "commandstats").split("\r?\n", -1)) {
            if (line.startsWith("cmdstat_")) {
                lines.add(line.replaceAll("cmdstat_([^:]*):calls=([0-9]*),.*", "$1 $2"));
            }
        }
        System.out.println("commands of 1,000 runs with ledger: " + lines);
    }

    private void slowest() {
        redis.call("FLUSHALL");
        redis.call("CONFIG", "SET", "slowlog-log-slower-than", "1000");
        redis.call("CONFIG", "SET", "slowlog-max-len", "10000");
        template.execute((org.springframework.data.redis.core.RedisCallback<Object>) connection -> {
            for (int chunk = 0; chunk < 200; chunk++) {
                connection.openPipeline();
                for (int i = 0; i < 1_000; i++) {
                    byte[] key = ("foreign:" + (chunk * 1_000 + i)).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                    connection.stringCommands().set(key, key);
                }
                connection.closePipeline();
            }
            return null;
        });
        inService(Listening.LEDGER, service -> {
            for (int i = 0; i < 10_000; i++) {
                service.run(JobRun.exclusive("short-lived-" + i), () -> {});
            }
            return 0;
        });
        RedisHistoryStore store = new RedisHistoryStore(template, PREFIX, 10_000, "30d");
        RedisLockViews locks = new RedisLockViews(template, PREFIX);
        long begin = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            store.find(HistoryQuery.all());
            store.find(HistoryQuery.all().job("short-lived-17"));
            store.summaries();
        }
        long pages = System.nanoTime();
        store.summaries().forEach(job -> locks.view(job.lockName(), LockMode.HASH_TIMESTAMP));
        long states = System.nanoTime();
        System.out.printf(
                "20 times a page, a search through all and all summaries: %d ms; once the states of 10,000 jobs: %d ms%n",
                (pages - begin) / 1_000_000, (states - pages) / 1_000_000);
        System.out.println("keys: " + redis.text("DBSIZE") + ", entries " + redis.text("ZCARD", PREFIX + "{history}")
                + ", jobs " + redis.text("ZCARD", PREFIX + "{jobs}"));
        long slowest = 0;
        String what = "none";
        int count = 0;
        for (Object row : Objects.requireNonNull((List<?>) redis.call("SLOWLOG", "GET", "10000"))) {
            List<?> fields = (List<?>) row;
            String command = String.valueOf(text(((List<?>) fields.get(3)).get(0)));
            if (command.equalsIgnoreCase("FLUSHALL") || command.equalsIgnoreCase("SET")) {
                continue;
            }
            count++;
            long micros = (Long) fields.get(2);
            if (micros > slowest) {
                slowest = micros;
                what = command;
            }
        }
        System.out.println(
                "SLOWLOG of the kit's commands over 1 ms: " + count + ", slowest " + slowest + " us (" + what + ")");
        System.out.println("KEYS or SCAN: "
                + redis.text("INFO", "commandstats")
                        .lines()
                        .filter(line -> line.startsWith("cmdstat_keys") || line.startsWith("cmdstat_scan"))
                        .toList());
    }

    private static Object text(Object value) {
        return value instanceof byte[] bytes ? new String(bytes, java.nio.charset.StandardCharsets.UTF_8) : value;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
