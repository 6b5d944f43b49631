package dev.joblock.config;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Makes a node id that people recognise and no other node has: host, port and context path as far as they are known, and a
 * random part, for example {@code app1:8081/shop-3f2a91}.
 */
final class NodeId {

    private NodeId() {}

    /**
     * A new id; two calls never give the same.
     *
     * @param contextPath the application's path such as {@code /shop}; empty if it has none
     */
    static String make(String contextPath) {
        String path = contextPath.isEmpty() || contextPath.startsWith("/") ? contextPath : "/" + contextPath;
        return host() + port() + path + "-" + String.format("%06x", new SecureRandom().nextInt(1 << 24));
    }

    static String host() {
        for (String variable : new String[] {"HOSTNAME", "COMPUTERNAME"}) {
            String name = System.getenv(variable);
            if (name != null && !name.trim().isEmpty()) {
                return withoutDomain(name.trim());
            }
        }
        try {
            return withoutDomain(InetAddress.getLocalHost().getHostName());
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }

    private static String withoutDomain(String name) {
        boolean address = name.matches("[0-9.]+") || name.contains(":");
        int dot = name.indexOf('.');
        return address || dot <= 0 ? name : name.substring(0, dot);
    }

    /** The port of the one HTTP connector of the Tomcat around us; nothing if there is none or more than one. */
    private static String port() {
        Set<String> ports = new TreeSet<>();
        try {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            for (ObjectName connector : server.queryNames(new ObjectName("*:type=Connector,*"), null)) {
                if (String.valueOf(server.getAttribute(connector, "protocol")).contains("HTTP")
                        || String.valueOf(server.getAttribute(connector, "protocol"))
                                .contains("Http")) {
                    ports.add(String.valueOf(server.getAttribute(connector, "port")));
                }
            }
        } catch (JMException | RuntimeException e) {
            return "";
        }
        return ports.size() == 1 && !ports.contains("0")
                ? ":" + ports.iterator().next()
                : "";
    }
}
