package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.mockito.Mockito.mock;

import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.RedisTemplate;

class NodePresenceTest {

    /** It would end the beats without a word: the node would count as dead, and its clock as none. */
    @Test
    void anErrorEndsOneBeatOnly() {
        RedisTemplate<?, ?> broken = mock(RedisTemplate.class, call -> {
            throw new NoClassDefFoundError("missing");
        });
        NodePresence presence = new NodePresence(broken, "p:", "n1", () -> 0);
        try {
            assertThatNoException().isThrownBy(() -> presence.beat(new RedisCalls(broken, "p:")));
        } finally {
            presence.destroy();
        }
    }
}
