package dev.joblock.redis;

import dev.joblock.redis.Aftermath.Probe;
import dev.joblock.redis.Mechanism.Call;
import dev.joblock.redis.Mechanism.Reply;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes the steps of a scenario in every order and checks the invariants after each of them. Orders that have come to equal
 * worlds are gone on with together, and counted each.
 */
final class Explorer {
    static final long START = 1_790_000_000_000L;

    /** How many orders there are, through how many different worlds, by how many steps taken. */
    record Explored(BigInteger orders, long worlds, long steps) {
        static final Explored NOTHING = new Explored(BigInteger.ZERO, 0, 0);

        Explored plus(Explored other) {
            return new Explored(orders.add(other.orders), worlds + other.worlds, steps + other.steps);
        }

        @Override
        public String toString() {
            return String.format("%,d orders (%,d worlds, %,d steps)", orders, worlds, steps);
        }
    }

    /** How a world was come to: one of the ways, and the number of all. */
    private static final class Way {
        final @Nullable Way before;
        final int thread;
        BigInteger orders = BigInteger.ZERO;

        Way(@Nullable Way before, int thread) {
            this.before = before;
            this.thread = thread;
        }
    }

    private record Edge(World world, Way way, int thread, int call) {}

    private final Scenario scenario;
    private final Steps steps;
    private final Mechanism mechanism;
    private final Invariants invariants;
    private final Aftermath aftermath;

    Explorer(Scenario scenario, Steps steps, Mechanism mechanism) {
        this.scenario = scenario;
        this.steps = steps;
        this.mechanism = mechanism;
        this.invariants = new Invariants(scenario, mechanism.hasPlainKey());
        this.aftermath = new Aftermath(scenario);
    }

    /** Explores all orders; fails with the first one that breaks an invariant. */
    Explored explore() {
        Explored explored = Explored.NOTHING;
        Map<World, Way> layer = new LinkedHashMap<>();
        Way start = new Way(null, -1);
        start.orders = BigInteger.ONE;
        layer.put(World.start(scenario, START), start);
        while (!layer.isEmpty()) {
            List<Edge> edges = new ArrayList<>();
            List<Call> calls = new ArrayList<>();
            BigInteger ended = BigInteger.ZERO;
            for (Map.Entry<World, Way> entry : layer.entrySet()) {
                if (expand(entry.getKey(), entry.getValue(), edges, calls) == 0) {
                    ended = ended.add(entry.getValue().orders);
                }
            }
            explored = explored.plus(new Explored(ended, layer.size(), edges.size()));
            checkEnds(layer);
            layer = follow(edges, calls);
        }
        return explored;
    }

    private int expand(World world, Way way, List<Edge> edges, List<Call> calls) {
        int found = 0;
        for (int thread = 0; thread < scenario.threads().size(); thread++) {
            if (!steps.isOver(world, thread)) {
                Call call = steps.call(world, thread);
                edges.add(new Edge(world, way, thread, call == null ? -1 : calls.size()));
                if (call != null) {
                    calls.add(call);
                }
                found++;
            }
        }
        return found;
    }

    private Map<World, Way> follow(List<Edge> edges, List<Call> calls) {
        List<Reply> replies = mechanism.answer(calls);
        Map<World, Way> next = new LinkedHashMap<>();
        for (Edge edge : edges) {
            Call call = edge.call < 0 ? null : calls.get(edge.call);
            Reply reply = edge.call < 0 ? null : committed(edge.world, edge.thread, replies.get(edge.call));
            World world = steps.take(edge.world, edge.thread, call, reply);
            Way way = new Way(edge.way, edge.thread);
            try {
                invariants.check(edge.world, world, call, reply);
            } catch (Invariants.Broken e) {
                throw broken(way, e);
            }
            Way known = Objects.requireNonNullElse(next.putIfAbsent(world, way), way);
            known.orders = known.orders.add(edge.way.orders);
        }
        return next;
    }

    /** What a transaction came to: nothing, if it was to write and the key was written since it watches. */
    private static @Nullable Reply committed(World world, int thread, Reply reply) {
        return reply.wrote() && world.transactions().get(thread).overtaken() ? null : reply;
    }

    private void checkEnds(Map<World, Way> layer) {
        List<Probe> probes = new ArrayList<>();
        List<Way> ways = new ArrayList<>();
        layer.forEach((world, way) -> {
            if (isOver(world)) {
                try {
                    aftermath.checkNoOrphan(world);
                } catch (Invariants.Broken e) {
                    throw broken(way, e);
                }
                for (Probe probe : aftermath.probes(world)) {
                    probes.add(probe);
                    ways.add(way);
                }
            }
        });
        List<Reply> replies = mechanism.answer(probes.stream().map(Probe::call).toList());
        for (int i = 0; i < probes.size(); i++) {
            try {
                probes.get(i).check(replies.get(i));
            } catch (Invariants.Broken e) {
                throw broken(ways.get(i), e);
            }
        }
    }

    private boolean isOver(World world) {
        for (int thread = 0; thread < scenario.threads().size(); thread++) {
            if (!steps.isOver(world, thread)) {
                return false;
            }
        }
        return true;
    }

    /** Says which order broke which rule, by taking it once more. */
    private AssertionError broken(Way way, Invariants.Broken error) {
        Deque<Integer> threads = new ArrayDeque<>();
        for (Way at = way; at.before != null; at = at.before) {
            threads.push(at.thread);
        }
        StringBuilder text = new StringBuilder(String.valueOf(error.getMessage()));
        text.append("\nin ").append(scenario.name()).append("\nby the order");
        World world = World.start(scenario, START);
        for (int thread : threads) {
            Call call = steps.call(world, thread);
            Reply reply = call == null ? null : committed(world, thread, mechanism.answer(call));
            text.append("\n  ").append(scenario.describe(steps.move(world, thread)));
            World.Transaction open = world.transactions().get(thread);
            text.append(open.isNone() ? "" : ", step " + (open.done() + 1));
            text.append(call == null ? "" : reply == null ? ": overtaken" : ": " + reply);
            world = steps.take(world, thread, call, reply);
        }
        return new AssertionError(text.toString(), error);
    }
}
