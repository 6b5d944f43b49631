package dev.joblock.engine;

import java.util.function.LongSupplier;

/** The one place where the node's clocks are read. Stateless and thread-safe. */
public final class SystemTime implements Time, LongSupplier {

    /** The clocks of this node. */
    public SystemTime() {}

    /**
     * The wall clock, for those that don't know the engine.
     *
     * @return ms since the epoch
     */
    @Override
    public long getAsLong() {
        return wallMillis();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
