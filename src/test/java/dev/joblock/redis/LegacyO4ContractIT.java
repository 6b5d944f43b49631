package dev.joblock.redis;

import dev.joblock.LockStore;
import java.util.Set;
import org.springframework.data.redis.core.RedisOperations;

/** The contract where a hand-written lock O4 stands beside each of ours, and no old node is left. */
class LegacyO4ContractIT extends LockStoreContract {

    @Override
    public LockStore open(RedisOperations<?, ?> template, String prefix) {
        return new StatusTimeStore(template, prefix)
                .withLegacy(LegacyLocks.o4("old:" + prefix + "{job}", policy -> policy.setLegacyInterval("1ms")));
    }

    @Override
    public String decisiveCommand() {
        return "EXEC";
    }

    @Override
    public Set<String> keys(String prefix, String encodedName) {
        return Set.of(prefix + encodedName, "old:" + prefix + Words.decode(encodedName));
    }

    @Override
    public void lose() {
        redis().call("DEL", key(), "old:" + key());
    }

    /** Left out: it grants twice in one millisecond, and an interval is at least one. */
    @Override
    public void lastMarkFurtherAheadThanItsAllowanceIsNotBelieved() {}
}
