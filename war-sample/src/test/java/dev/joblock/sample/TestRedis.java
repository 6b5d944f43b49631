package dev.joblock.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.embedded.RedisServer;

/** A real Redis for a test class, in a static field with {@code @RegisterExtension}. */
public final class TestRedis implements BeforeAllCallback, AfterAllCallback {

    private final int port = freePort();
    private final RedisServer server;
    private final JedisConnectionFactory connections =
            new JedisConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));

    public TestRedis() {
        try {
            server = RedisServer.newRedisServer()
                    .port(port)
                    .bind("127.0.0.1")
                    .setting("save \"\"")
                    .build();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        server.start();
        connections.afterPropertiesSet();
        connections.start();
    }

    @Override
    public void afterAll(ExtensionContext context) throws IOException {
        connections.destroy();
        server.stop();
    }

    public int port() {
        return port;
    }

    public StringRedisTemplate template() {
        return new StringRedisTemplate(connections);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
