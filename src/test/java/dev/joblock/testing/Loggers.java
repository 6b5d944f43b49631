package dev.joblock.testing;

import ch.qos.logback.classic.Logger;
import org.awaitility.Awaitility;
import org.slf4j.LoggerFactory;

/** Logback's loggers. While another test's thread sets SLF4J up, it hands out stand-ins; this waits until it is done. */
public final class Loggers {
    private Loggers() {}

    /** The logger of a class. */
    public static Logger of(Class<?> type) {
        return of(type.getName());
    }

    /** The logger of that name. */
    public static Logger of(String name) {
        Awaitility.await().until(() -> LoggerFactory.getLogger(name) instanceof Logger);
        return (Logger) LoggerFactory.getLogger(name);
    }
}
