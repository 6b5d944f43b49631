package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.Denied;
import dev.joblock.Holder;
import dev.joblock.JobRun;
import dev.joblock.LockStore;
import dev.joblock.Slot;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;

/** Names, whatever is in them, and the keys that they become, whatever template they go through. */
interface KeyContract extends StoreFixture {

    /** Lock name to the part of its key after the prefix. */
    Map<String, String> NAMES = names();

    @Test
    default void keyIsPrefixAndNameInUtf8WithFewCharactersEncoded() {
        NAMES.keySet().forEach(name -> Asks.grant(store(), JobRun.exclusive(name), holder("n1")));

        Set<String> expected = new TreeSet<>();
        NAMES.values().forEach(name -> expected.addAll(keys(prefix(), name)));
        assertThat(found()).isEqualTo(expected);
    }

    @Test
    default void lockActsOnItsOwnNameOnly() {
        Map<String, Holder> holders = new LinkedHashMap<>();
        for (String name : names("\u0085", "%C2%85", "e\u0301", "INVOICE", "Invoice", "a:b:c")) {
            Holder holder = holder("holder of " + name.length());
            Asks.grant(store(), JobRun.slot(name, name, slot(10)), holder);
            holders.put(name, holder);
        }
        for (String name : holders.keySet()) {
            Denied denied = Asks.deny(store(), JobRun.exclusive(name), holder("n2"));
            assertThat(denied.other().orElseThrow().lane()).isEqualTo(name);
        }
        assertThat(found()).hasSize(holders.size() * keys(prefix(), LOCK).size());
        holders.forEach((name, holder) -> {
            assertThat(store().renew(name, holder, Duration.ofHours(1))).isTrue();
            assertThat(store().release(name, holder))
                    .as("release of '%s'", name)
                    .isTrue();
            assertThat(Asks.deny(store(), JobRun.slot(name, name, slot(10)), holder("n2"))
                            .reason())
                    .isEqualTo(DenialReason.TAKEN);
        });
    }

    @Test
    default void textsOfTheRecordComeBackAsTheyWere() {
        String[] texts = {
            "a|b",
            "a:b",
            "a,b;c",
            "a\nb",
            "a\u0000b",
            "a b",
            "%7C",
            "\"q\" 'q' \\",
            "{\"j\":[1]}",
            "Überweisung 日本 \uD83D\uDE00",
            "null",
            "-",
            "0",
            " lead and trail ",
            "lane",
            "x".repeat(1_000)
        };
        for (String text : texts) {
            complete(in("lane " + text, slot(10)), "node " + text);
        }
        for (String text : texts) {
            Denied denied = deny(in("lane " + text, slot(10)), "n2");
            assertThat(denied.reason()).isEqualTo(DenialReason.TAKEN);
            assertThat(denied.other().orElseThrow().node()).isEqualTo("node " + text);
            assertThat(denied.other().orElseThrow().lane()).isEqualTo("lane " + text);
        }
        for (String text : texts) {
            complete(in("lane " + text, slot(11)), text.isBlank() ? "n" : text);
            assertThat(deny(in("lane " + text, slot(11)), "n2")
                            .other()
                            .orElseThrow()
                            .node())
                    .isEqualTo(text);
        }
    }

    @Test
    default void lanesAndDefinitionsThatLookAlikeStayApart() {
        List<String> lanes =
                List.of("a", "a ", "A", "a|", "a:", "a\n", "a%", "a%0A", "a:mark", "mark:a", "owed:a", "token");
        for (int i = 0; i < lanes.size(); i++) {
            complete(in(lanes.get(i), Slot.of(hour(10), hour(11), "def|" + i)), "n" + i);
        }
        for (int i = 0; i < lanes.size(); i++) {
            Denied denied = deny(in(lanes.get(i), Slot.of(hour(10), hour(11), "def|" + i)), "x");
            assertThat(denied.other().orElseThrow().node()).isEqualTo("n" + i);
            assertThat(denied.isOtherDefinition()).isFalse();
            assertThat(deny(in(lanes.get(i), Slot.of(hour(10), hour(11), "def|" + i + "|")), "x")
                            .isOtherDefinition())
                    .isTrue();
        }
    }

    @Test
    default void nonceThatBeginsLikeAnotherIsAnother() {
        Holder holder = new Holder("n1", "nonce");
        grant(manual(), holder);

        for (String nonce : List.of("nonc", "nonce1", "nonce ", "NONCE", "n", "nonce|", "*")) {
            assertThat(store().release(LOCK, new Holder("n1", nonce))).isFalse();
            assertThat(store().renew(LOCK, new Holder("n1", nonce), Asks.LEASE)).isFalse();
        }
        assertThat(store().release(LOCK, holder)).isTrue();
    }

    @Test
    default void prefixesKeepEnvironmentsApart() {
        try (RedisClient client = RedisClient.of(redis(), 2)) {
            LockStore staging = open(client.template(), prefix() + "stg:");
            LockStore production = open(client.template(), prefix() + "prd:");

            Asks.grant(staging, hourly(10), holder("n1"));
            Asks.grant(production, hourly(10), holder("n1"));

            Set<String> expected = new TreeSet<>(keys(prefix() + "stg:", LOCK));
            expected.addAll(keys(prefix() + "prd:", LOCK));
            assertThat(found()).isEqualTo(expected);
        }
    }

    @Test
    default void serializersOfTheHostsTemplateChangeNothing() {
        try (RedisClient client = RedisClient.of(redis(), 4)) {
            RedisSerializer<?>[] serializers = {
                RedisSerializer.java(), RedisSerializer.string(), new OddSerializer(false), new OddSerializer(true)
            };
            int slot = 1;
            for (RedisSerializer<?> serializer : serializers) {
                LockStore odd = open(template(client, serializer), prefix());
                Holder holder = holder("n1");
                Asks.grant(odd, hourly(slot), holder);
                assertThat(deny(manual(), "n2").other().orElseThrow().node()).isEqualTo("n1");
                assertThat(odd.renew(LOCK, holder, Duration.ofHours(1))).isTrue();
                assertThat(odd.release(LOCK, holder)).isTrue();
                Asks.grant(odd, hourly(slot + 1), holder("unclaimed"), Duration.ofMillis(1));
                assertThat(odd.time()).isAfterOrEqualTo(start());
                odd.cancel(LOCK, holder("n3"));
                awaitPast(store().time().plusMillis(1));
                slot += 2;
            }
            assertThat(found()).isSubsetOf(keys(prefix(), LOCK)).contains(recordKey());
        }
    }

    @Test
    default void keyIsInTheDatabaseOfTheConnectionFactory() {
        RedisStandaloneConfiguration third = new RedisStandaloneConfiguration(redis().host(), redis().port());
        third.setDatabase(3);
        try (RedisClient client = RedisClient.of(third, 1, Duration.ofSeconds(5))) {
            LockStore store = open(client.template(), prefix());
            Asks.grant(store, manual(), holder("n1"));

            assertThat(exists()).as("in database 0").isFalse();
            assertThat(client.factory().getConnection().keyCommands().exists(bytes(recordKey())))
                    .isTrue();
        }
    }

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        for (String plain : List.of(
                "a:b",
                "a",
                "day[1]*?",
                "day1x",
                "Überweisung täglich",
                "a:b ",
                "<script>alert(1)</script>",
                "\"q\" 'q' \\n",
                "é",
                "日本 \uD83D\uDE00",
                "x".repeat(300))) {
            names.put(plain, plain);
        }
        names.put("x{y}z", "x%7By%7Dz");
        names.put("x%7By%7Dz", "x%257By%257Dz");
        names.put("a/b %2F+&c", "a/b %252F+&c");
        names.put("tab\there", "tab%09here");
        names.put("tab%09here", "tab%2509here");
        names.put("line\r\nfeed", "line%0D%0Afeed");
        names.put("nul\u0000\u001Fdel\u007F", "nul%00%1Fdel%7F");
        return names;
    }

    private static List<String> names(String... more) {
        List<String> all = new ArrayList<>(NAMES.keySet());
        all.addAll(List.of(more));
        return all;
    }

    private Set<String> found() {
        return ((List<?>) Objects.requireNonNull(redis().call("KEYS", "*" + prefix() + "*")))
                .stream().map(Object::toString).collect(Collectors.toCollection(TreeSet::new));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static RedisTemplate<Object, Object> template(RedisClient client, RedisSerializer<?> serializer) {
        RedisTemplate<Object, Object> template = new RedisTemplate<>();
        template.setConnectionFactory(client.factory());
        template.setDefaultSerializer(serializer);
        template.afterPropertiesSet();
        return template;
    }
}
