package dev.joblock.redis;

import dev.joblock.testing.RedisServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What clients send to a server, as the server's MONITOR tells it. What scripts call is left out. */
final class CommandLog implements AutoCloseable {
    private static final Pattern LINE = Pattern.compile("\\+[0-9.]+ \\[\\d+ (\\S+)] \"([^\"]*)\"(.*)");

    /** One command: from which client port, its name in capitals, the rest of its line. */
    record Command(String client, String name, String rest) {}

    private final RedisServer server;
    private final Socket socket;
    private final BufferedReader lines;

    CommandLog(RedisServer server) {
        this.server = server;
        try {
            socket = new Socket(server.host(), server.port());
            socket.setSoTimeout(20_000);
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write("MONITOR\r\n".getBytes(StandardCharsets.US_ASCII));
            lines.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The commands that were sent while some work was done. */
    List<Command> during(Runnable work) {
        String begin = UUID.randomUUID().toString();
        String end = UUID.randomUUID().toString();
        server.call("ECHO", begin);
        work.run();
        server.call("ECHO", end);
        readUntil(begin);
        return readUntil(end);
    }

    /** The names alone. */
    List<String> namesDuring(Runnable work) {
        return during(work).stream().map(Command::name).toList();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Command> readUntil(String mark) {
        List<Command> commands = new ArrayList<>();
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Matcher matcher = LINE.matcher(line);
                if (!matcher.matches()) {
                    throw new IllegalStateException("not a line of MONITOR: " + line);
                }
                String name = matcher.group(2).toUpperCase(Locale.ROOT);
                if (name.equals("ECHO") && line.contains(mark)) {
                    return commands;
                }
                if (!matcher.group(1).equals("lua")) {
                    commands.add(new Command(matcher.group(1), name, matcher.group(3)));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalStateException("MONITOR ended before the mark");
    }
}
