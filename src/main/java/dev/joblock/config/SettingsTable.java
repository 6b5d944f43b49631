package dev.joblock.config;

import dev.joblock.Durations;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The effective values of all settings and where each comes from. Immutable once read. */
final class SettingsTable {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockSettings.class);

    private final Map<Setting, String> values = new EnumMap<>(Setting.class);
    private final Map<Setting, String> origins = new EnumMap<>(Setting.class);

    private SettingsTable() {}

    /**
     * Reads and checks every setting.
     *
     * @throws IllegalArgumentException with a sentence for the first value that is wrong
     */
    static SettingsTable read(SettingsReader reader) {
        SettingsTable table = new SettingsTable();
        for (Setting setting : Setting.ALL) {
            table.put(setting, table.lookUp(setting, reader));
        }
        table.checkTogether();
        return table;
    }

    String text(Setting setting) {
        return values.getOrDefault(setting, "");
    }

    boolean isTrue(Setting setting) {
        return text(setting).equals("true");
    }

    Duration duration(Setting setting) {
        return Durations.parsePositive(setting.key(), text(setting));
    }

    boolean isSet(Setting setting) {
        return origins.containsKey(setting);
    }

    /** Replaces a default that is made up at start. */
    void makeUp(Setting setting, String value) {
        values.put(setting, value);
    }

    /** One line a setting: name, value, origin. */
    String describe() {
        StringBuilder lines = new StringBuilder();
        for (Setting setting : Setting.ALL) {
            if (!isUnused(setting)) {
                lines.append("\n  ")
                        .append(setting.key())
                        .append(" = ")
                        .append(setting.shown(text(setting)))
                        .append(" (")
                        .append(origins.getOrDefault(setting, "default"))
                        .append(')');
            }
        }
        return lines.toString();
    }

    private Optional<Found> lookUp(Setting setting, SettingsReader reader) {
        Optional<Found> found = reader.find(setting.key()).filter(it -> !isServiceLink(setting, it));
        String handWritten = setting.handWrittenName();
        if (found.isPresent() || handWritten == null || isUnused(setting)) {
            return found;
        }
        return reader.find(handWritten).filter(it -> !it.text().trim().isEmpty() && !isServiceLink(setting, it));
    }

    private void put(Setting setting, Optional<Found> found) {
        if (!found.isPresent()) {
            values.put(setting, setting.defaultText());
            return;
        }
        Found it = found.get();
        if (it.text().contains("${") && !setting.isSecret()) {
            throw it.refused("holds a placeholder that nothing resolves; set what is missing");
        }
        values.put(setting, setting.check(it));
        origins.put(setting, it.isHandWritten() ? it.name() + ", " + it.origin() : it.origin());
    }

    /** Container platforms set REDIS_PORT=tcp://… by themselves for a service that is called redis: an address, not a port. */
    private static boolean isServiceLink(Setting setting, Found found) {
        return setting == Setting.REDIS_PORT && found.text().startsWith("tcp://");
    }

    /** The server is the host's business once it gives its own factory. */
    private boolean isUnused(Setting setting) {
        return setting.isRedis() && !text(Setting.REDIS_CONNECTION_FACTORY).isEmpty();
    }

    private void checkTogether() {
        if (duration(Setting.MAX_HOLD).compareTo(duration(Setting.LEASE)) < 0) {
            throw new IllegalArgumentException("'" + Setting.MAX_HOLD.key() + "' = '" + text(Setting.MAX_HOLD)
                    + "' is shorter than '" + Setting.LEASE.key() + "' = '" + text(Setting.LEASE)
                    + "'; shorten the lease or lengthen max-hold" + from(Setting.MAX_HOLD));
        }
        if (!text(Setting.REDIS_USERNAME).isEmpty()
                && text(Setting.REDIS_PASSWORD).isEmpty()) {
            throw new IllegalArgumentException("'" + Setting.REDIS_USERNAME.key() + "' = '"
                    + text(Setting.REDIS_USERNAME) + "' has no password, and Redis asks for both; set '"
                    + Setting.REDIS_PASSWORD.key() + "' too" + from(Setting.REDIS_USERNAME));
        }
        checkServers();
        cutToBudget(Setting.REDIS_TIMEOUT);
        cutToBudget(Setting.REDIS_MAX_WAIT);
        cutToBudget(Setting.REPLICA_TIMEOUT);
        for (Setting setting : Setting.ALL) {
            if (isUnused(setting) && isSet(setting)) {
                LOG.warn(
                        "'{}' has no effect, since '{}' = '{}' gives the connections{}",
                        setting.key(),
                        Setting.REDIS_CONNECTION_FACTORY.key(),
                        text(Setting.REDIS_CONNECTION_FACTORY),
                        from(setting));
            }
        }
    }

    /** One server, a master that sentinels watch, or a cluster. */
    private void checkServers() {
        boolean master = !text(Setting.REDIS_SENTINEL_MASTER).isEmpty();
        boolean sentinels = !text(Setting.REDIS_SENTINEL_NODES).isEmpty();
        if (master != sentinels) {
            Setting given = master ? Setting.REDIS_SENTINEL_MASTER : Setting.REDIS_SENTINEL_NODES;
            Setting missing = master ? Setting.REDIS_SENTINEL_NODES : Setting.REDIS_SENTINEL_MASTER;
            throw new IllegalArgumentException("'" + given.key() + "' = '" + text(given) + "' needs '" + missing.key()
                    + "' too; set both or neither" + from(given));
        }
        if (sentinels && !text(Setting.REDIS_CLUSTER_NODES).isEmpty()) {
            throw new IllegalArgumentException("'" + Setting.REDIS_CLUSTER_NODES.key() + "' = '"
                    + text(Setting.REDIS_CLUSTER_NODES) + "' and '" + Setting.REDIS_SENTINEL_NODES.key()
                    + "' are both set; keep the one that your Redis is" + from(Setting.REDIS_CLUSTER_NODES));
        }
    }

    /** A socket or the pool must not wait longer than the whole ask may take. */
    private void cutToBudget(Setting setting) {
        Duration budget = duration(Setting.ASK_BUDGET);
        if (duration(setting).compareTo(budget) > 0) {
            String before = text(setting);
            values.put(setting, Durations.format(budget));
            origins.put(
                    setting,
                    origins.getOrDefault(setting, "default") + ": " + before + ", cut to " + Setting.ASK_BUDGET.key());
        }
    }

    private String from(Setting setting) {
        return " (from " + origins.getOrDefault(setting, "the default") + ")";
    }
}
