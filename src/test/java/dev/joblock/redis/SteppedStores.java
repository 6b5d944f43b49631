package dev.joblock.redis;

import dev.joblock.Holder;
import dev.joblock.LockStore;
import dev.joblock.StoreAnswer;
import dev.joblock.redis.Mechanism.Call;
import dev.joblock.redis.Mechanism.Reply;
import dev.joblock.redis.World.Stored;
import dev.joblock.testing.RedisServer;
import dev.joblock.testing.RespConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.RedisTemplate;

/**
 * A scenario on the real status-time store: each thread of steps is a thread with a store of its own, which stops before each
 * command. One order is played at a time, and the invariants are checked after each call.
 */
final class SteppedStores implements AutoCloseable {
    private static final String LOCK = "lock";

    private final Scenario scenario;
    private final Steps steps;
    private final Invariants invariants;
    private final Aftermath aftermath;
    private final RespConnection observer;
    private final RedisClient client;
    private final List<SteppedThread> threads = new ArrayList<>();
    private final List<SteppedConnections> connections = new ArrayList<>();
    private final List<LockStore> stores = new ArrayList<>();
    private long now;

    SteppedStores(Scenario scenario, RedisServer redis, boolean watches) throws IOException {
        this.scenario = scenario;
        this.steps = Steps.ofScripts(scenario);
        this.invariants = new Invariants(scenario, false);
        this.aftermath = new Aftermath(scenario);
        this.observer = new RespConnection(redis.host(), redis.port());
        this.client = RedisClient.of(redis, scenario.threads().size());
        for (int i = 0; i < scenario.threads().size(); i++) {
            SteppedThread thread = new SteppedThread();
            SteppedConnections stepped = new SteppedConnections(client.factory(), thread, () -> now, watches);
            RedisTemplate<Object, Object> template = new RedisTemplate<>();
            template.setConnectionFactory(stepped.factory());
            template.afterPropertiesSet();
            threads.add(thread);
            connections.add(stepped);
            stores.add(new StatusTimeStore(template, ""));
        }
    }

    /** How often EXEC was refused in all orders so far. */
    int refused() {
        return connections.stream().mapToInt(SteppedConnections::refused).sum();
    }

    /** Plays one order; which of so many threads goes on is asked for at each step. */
    void play(IntUnaryOperator choice) {
        send("DEL", LOCK);
        World world = World.start(scenario, Explorer.START);
        List<@Nullable Call> open = new ArrayList<>();
        scenario.threads().forEach(thread -> open.add(null));
        StringBuilder order = new StringBuilder();
        try {
            while (true) {
                now = world.now();
                List<Integer> ready = ready(world);
                if (ready.isEmpty()) {
                    checkEnd(world);
                    return;
                }
                int thread = ready.get(choice.applyAsInt(ready.size()));
                order.append("\n  ").append(scenario.describe(steps.move(world, thread)));
                world = step(world, thread, open);
            }
        } catch (Invariants.Broken e) {
            throw new AssertionError(e.getMessage() + "\nin " + scenario.name() + "\nby the order" + order, e);
        }
    }

    private World step(World world, int thread, List<@Nullable Call> open) {
        SteppedThread led = threads.get(thread);
        Call call = open.get(thread);
        if (call == null) {
            call = steps.call(world, thread);
            if (call == null) {
                World next = steps.take(world, thread, null, null);
                invariants.check(world, next, null, null);
                return next;
            }
            Call begun = call;
            open.set(thread, call);
            led.begin(() -> make(begun, stores.get(thread)));
        }
        led.step();
        if (!led.isDone()) {
            Invariants.require(stored(world.stored()) == world.stored(), "a call that goes on has changed the record");
            return world;
        }
        open.set(thread, null);
        Stored after = stored(world.stored());
        Object result = led.result();
        StoreAnswer answer = result instanceof StoreAnswer given ? given : null;
        Reply reply = new Reply(answer, Boolean.TRUE.equals(result), after != world.stored(), after);
        Call done = new Call(
                call.kind(),
                call.actor(),
                world.stored(),
                connections.get(thread).lastTime());
        World next = steps.take(world, thread, done, reply);
        invariants.check(world, next, done, reply);
        return next;
    }

    private static Object make(Call call, LockStore store) {
        Holder holder = call.actor().holder();
        switch (call.kind()) {
            case ASK:
                return store.acquire(call.request());
            case RENEW:
                return store.renew(LOCK, holder, Scenario.LEASE);
            case RELEASE:
                return store.release(LOCK, holder);
            case UNCLAIM:
                return store.unclaim(LOCK, holder);
            default:
                store.cancel(LOCK, holder);
                return true;
        }
    }

    private void checkEnd(World world) {
        aftermath.checkNoOrphan(world);
        aftermath.probes(world).forEach(probe -> probe.check(new PureRules().answer(probe.call())));
    }

    private List<Integer> ready(World world) {
        List<Integer> ready = new ArrayList<>();
        for (int thread = 0; thread < threads.size(); thread++) {
            if (!steps.isOver(world, thread)) {
                ready.add(thread);
            }
        }
        return ready;
    }

    /** What Redis holds; the given one, if it is equal to it. */
    private Stored stored(Stored before) {
        List<?> flat = (List<?>) Objects.requireNonNull(send("HGETALL", LOCK));
        Map<String, String> fields = new HashMap<>();
        for (int i = 0; i < flat.size(); i += 2) {
            fields.put(String.valueOf(flat.get(i)), String.valueOf(flat.get(i + 1)));
        }
        return fields.equals(before.fields()) ? before : new Stored(new LockRecord(fields), "", 0);
    }

    private @Nullable Object send(String... command) {
        try {
            return observer.call(command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        threads.forEach(SteppedThread::close);
        client.close();
        observer.close();
    }
}
