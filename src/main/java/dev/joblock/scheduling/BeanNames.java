package dev.joblock.scheduling;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Bean names as they are equal on every node. Stateless. */
final class BeanNames {

    private static final String SCOPED = "scopedTarget.";
    private static final Pattern GENERATED = Pattern.compile("(.+)#[0-9a-fA-F]+");

    private BeanNames() {}

    /** Whether Spring has made a name from an identity hash, as it does for an inner bean. */
    static boolean isInner(String name, boolean defined) {
        return !defined && GENERATED.matcher(name).matches();
    }

    /**
     * The name without what differs from node to node.
     *
     * @param defined whether a definition of that name stands in the context, so that a number at its end is a count
     */
    static String plain(String name, boolean defined) {
        String plain = name.startsWith(SCOPED) ? name.substring(SCOPED.length()) : name;
        Matcher generated = GENERATED.matcher(plain);
        return generated.matches() && (!defined || plain.endsWith("#0")) ? generated.group(1) : plain;
    }
}
