package dev.joblock.redis;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Knows which Jedis goes with which Spring Data Redis. A pair that does not fit would fail at the first fire, with a
 * missing method or an answer out of step; it is to fail at start.
 */
final class JedisVersions {

    private static final Pattern MAJOR_MINOR = Pattern.compile("([0-9]+)\\.([0-9]+).*");
    private static final String POM = "META-INF/maven/redis.clients/jedis/pom.properties";

    private JedisVersions() {}

    /**
     * What is wrong with the libraries on the class path.
     *
     * @return a sentence with the versions found and supported, or empty if they fit or are not known
     */
    static Optional<String> problem() {
        return problem(springDataRedis(), jedis());
    }

    static Optional<String> problem(@Nullable String springDataRedis, @Nullable String jedis) {
        int data = number(springDataRedis);
        int found = number(jedis);
        if (data < 0 || found < 0) {
            return Optional.empty();
        }
        int least = least(data);
        boolean onlyThree = data < 3_000;
        if (found >= least && !(onlyThree && found >= 4_000)) {
            return Optional.empty();
        }
        String supported = least / 1000 + "." + least % 1000 + (onlyThree ? " to 3.x" : " or newer");
        return Optional.of("Spring Data Redis " + springDataRedis + " does not work with Jedis " + jedis
                + ", it takes Jedis " + supported + "; change the version of redis.clients:jedis");
    }

    /** The versions on the class path, for a failure that the table above did not foresee. */
    static String found() {
        return "Spring Data Redis " + orUnknown(springDataRedis()) + " with Jedis " + orUnknown(jedis());
    }

    private static int least(int data) {
        if (data >= 4_001) {
            return 7_003;
        }
        if (data >= 4_000) {
            return 7_000;
        }
        if (data >= 3_005) {
            return 6_000;
        }
        if (data >= 3_002) {
            return 5_000;
        }
        return data >= 3_000 ? 4_003 : 3_003;
    }

    /** Major and minor as one number that can be compared; -1 if the version is not known. */
    private static int number(@Nullable String version) {
        Matcher matcher = MAJOR_MINOR.matcher(version == null ? "" : version);
        return matcher.matches() ? Integer.parseInt(matcher.group(1)) * 1000 + Integer.parseInt(matcher.group(2)) : -1;
    }

    private static @Nullable String springDataRedis() {
        return RedisConnectionFactory.class.getPackage().getImplementationVersion();
    }

    private static @Nullable String jedis() {
        ClassLoader loader = RedisConnectionFactory.class.getClassLoader();
        try (InputStream pom = loader == null ? null : loader.getResourceAsStream(POM)) {
            if (pom == null) {
                return null;
            }
            Properties properties = new Properties();
            properties.load(pom);
            return properties.getProperty("version");
        } catch (IOException e) {
            return null;
        }
    }

    private static String orUnknown(@Nullable String version) {
        return version == null ? "(version unknown)" : version;
    }
}
