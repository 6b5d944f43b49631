package dev.joblock.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection that speaks Redis's protocol, with no client library in between. For one thread. */
public final class RespConnection implements AutoCloseable {
    private final Socket socket = new Socket();
    private final InputStream in;
    private final OutputStream out;

    /** Connects; every read is bounded by 2 s. */
    public RespConnection(String host, int port) throws IOException {
        socket.connect(new InetSocketAddress(host, port), 2_000);
        socket.setSoTimeout(2_000);
        in = new BufferedInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    /** Sends one command and waits for its reply: a String, Long, {@code List<Object>} or null. */
    public @Nullable Object call(String... command) throws IOException {
        out.write(encode(command));
        out.flush();
        return decode(in);
    }

    /** Sends all commands at once and waits for all replies. */
    public List<@Nullable Object> pipeline(List<String[]> commands) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        commands.forEach(command -> all.writeBytes(encode(command)));
        out.write(all.toByteArray());
        out.flush();
        return decodeArray(in, commands.size());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private static byte[] encode(String... command) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(("*" + command.length + "\r\n").getBytes(StandardCharsets.UTF_8));
        for (String word : command) {
            byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
            out.writeBytes(("$" + bytes.length + "\r\n").getBytes(StandardCharsets.UTF_8));
            out.writeBytes(bytes);
            out.writeBytes("\r\n".getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    private static @Nullable Object decode(InputStream in) throws IOException {
        String line = readLine(in);
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new IllegalStateException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> rest.equals("-1") ? null : decodeBulk(in, Integer.parseInt(rest));
            case '*' -> rest.equals("-1") ? null : decodeArray(in, Integer.parseInt(rest));
            default -> throw new IOException("not a Redis reply: " + line);
        };
    }

    private static String decodeBulk(InputStream in, int length) throws IOException {
        String bulk = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        in.skipNBytes(2);
        return bulk;
    }

    private static List<@Nullable Object> decodeArray(InputStream in, int count) throws IOException {
        List<@Nullable Object> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(decode(in));
        }
        return items;
    }

    private static String readLine(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\r'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("connection closed");
            }
            line.write(b);
        }
        in.skipNBytes(1);
        if (line.size() == 0) {
            throw new IOException("empty line in place of a Redis reply");
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
