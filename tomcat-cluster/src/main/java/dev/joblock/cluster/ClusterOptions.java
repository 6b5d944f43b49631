package dev.joblock.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster shall be like.
 *
 * @param redis the Redis to use, or null to start one
 * @param nodes how many Tomcats, 1 to 16
 * @param firstPort the HTTP port of the first Tomcat, the others follow; 0 for any free ones
 * @param settings system properties for the Tomcats, over those that the cluster sets itself
 */
public record ClusterOptions(@Nullable HostPort redis, int nodes, int firstPort, Map<String, String> settings) {

    /** The property that names a Redis, as {@code host:port}. */
    public static final String REDIS = "joblock.redis";

    /** The property that says how many Tomcats to start. */
    public static final String NODES = "joblock.nodes";

    /** The property that names the HTTP port of the first Tomcat. */
    public static final String PORT = "joblock.port";

    private static final int MOST_NODES = 16;

    /** Options whose settings don't change any more. */
    public ClusterOptions {
        settings = Map.copyOf(settings);
    }

    /**
     * Reads the options that users give: four nodes from port 8081 and a Redis of its own, unless said otherwise.
     *
     * @param properties for example the system properties; a blank value counts as not set
     * @return the options
     * @throws ClusterException if a property can't be used
     */
    public static ClusterOptions from(Properties properties) {
        String redis = properties.getProperty(REDIS, "").trim();
        int nodes = number(properties, NODES, "4", 1, MOST_NODES);
        int port = number(properties, PORT, "8081", 1, 65_535);
        if (port + nodes - 1 > 65_535) {
            throw new ClusterException("'" + PORT + "' = '" + port + "' leaves no room for " + nodes
                    + " nodes below port 65536; give a lower one");
        }
        return new ClusterOptions(redis.isEmpty() ? null : HostPort.parse(REDIS, redis), nodes, port, Map.of());
    }

    /**
     * The same with more settings.
     *
     * @param more system properties for the Tomcats
     * @return a copy
     */
    public ClusterOptions with(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return new ClusterOptions(redis, nodes, firstPort, all);
    }

    private static int number(Properties properties, String name, String byDefault, int least, int most) {
        String given = properties.getProperty(name, "").trim();
        String text = given.isEmpty() ? byDefault : given;
        return Numbers.parse(name, text, text, least, most);
    }
}
