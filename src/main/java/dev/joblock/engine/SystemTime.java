package dev.joblock.engine;

/** The one place where the node's clocks are read. */
final class SystemTime implements Time {

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
