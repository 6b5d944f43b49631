package dev.joblock.config;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.joblock.testing.Loggers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What one class logs while this is open, kept off the console. */
final class Logs implements AutoCloseable {

    private final Logger logger;
    private final Level before;
    private final List<ILoggingEvent> events = Collections.synchronizedList(new ArrayList<>());
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    private Logs(Class<?> type) {
        logger = Loggers.of(type);
        before = logger.getLevel();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    static Logs of(Class<?> type) {
        return new Logs(type);
    }

    List<String> infos() {
        return messages(Level.INFO);
    }

    List<String> warnings() {
        return messages(Level.WARN);
    }

    private List<String> messages(Level level) {
        synchronized (events) {
            return events.stream()
                    .filter(event -> event.getLevel().equals(level))
                    .map(ILoggingEvent::getFormattedMessage)
                    .toList();
        }
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(before);
    }
}
