package dev.joblock.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.joblock.testing.Loggers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What the engine warns of on the thread that opened this, while it is open; kept off the console. */
final class EngineLogs implements AutoCloseable {
    /** Tests run at the same time; the console is theirs again when the last one has ended. */
    private static final AtomicInteger OPEN = new AtomicInteger();

    private final Logger logger = Loggers.of("dev.joblock.engine");
    private final String thread = Thread.currentThread().getName();
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)
                    && event.getThreadName().equals(thread)) {
                warnings.add(event.getFormattedMessage());
            }
        }
    };

    EngineLogs() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
        OPEN.incrementAndGet();
        logger.setAdditive(false);
        logger.addAppender(appender);
    }

    /** The warnings since the last look, in order. */
    List<String> warnings() {
        List<String> now = List.copyOf(warnings);
        warnings.clear();
        return now;
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        if (OPEN.decrementAndGet() == 0) {
            logger.setAdditive(true);
        }
    }
}
