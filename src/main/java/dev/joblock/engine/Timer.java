package dev.joblock.engine;

/** Runs short tasks later. Tasks must not block: one thread serves them all. Tests turn it by hand. */
interface Timer {

    /** Runs a task after a delay in ns; the result cancels it. */
    Runnable after(long delayNanos, Runnable task);
}
