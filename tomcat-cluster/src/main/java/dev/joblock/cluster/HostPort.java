package dev.joblock.cluster;

/**
 * A network address.
 *
 * @param host a name or an IPv4 address
 * @param port 1 to 65535
 */
public record HostPort(String host, int port) {

    /**
     * Reads an address.
     *
     * @param name the property it comes from; quoted in the error message
     * @param text for example {@code 127.0.0.1:6379}
     * @return the address
     * @throws ClusterException if the text is no address
     */
    public static HostPort parse(String name, String text) {
        int colon = text.lastIndexOf(':');
        String host = colon < 0 ? "" : text.substring(0, colon).trim();
        if (host.isEmpty() || host.contains(":") || host.contains("/")) {
            throw new ClusterException(
                    "'" + name + "' = '" + text + "' is no address; write host:port, for example 127.0.0.1:6379");
        }
        int port = Numbers.parse(name, text, text.substring(colon + 1), 1, 65_535);
        return new HostPort(host, port);
    }

    /**
     * An address on this machine that no other machine reaches.
     *
     * @param port the port
     * @return the address
     */
    public static HostPort loopback(int port) {
        return new HostPort("127.0.0.1", port);
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
