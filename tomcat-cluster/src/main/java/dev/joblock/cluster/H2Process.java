package dev.joblock.cluster;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.h2.tools.Server;

/**
 * An H2 server in a process of its own.
 *
 * @param address where it listens
 */
public record H2Process(HostPort address) {

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int TIMEOUT_MS = 1_000;

    /**
     * Starts a server, and waits until it can be connected to.
     *
     * @param processes where it belongs to
     * @param folder for its database files
     * @param port where it shall listen
     * @return the server
     */
    public static H2Process start(Processes processes, Path folder, int port) {
        Child child = processes.start(
                "h2",
                "h2",
                List.of(
                        Programs.java(),
                        "-Xmx48m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dh2.bindAddress=127.0.0.1", // it would listen on all addresses of the machine
                        "-cp",
                        Programs.jarOf(Server.class).toString(),
                        Server.class.getName(),
                        "-tcp",
                        "-tcpPort",
                        String.valueOf(port),
                        "-ifNotExists", // lets the sample create its database
                        "-baseDir",
                        folder.resolve("h2").toString()));
        HostPort address = HostPort.loopback(port);
        Waiting.until(START, POLL, child, () -> accepts(address));
        return new H2Process(address);
    }

    /**
     * The address of the sample's database.
     *
     * @return a JDBC URL; the user is {@code sa}, without a password
     */
    public String jdbcUrl() {
        return "jdbc:h2:tcp://" + address + "/sample";
    }

    private static boolean accepts(HostPort address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
