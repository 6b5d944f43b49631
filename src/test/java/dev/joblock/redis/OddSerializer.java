package dev.joblock.redis;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.data.redis.serializer.SerializationException;

/** A host's serializer that puts something in front of every text, or refuses all work. */
final class OddSerializer implements RedisSerializer<Object> {
    private final boolean refusing;

    OddSerializer(boolean refusing) {
        this.refusing = refusing;
    }

    @Override
    public byte[] serialize(@Nullable Object value) {
        refuse();
        return ("app1:" + value).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object deserialize(byte @Nullable [] bytes) {
        refuse();
        return "not what was written";
    }

    private void refuse() {
        if (refusing) {
            throw new SerializationException("the store must not ask the host's serializer");
        }
    }
}
