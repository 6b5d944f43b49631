package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What needs no Redis; the rest is in {@link KeyContract}. */
class LockKeysTest {
    private final LockKeys keys = new LockKeys("p:");

    private String key(String name) {
        return new String(keys.key(name), StandardCharsets.UTF_8);
    }

    /** As a name has it that was cut in the middle of a character. */
    @Test
    void halfOfACharacterIsItself() {
        assertThat(List.of(
                        key("a\uD83D"), key("a\uD83E"), key("a\uDE00"), key("a?"), key("a\uFFFD"), key("a%ED%A0%BD")))
                .doesNotHaveDuplicates()
                .first()
                .isEqualTo("p:a%ED%A0%BD");
        assertThat(key("\uDE00\uD83D")).isEqualTo("p:%ED%B8%80%ED%A0%BD");
    }

    @Test
    void wholeCharactersStayAsTheyAre() {
        assertThat(key("a\uD83D\uDE00\uD83D\uDE00z")).isEqualTo("p:a\uD83D\uDE00\uD83D\uDE00z");
    }
}
