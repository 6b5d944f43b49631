package dev.joblock.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.HashSet;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.Test;

class NodeIdTest {

    private static final String HOST = "[^/:.\\s]+";

    /** The two attributes of Tomcat's connector that are read. */
    public interface Connector {
        String getprotocol();

        int getport();
    }

    private record Listening(String getprotocol, int getport) implements Connector {}

    @Test
    void itNamesTheHostAndTheContextPath() {
        assertThat(NodeId.make("/shop")).matches(HOST + "/shop-[0-9a-f]{6}");
        assertThat(NodeId.make("orders")).matches(HOST + "/orders-[0-9a-f]{6}");
        assertThat(NodeId.make("")).matches(HOST + "-[0-9a-f]{6}");
    }

    @Test
    void itNamesThePortOfTheOneConnectorForHttp() throws JMException {
        register("one", new Listening("HTTP/1.1", 8081));
        register("ajp", new Listening("AJP/1.3", 8009));
        try {
            assertThat(NodeId.make("/shop")).matches(HOST + ":8081/shop-[0-9a-f]{6}");
            register("two", new Listening("org.apache.coyote.http11.Http11NioProtocol", 8443));
            assertThat(NodeId.make("/shop")).matches(HOST + "/shop-[0-9a-f]{6}");
        } finally {
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            for (ObjectName name : server.queryNames(new ObjectName("NodeIdTest:*"), null)) {
                server.unregisterMBean(name);
            }
        }
    }

    @Test
    void twoAreNeverTheSame() {
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            ids.add(NodeId.make("/shop"));
        }

        assertThat(ids).hasSize(20);
    }

    private static void register(String name, Connector connector) throws JMException {
        ManagementFactory.getPlatformMBeanServer()
                .registerMBean(
                        new StandardMBean(connector, Connector.class),
                        new ObjectName("NodeIdTest:type=Connector,name=" + name));
    }
}
