package dev.joblock.config;

import dev.joblock.Durations;
import dev.joblock.JobPatterns;
import dev.joblock.LockMode;
import dev.joblock.StoreDownRule;
import java.time.Duration;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules that values of settings are held to. Each returns the form in which the value is used. A refusal is thrown
 * without its cause, so that the sentence stands last in what the server prints.
 */
final class Rules {

    private static final Logger LOG = LoggerFactory.getLogger(JobLockSettings.class);
    private static final int LONGEST_NODE_ID = 200;

    private Rules() {}

    static String bool(Setting setting, Found found) {
        String text = found.text().trim();
        if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
            throw found.refused("is neither true nor false; write one of them");
        }
        return text.equalsIgnoreCase("true") ? "true" : "false";
    }

    static String text(Setting setting, Found found) {
        return found.text().trim();
    }

    /** As it stands: a blank at the end may be part of it. */
    static String secret(Setting setting, Found found) {
        return found.text();
    }

    static String required(Setting setting, Found found) {
        String text = found.text().trim();
        if (text.isEmpty()) {
            throw found.refused(
                    "is blank; leave it out for the default '" + setting.defaultText() + "' or give a value");
        }
        return text;
    }

    static String prefix(Setting setting, Found found) {
        return printable(found, required(setting, found));
    }

    static String nodeId(Setting setting, Found found) {
        String text = printable(found, found.text().trim());
        if (text.length() > LONGEST_NODE_ID) {
            throw found.refused("is longer than " + LONGEST_NODE_ID + " characters; give a shorter one");
        }
        return text;
    }

    static String patterns(Setting setting, Found found) {
        try {
            return JobPatterns.parse(found.text()).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + found.name() + "': " + e.getMessage() + found.from());
        }
    }

    static String exclusive(Setting setting, Found found) {
        String text = found.text().trim();
        if (!text.equals("parameters") && !text.equals("job")) {
            throw found.refused("is neither parameters nor job; write one of them");
        }
        return text;
    }

    static String mode(Setting setting, Found found) {
        try {
            return LockMode.parse(found.name(), found.text()).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + found.from());
        }
    }

    static String duration(Setting setting, Found found) {
        String text = found.text().trim();
        if (found.isHandWritten() && text.matches("[+-]?[0-9]{1,15}")) {
            long millis = Long.parseLong(text);
            if (millis <= 0) {
                LOG.warn(
                        "'{}' = '{}' means no limit; Joblock waits {} at the most, set {} for another limit{}",
                        found.name(),
                        text,
                        setting.defaultText(),
                        setting.key(),
                        found.from());
                return setting.defaultText();
            }
            return Durations.format(Duration.ofMillis(millis));
        }
        try {
            return Durations.format(Durations.parsePositive(found.name(), text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + found.from());
        }
    }

    static String durationOrZero(Setting setting, Found found) {
        try {
            return Durations.format(Durations.parse(found.name(), found.text()));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + found.from());
        }
    }

    static String storeDownRule(Setting setting, Found found) {
        try {
            return StoreDownRule.parse(found.name(), found.text()).toString();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + found.from());
        }
    }

    static String replicas(Setting setting, Found found) {
        String text = found.text().trim().toLowerCase(Locale.ROOT);
        boolean named = text.equals("majority") || text.equals("all");
        return named ? text : number(found, 0, 100, "a number of replicas up to 100, majority or all");
    }

    static String port(Setting setting, Found found) {
        return number(found, 1, 65_535, "a port between 1 and 65535");
    }

    /** Addresses with commas between them, in the one form {@code host:port,host:port}. */
    static String nodes(Setting setting, Found found) {
        StringBuilder nodes = new StringBuilder();
        for (String node : found.text().split(",", -1)) {
            String address = node.trim();
            if (!address.matches("[^\\s:]+:[0-9]{1,5}|\\[[0-9a-fA-F:.]+]:[0-9]{1,5}")
                    && !found.text().trim().isEmpty()) {
                throw found.refused(
                        "holds '" + address + "', which is no address; write host:port, with commas between several");
            }
            nodes.append(nodes.length() == 0 ? "" : ",").append(address);
        }
        return nodes.toString();
    }

    static String database(Setting setting, Found found) {
        return number(found, 0, Integer.MAX_VALUE, "the number of a database, 0 or more");
    }

    /** Minus one is the pool's own word for "no limit"; with zero each ask would fail. */
    static String maxTotal(Setting setting, Found found) {
        return isNoLimit(found) ? "-1" : number(found, 1, Integer.MAX_VALUE, "a number, 1 or more, or -1 for no limit");
    }

    static String maxIdle(Setting setting, Found found) {
        return isNoLimit(found) ? "-1" : number(found, 0, Integer.MAX_VALUE, "a number, 0 or more, or -1 for no limit");
    }

    static String maxEntries(Setting setting, Found found) {
        return number(found, 1, 1_000_000, "a number from 1 to 1000000");
    }

    static String alarmFailures(Setting setting, Found found) {
        return number(found, 1, 1_000_000, "a number, 1 or more");
    }

    private static boolean isNoLimit(Found found) {
        return found.text().trim().equals("-1");
    }

    private static String number(Found found, int least, int most, String what) {
        String text = found.text().trim();
        if (text.matches("[0-9]{1,10}")) {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return Long.toString(value);
            }
        }
        throw found.refused("is not " + what + "; write one or leave it out");
    }

    private static String printable(Found found, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw found.refused("holds a control character; leave it away");
            }
        }
        return text;
    }
}
