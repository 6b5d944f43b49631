package dev.joblock.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import redis.embedded.core.ExecutableProvider;

/** A real Redis of its own, which can stand still for a while. */
final class DemoRedis implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final int port;
    private final Process process;

    DemoRedis() throws IOException {
        Path folder = Files.createTempDirectory("console-redis");
        File executable =
                ExecutableProvider.newJarResourceProvider(folder.toFile()).get();
        port = freePort();
        process = new ProcessBuilder(
                        executable.getPath(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        host(),
                        "--save",
                        "",
                        "--dir",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        await().atMost(PATIENCE).ignoreExceptions().until(this::isReachable);
    }

    String host() {
        return "127.0.0.1";
    }

    int port() {
        return port;
    }

    /** It answers nobody until it is resumed. */
    void pause() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void resume() throws IOException, InterruptedException {
        signal("-CONT");
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private void signal(String name) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", name, Long.toString(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private boolean isReachable() throws IOException {
        try (Socket socket = new Socket(host(), port)) {
            return socket.isConnected();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
