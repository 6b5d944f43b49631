package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortsTest {

    @Test
    void aPortInUseIsNamedWithAWayOut() throws IOException {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = used.getLocalPort();

            assertThatThrownBy(() -> Ports.row(port, 1))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageStartingWith("Port " + port + " is in use")
                    .hasMessageContaining("-Djoblock.port=");
        }
    }

    @Test
    void aPortThatIsUsedOnAllAddressesIsFoundAsWell() throws IOException {
        try (ServerSocket used = new ServerSocket(0)) {
            assertThatThrownBy(() -> Ports.row(used.getLocalPort(), 1)).isInstanceOf(ClusterException.class);
        }
    }

    @Test
    void freePortsAreAllDifferentAndCanBeTaken() throws IOException {
        List<Integer> ports = Ports.free(4);

        assertThat(ports).doesNotHaveDuplicates().hasSize(4);
        try (ServerSocket socket = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress())) {
            assertThat(socket.isBound()).isTrue();
        }
    }
}
