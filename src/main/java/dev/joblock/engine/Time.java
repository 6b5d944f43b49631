package dev.joblock.engine;

/** Both clocks of this node. Tests turn them by hand. */
interface Time {

    /** A clock that never steps, in ns; only differences mean something. It stands still while a machine is suspended. */
    long nanos();

    /** The wall clock in ms, which steps and goes on while a machine is suspended. */
    long wallMillis();
}
