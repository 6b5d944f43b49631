package dev.joblock.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the engine warns of while this is open, kept off the console. */
final class EngineLogs implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.joblock.engine");
    private final List<String> warnings = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                warnings.add(event.getFormattedMessage());
            }
        }
    };

    EngineLogs() {
        appender.setContext(logger.getLoggerContext());
        appender.start();
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
        logger.setAdditive(true);
    }
}
