package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterOptionsTest {

    @Test
    void withoutPropertiesThereAreFourNodesFromPort8081AndARedisOfItsOwn() {
        assertThat(ClusterOptions.from(new Properties())).isEqualTo(new ClusterOptions(null, 4, 8081, Map.of()));
    }

    @Test
    void blankPropertiesCountAsNotSet() {
        assertThat(from(Map.of("joblock.redis", " ", "joblock.nodes", "", "joblock.port", "")))
                .isEqualTo(new ClusterOptions(null, 4, 8081, Map.of()));
    }

    @Test
    void eachPropertyIsTaken() {
        assertThat(from(Map.of("joblock.redis", "cache.example:7000", "joblock.nodes", " 2 ", "joblock.port", "9001")))
                .isEqualTo(new ClusterOptions(new HostPort("cache.example", 7000), 2, 9001, Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "joblock.nodes, four",
        "joblock.nodes, 0",
        "joblock.nodes, -1",
        "joblock.nodes, 17",
        "joblock.nodes, 2.5",
        "joblock.nodes, 99999999999999",
        "joblock.port, 0",
        "joblock.port, 65536",
        "joblock.port, http",
        "joblock.redis, localhost",
        "joblock.redis, :6379",
        "joblock.redis, localhost:",
        "joblock.redis, localhost:redis",
        "joblock.redis, redis://localhost:6379",
        "joblock.redis, localhost:0"
    })
    void aWrongValueIsRefusedWithItsNameAndAWayOut(String name, String value) {
        assertThatThrownBy(() -> from(Map.of(name, value)))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining("'" + value + "'")
                .hasMessageContaining("for example");
    }

    @Test
    void portsThatWouldPassTheLastOneAreRefused() {
        assertThatThrownBy(() -> from(Map.of("joblock.port", "65534")))
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("no room for 4 nodes");
        assertThat(from(Map.of("joblock.port", "65534", "joblock.nodes", "2")).firstPort())
                .isEqualTo(65534);
    }

    private static ClusterOptions from(Map<String, String> values) {
        Properties properties = new Properties();
        properties.putAll(values);
        return ClusterOptions.from(properties);
    }
}
