package dev.joblock.testing;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives a test class a real Redis.
 *
 * <pre>{@code
 * @RegisterExtension
 * static final RedisExtension redis = RedisExtension.shared();              // names of its own, nobody kills it
 *
 * @RegisterExtension
 * static final RedisExtension redis = RedisExtension.own("--appendonly", "yes"); // killed at will
 * }</pre>
 *
 * An own server starts before the class (in a static field) or before each test (in an instance field), and is closed after
 * it. One that a test left killed is started again before the next test, with what its data folder kept.
 */
public final class RedisExtension
        implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
    private final boolean own;
    private final String[] arguments;
    private boolean forTheClass;
    private @Nullable RedisServer server;

    private RedisExtension(boolean own, String... arguments) {
        this.own = own;
        this.arguments = arguments;
    }

    /** The one server of this JVM, see {@link RedisServer#shared()}. */
    public static RedisExtension shared() {
        return new RedisExtension(false);
    }

    /** A server for this class or test alone, see {@link RedisServer#launch}. */
    public static RedisExtension own(String... arguments) {
        return new RedisExtension(true, arguments);
    }

    /** The server; there is one from before the first {@code @BeforeAll} or {@code @BeforeEach} method on. */
    public RedisServer server() {
        return Objects.requireNonNull(server, "no Redis yet: is the extension registered?");
    }

    public String host() {
        return server().host();
    }

    public int port() {
        return server().port();
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        forTheClass = true;
        open();
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        open();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!forTheClass) {
            close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    private void open() {
        if (server == null) {
            server = own ? RedisServer.launch(arguments) : RedisServer.shared();
        } else if (own) {
            server.start();
        }
    }

    private void close() {
        if (own && server != null) {
            server.close();
            server = null;
        }
    }
}
