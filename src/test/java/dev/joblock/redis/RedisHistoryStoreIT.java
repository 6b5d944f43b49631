package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.joblock.DenialReason;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.JobRun;
import dev.joblock.testing.RedisExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisHistoryStoreIT {
    @RegisterExtension
    static final RedisExtension redis = RedisExtension.own();

    private RedisClient client = RedisClient.of("localhost", 1, 1, java.time.Duration.ofSeconds(1));
    private RedisHistoryStore store = store(10_000, "30d");
    private Instant now = Instant.EPOCH;

    @BeforeEach
    void connect() {
        client = RedisClient.of(redis.server(), 4);
        redis.server().call("FLUSHALL");
        store = store(10_000, "30d");
        now = store.time();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void anEntryComesBackAsItWas() {
        HistoryEntry written = HistoryEntry.builder("r1-x", "nightly.invoice", "n 1=%", HistoryOutcome.LOST)
                .at(now)
                .lockName("shared lock")
                .slot("a/b c", now.minusSeconds(60))
                .origin(JobRun.Origin.RERUN, "Anna Ö.")
                .granted(now.minusSeconds(9), 77)
                .ended(now.minusMillis(1))
                .denied(DenialReason.TOO_SOON, "n2", now.minusSeconds(30))
                .errorClass("java.lang.Error")
                .detail("why\nso = %20")
                .build();
        store.add(List.of(written));
        HistoryEntry read = store.find(HistoryQuery.all()).entries().get(0);
        assertThat(read).usingRecursiveComparison().isEqualTo(written);
    }

    @Test
    void pagesHaveEveryEntryOnceNewestFirstAlsoWhereManyAreOfOneTime() {
        List<HistoryEntry> written = new ArrayList<>();
        IntStream.range(0, 1_300)
                .forEach(i -> written.add(entry("e" + i, "job" + i % 3, "n1", now.minusMillis(i / 650))));
        store.add(written);
        HistoryQuery query = HistoryQuery.all().limit(97);
        List<HistoryEntry> read = new ArrayList<>();
        HistoryPage page = store.find(query);
        read.addAll(page.entries());
        for (int pages = 1; page.next().isPresent(); pages++) {
            assertThat(page.entries()).hasSize(97);
            assertThat(pages).isLessThan(20);
            // What comes meanwhile belongs to no later page.
            store.add(List.of(entry("new" + pages, "job", "n1", now.plusMillis(pages))));
            page = store.find(query.after(page.next().get()));
            read.addAll(page.entries());
        }
        assertThat(read).extracting(HistoryEntry::id).doesNotHaveDuplicates().hasSize(1_300);
        assertThat(read).extracting(HistoryEntry::at).isSortedAccordingTo(Comparator.reverseOrder());
    }

    @Test
    void queriesFilterByJobNodeOutcomeSlotAndTime() {
        Instant slot = now.minusSeconds(100);
        store.add(List.of(
                entry("1", "a:b", "n1", now.minusSeconds(4)),
                entry("2", "b", "n1", now.minusSeconds(3)),
                entry("3", "a:b", "n2", now.minusSeconds(2)),
                HistoryEntry.builder("4", "a:b", "n2", HistoryOutcome.FAILED)
                        .at(now.minusSeconds(1))
                        .slot("x", slot)
                        .build()));
        HistoryQuery all = HistoryQuery.all();
        assertThat(ids(all.job("a:b"))).containsExactly("4", "3", "1");
        assertThat(ids(all.job("a"))).isEmpty();
        assertThat(ids(all.node("n1"))).containsExactly("2", "1");
        assertThat(ids(all.slot(slot))).containsExactly("4");
        assertThat(ids(all.outcomes(Set.of(HistoryOutcome.RAN)))).containsExactly("3", "2", "1");
        assertThat(ids(all.from(now.minusSeconds(3)).until(now.minusSeconds(1))))
                .containsExactly("3", "2");
        HistoryPage page = store.find(all.job("a:b").limit(2));
        assertThat(page.entries()).extracting(HistoryEntry::id).containsExactly("4", "3");
        assertThat(ids(all.job("a:b").limit(2).after(page.next().get()))).containsExactly("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "", "-1.x", "1"})
    void aTokenThatIsNoneIsRefused(String token) {
        assertThatThrownBy(() -> store.find(HistoryQuery.all().after(token)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + token + "'");
    }

    @Test
    void entriesBeyondTheNumberGoTheOldestFirst() {
        RedisHistoryStore small = store(100, "30d");
        for (int i = 0; i < 700; i++) {
            small.add(
                    List.of(entry("e" + i, "job", "n1", now.minusSeconds(1_000).plusMillis(i))));
        }
        assertThat(size()).isEqualTo(100);
        assertThat(ids(HistoryQuery.all().limit(1_000)))
                .hasSize(100)
                .startsWith("e699")
                .endsWith("e600");
        // A setting that became smaller, with many to remove at once.
        List<HistoryEntry> many = new ArrayList<>();
        IntStream.range(0, 2_000).forEach(i -> many.add(entry("m" + i, "job", "n1", now.minusMillis(i))));
        store.add(many);
        assertThat(size()).isEqualTo(2_100);
        small.add(List.of(entry("last", "job", "n1", now)));
        assertThat(size()).isEqualTo(100);
    }

    @Test
    void entriesBeyondTheAgeGoAndTheLastOnesWithTheirKeys() {
        RedisHistoryStore young = store(10_000, "1h");
        young.add(List.of(entry("old", "job", "n1", now.minusSeconds(3_700))));
        young.add(List.of(entry("new", "job", "n1", now)));
        assertThat(ids(HistoryQuery.all())).containsExactly("new");
        assertThat(size()).isEqualTo(1);
        assertThat(redis.server().text("PTTL", "h:{history}")).matches("3[56][0-9]{5}");
        assertThat(redis.server().text("PTTL", "h:{history-entries}")).matches("3[56][0-9]{5}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:b",
                "day[1]*?",
                "x{y}z",
                "<script>alert(1)</script>",
                "Überweisung täglich",
                "a/b %2F+&c",
                "é\u0000\n"
            })
    void anyNameIsItselfAndNoOther(String name) {
        store.add(List.of(entry("1", name, name, now), entry("2", name + "x", "n", now), entry("3", "b", "n", now)));
        assertThat(ids(HistoryQuery.all().job(name))).containsExactly("1");
        assertThat(ids(HistoryQuery.all().node(name))).containsExactly("1");
        assertThat(store.find(HistoryQuery.all().job(name)).entries().get(0).job())
                .isEqualTo(name);
    }

    @Test
    void tenThousandJobsMakeTwoKeys() {
        String name = "n".repeat(300);
        List<HistoryEntry> many = new ArrayList<>();
        IntStream.range(0, 10_000).forEach(i -> many.add(entry("e" + i, name + i, "n1", now.minusMillis(i))));
        for (int i = 0; i < many.size(); i += 200) {
            store.add(many.subList(i, i + 200));
        }
        assertThat(redis.server().text("DBSIZE")).isEqualTo("4");
        assertThat(store.summaries()).hasSize(10_000);
        assertThat(ids(HistoryQuery.all().job(name + "9999"))).containsExactly("e9999");
    }

    @Test
    void theSameCallTwiceChangesNothing() {
        List<HistoryEntry> twice = List.of(entry("1", "job", "n1", now), entry("2", "job", "n1", now));
        store.add(twice);
        store.add(twice);
        assertThat(size()).isEqualTo(2);
    }

    @Test
    void whatThisVersionCannotReadIsPassedOver() {
        redis.server().call("ZADD", "h:{history}", Long.toString(now.toEpochMilli()), "odd", "5", "nothing");
        redis.server().call("HSET", "h:{history-entries}", "odd", "outcome=EATEN job=x node=y");
        store.add(List.of(entry("1", "job", "n1", now)));
        assertThat(ids(HistoryQuery.all())).containsExactly("1");
    }

    private RedisHistoryStore store(int most, String oldest) {
        return new RedisHistoryStore(client.template(), "h:", most, oldest);
    }

    private List<String> ids(HistoryQuery query) {
        return store.find(query).entries().stream().map(HistoryEntry::id).toList();
    }

    private static HistoryEntry entry(String id, String job, String node, Instant at) {
        return HistoryEntry.builder(id, job, node, HistoryOutcome.RAN).at(at).build();
    }

    private static int size() {
        String index = redis.server().text("ZCARD", "h:{history}");
        assertThat(redis.server().text("HLEN", "h:{history-entries}")).isEqualTo(index);
        return Integer.parseInt(index);
    }
}
