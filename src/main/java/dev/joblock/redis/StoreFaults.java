package dev.joblock.redis;

import dev.joblock.StoreException;
import dev.joblock.StoreFault;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.Set;
import javax.net.ssl.SSLHandshakeException;

/**
 * Tells from a client library's exception what was wrong, and whether the command may have been carried out. Spring Data
 * and Jedis wrap the same cause differently from version to version, so the whole tree of causes is read.
 */
final class StoreFaults {

    private StoreFaults() {}

    static StoreException translate(String what, Throwable error) {
        if (error instanceof StoreException) {
            return (StoreException) error;
        }
        Set<Throwable> causes = causes(error);
        Set<StoreFault> found = EnumSet.of(StoreFault.OTHER);
        causes.forEach(cause -> found.add(classify(cause)));
        if (causes.stream().anyMatch(InterruptedException.class::isInstance)) {
            // The wait for a connection of the pool took the thread's flag away.
            Thread.currentThread().interrupt();
        }
        if (found.size() > 2) {
            // Any of the others may have broken the connection, a time-out above all.
            found.remove(StoreFault.DISCONNECTED);
        }
        // In the order of the enum, the more telling ones come first.
        StoreFault fault = found.iterator().next();
        boolean unanswered = fault == StoreFault.TIMEOUT || fault == StoreFault.DISCONNECTED;
        boolean maybeApplied = unanswered && causes.stream().noneMatch(StoreFaults::isBeforeSending);
        return new StoreException(fault, maybeApplied, what + ": " + firstLine(error), error);
    }

    static boolean isScriptMissing(Throwable error) {
        return causes(error).stream().anyMatch(cause -> message(cause).contains("NOSCRIPT"));
    }

    static boolean isAborted(Throwable error) {
        return causes(error).stream().anyMatch(cause -> message(cause).contains("EXECABORT"));
    }

    static boolean isReadOnly(Throwable error) {
        return causes(error).stream().anyMatch(cause -> serverError(message(cause)) == StoreFault.READONLY);
    }

    static boolean isWrongType(Throwable error) {
        return causes(error).stream().anyMatch(cause -> message(cause).contains("WRONGTYPE"));
    }

    private static StoreFault classify(Throwable cause) {
        String message = message(cause);
        String type = cause.getClass().getName();
        if (cause instanceof ConnectException
                || cause instanceof UnknownHostException
                || cause instanceof NoRouteToHostException
                || cause instanceof SSLHandshakeException
                || message.startsWith("Failed to connect")
                || isServerUnknown(message)) {
            return StoreFault.UNREACHABLE;
        }
        if (cause instanceof SocketTimeoutException) {
            return message.toLowerCase(Locale.ROOT).contains("connect") ? StoreFault.UNREACHABLE : StoreFault.TIMEOUT;
        }
        if (cause instanceof NoSuchElementException) {
            // A pool also throws it where a new connection does not answer PING.
            return message.startsWith("Unable to") ? StoreFault.DISCONNECTED : StoreFault.POOL_EMPTY;
        }
        if (cause instanceof InterruptedException) {
            // Jedis can be interrupted nowhere but in its wait for a connection.
            return StoreFault.POOL_EMPTY;
        }
        if (type.endsWith("TimeoutException") || type.endsWith("CommandInterruptedException")) {
            return StoreFault.TIMEOUT;
        }
        StoreFault refused = serverError(message);
        if (refused != StoreFault.OTHER) {
            return refused;
        }
        boolean connection = cause instanceof IOException
                || type.endsWith("ConnectionException")
                || type.endsWith("ConnectionFailureException");
        return connection ? StoreFault.DISCONNECTED : StoreFault.OTHER;
    }

    /** Whether it is certain that there was no connection yet, so that nothing was asked. */
    private static boolean isBeforeSending(Throwable cause) {
        String message = message(cause);
        return message.startsWith("Cannot get Jedis connection")
                || message.startsWith("Could not get a resource")
                || isServerUnknown(message);
    }

    /** No sentinel, or no node of a cluster, has told where to ask. */
    private static boolean isServerUnknown(String message) {
        return message.startsWith("All sentinels down")
                || message.startsWith("Can connect to sentinel, but")
                || message.startsWith("Could not initialize cluster slots cache")
                || message.startsWith("No reachable node in cluster");
    }

    /** The server's errors begin with a word in capitals; a script's error carries it further inside. */
    private static StoreFault serverError(String message) {
        String[] words = {
            "READONLY",
            "LOADING",
            "OOM",
            "MISCONF",
            "NOREPLICAS",
            "NOPERM",
            "NOAUTH",
            "WRONGPASS",
            "WRONGTYPE",
            "BUSY",
            "CLUSTERDOWN",
            "MASTERDOWN",
            "TRYAGAIN"
        };
        StoreFault[] faults = {
            StoreFault.READONLY,
            StoreFault.LOADING,
            StoreFault.OUT_OF_MEMORY,
            StoreFault.MISCONFIGURED,
            StoreFault.NO_REPLICAS,
            StoreFault.NOT_PERMITTED,
            StoreFault.NOT_PERMITTED,
            StoreFault.NOT_PERMITTED,
            StoreFault.FOREIGN_VALUE,
            StoreFault.BUSY,
            StoreFault.CLUSTER_DOWN,
            StoreFault.CLUSTER_DOWN,
            StoreFault.CLUSTER_DOWN
        };
        for (int i = 0; i < words.length; i++) {
            if (message.startsWith(words[i] + " ")
                    || message.contains(" -" + words[i] + " ")
                    || message.contains(": " + words[i] + " ")) {
                return faults[i];
            }
        }
        if (message.contains("unauthenticated")) {
            // What Redis 6 says to a client without a password whose first command is long.
            return StoreFault.NOT_PERMITTED;
        }
        // What a script says before Redis 7, without the word.
        return message.contains("can't run this command") ? StoreFault.NOT_PERMITTED : StoreFault.OTHER;
    }

    private static Set<Throwable> causes(Throwable error) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> open = new ArrayDeque<>();
        open.add(error);
        while (!open.isEmpty()) {
            Throwable next = open.remove();
            if (seen.add(next)) {
                Collections.addAll(open, next.getSuppressed());
                if (next.getCause() != null) {
                    open.add(next.getCause());
                }
            }
        }
        return seen;
    }

    private static String message(Throwable error) {
        String message = error.getMessage();
        return message == null ? "" : message;
    }

    private static String firstLine(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String text = message(root).isEmpty() ? root.getClass().getSimpleName() : message(root);
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }
}
