package dev.joblock.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a Redis whether it is there. Stateless. */
final class RedisProbe {

    private static final int TIMEOUT_MS = 1_000;

    private RedisProbe() {}

    /**
     * Sends PING.
     *
     * @param address whom to ask
     * @return the answer; {@code +PONG} from a Redis that is well
     * @throws IOException if there is none
     */
    static String ping(HostPort address) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MS);
            socket.setSoTimeout(TIMEOUT_MS);
            OutputStream out = socket.getOutputStream();
            out.write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            out.flush();
            String line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            return line == null ? "" : line;
        }
    }
}
