package dev.joblock.engine;

import java.util.concurrent.Executor;

/** The threads of one engine. Tests run what is given to them by hand. */
interface Threads extends Timer {

    /** Does one thing after the other: renewals, and endings that are repeated. */
    Executor io();

    /** Carries out the calls to the store that {@link #io} waits for; refuses when too many hang. */
    Executor ioCalls();

    /** Tells listeners, one event after the other. */
    Executor events();

    /** Carries out the calls to the store that a caller of the service waits for; refuses when too many hang. */
    Executor asks();

    /** Asks again for runs that were denied; a task may wait for an ask. */
    Executor retries();

    /** Lets begun work end for a bounded time. */
    void close(long millis);
}
