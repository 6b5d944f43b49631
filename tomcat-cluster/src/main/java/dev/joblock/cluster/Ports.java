package dev.joblock.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Finds ports on the loopback address. Stateless. */
public final class Ports {

    private Ports() {}

    /**
     * Ports that nobody listens on at present, each one a different one.
     *
     * @param count how many
     * @return the ports
     */
    public static List<Integer> free(int count) {
        List<ServerSocket> open = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                open.add(bind(0));
            }
            return open.stream().map(ServerSocket::getLocalPort).collect(Collectors.toList());
        } catch (IOException e) {
            throw new ClusterException("No free port on 127.0.0.1: " + e.getMessage(), e);
        } finally {
            open.forEach(Ports::close);
        }
    }

    /**
     * A row of ports, after a look whether they are free.
     *
     * @param first the first
     * @param count how many
     * @return the ports
     * @throws ClusterException if one is in use, naming all that are
     */
    static List<Integer> row(int first, int count) {
        List<Integer> ports = IntStream.range(first, first + count).boxed().collect(Collectors.toList());
        List<Integer> used = ports.stream().filter(port -> !isFree(port)).collect(Collectors.toList());
        if (!used.isEmpty()) {
            String which = used.stream().map(String::valueOf).collect(Collectors.joining(", "));
            throw new ClusterException((used.size() == 1 ? "Port " + which + " is" : "Ports " + which + " are")
                    + " in use on this machine. Stop what listens there, or take other ports: -D"
                    + ClusterOptions.PORT + "=" + (first < 60_000 ? first + 1_000 : 8_081)
                    + " (the first of " + count + " in a row)");
        }
        return ports;
    }

    private static boolean isFree(int port) {
        try {
            close(bind(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Binds to the address that the servers will use; one that listens on all addresses of the machine counts as well. */
    private static ServerSocket bind(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException e) {
            close(socket);
            throw e;
        }
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // It listened for a moment only; the system closes it with the process.
        }
    }
}
