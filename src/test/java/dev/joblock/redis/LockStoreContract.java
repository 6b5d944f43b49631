package dev.joblock.redis;

import dev.joblock.LockStore;
import dev.joblock.testing.RedisServer;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/**
 * What every lock store promises, on a real Redis. A store's own test extends this and says how the store is made; the
 * promises are in the parts that this puts together.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LockStoreContract
        implements SlotContract,
                PassedOverContract,
                ClockContract,
                IntervalContract,
                LeaseContract,
                ExpiryContract,
                TokenContract,
                SteppedClockContract,
                TakeOverContract,
                OwedContract,
                UnclaimContract,
                CancelContract,
                ContentionContract,
                KeyContract,
                ForeignValueContract,
                FaultContract,
                LostAnswerContract,
                GuestContract {
    private final RedisServer redis = RedisServer.shared();
    private final RedisClient client = RedisClient.of(redis, 24);
    private String prefix = "";
    private LockStore store = open(client.template(), "unused:");
    private Instant start = Instant.EPOCH;

    @BeforeAll
    void warmUp() {
        store.time();
    }

    @BeforeEach
    void ownPrefix() {
        prefix = "contract:" + UUID.randomUUID() + ":";
        store = open(client.template(), prefix);
        start = store.time();
    }

    @AfterAll
    void closeClient() {
        client.close();
    }

    @Override
    public LockStore store() {
        return store;
    }

    @Override
    public RedisServer redis() {
        return redis;
    }

    @Override
    public String prefix() {
        return prefix;
    }

    @Override
    public Instant start() {
        return start;
    }
}
