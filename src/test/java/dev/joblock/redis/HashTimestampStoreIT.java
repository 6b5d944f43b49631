package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.LockStore;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.RedisOperations;

/** The contract on the store that is one script a call. */
class HashTimestampStoreIT extends LockStoreContract implements ScriptContract {

    @Override
    public LockStore open(RedisOperations<?, ?> template, String prefix) {
        return new HashTimestampStore(template, prefix);
    }

    @Override
    public String decisiveCommand() {
        return "EVAL";
    }

    @Test
    void recordHoldsTheLockTimeAsAFieldOfItsOwn() {
        long since = grant(manual(), holder("n1")).since().toEpochMilli();

        assertThat((List<?>) redis().call("HVALS", key())).anyMatch(value -> value.equals(Long.toString(since)));
    }
}
