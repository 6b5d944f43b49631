package dev.joblock.sample.files;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The interval of the status report, as it stands in Redis at this moment: field {@code intervaltime} of a hash, in minutes
 * ({@code 5}), or in seconds with an s behind ({@code 20s}). Whoever changes it there changes it for all nodes. Thread-safe.
 */
public class ReportInterval {

    private static final Logger LOG = LoggerFactory.getLogger(ReportInterval.class);
    private static final String FIELD = "intervaltime";
    private static final Pattern VALUE = Pattern.compile("([1-9][0-9]{0,6})(s?)");

    private final StringRedisTemplate redis;
    private final String key;
    private final Duration byDefault;

    /**
     * The interval.
     *
     * @param redis where
     * @param key of the hash
     * @param byDefault what counts while the field is not there, or can't be read; written as the field is
     */
    public ReportInterval(StringRedisTemplate redis, String key, String byDefault) {
        this.redis = redis;
        this.key = key;
        Matcher value = VALUE.matcher(byDefault);
        if (!value.matches()) {
            throw new IllegalArgumentException(
                    "'" + byDefault + "' is no interval; write whole minutes such as 5, or seconds such as 20s");
        }
        this.byDefault = duration(value);
    }

    /**
     * Reads it.
     *
     * @return a positive duration
     */
    public Duration read() {
        Object text = redis.opsForHash().get(key, FIELD);
        if (text == null) {
            return byDefault;
        }
        Matcher value = VALUE.matcher(text.toString().trim());
        if (!value.matches()) {
            LOG.warn(
                    "'{}' of '{}' in Redis is '{}', which is no interval; {} s count. Write whole minutes such as 5, or"
                            + " seconds such as 20s",
                    FIELD,
                    key,
                    text,
                    byDefault.toSeconds());
            return byDefault;
        }
        return duration(value);
    }

    private static Duration duration(Matcher value) {
        long number = Long.parseLong(value.group(1));
        return value.group(2).isEmpty() ? Duration.ofMinutes(number) : Duration.ofSeconds(number);
    }
}
