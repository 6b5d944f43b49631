package dev.joblock.redis;

import dev.joblock.LockStore;
import java.util.Set;
import org.springframework.data.redis.core.RedisOperations;

/** The contract where a hand-written lock O2 stands beside each of ours, and no old node is left. */
class LegacyO2ContractIT extends LockStoreContract {

    @Override
    public LockStore open(RedisOperations<?, ?> template, String prefix) {
        return new HashTimestampStore(template, prefix)
                .withLegacy(LegacyLocks.o2("old:" + prefix + "{job}", policy -> {}));
    }

    @Override
    public String decisiveCommand() {
        return "EVAL";
    }

    @Override
    public Set<String> keys(String prefix, String encodedName) {
        return Set.of(prefix + encodedName, "old:" + prefix + Words.decode(encodedName));
    }

    @Override
    public void lose() {
        redis().call("DEL", key(), "old:" + key());
    }
}
