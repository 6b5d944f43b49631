package dev.joblock.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.core.ExecutableProvider;

/** {@link Up} in a JVM of its own, which gets the signals that a terminal or an impatient person sends. */
class UpIT {

    @TempDir
    private Path temp;

    @SuppressWarnings("NullAway.Init") // each test starts it
    private Process up;

    @AfterEach
    void end() {
        up.destroyForcibly();
    }

    @Test
    void sigtermStopsEverythingInOrderAndSaysSo() throws Exception {
        startWithTwoNodes();
        awaitOutput("one run\n"); // the verdict of a line
        List<RecordedProcess> children = children();
        assertThat(children).extracting(RecordedProcess::name).contains("redis", "h2", "node1", "node2");

        up.destroy();

        assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isEqualTo(128 + 15);
        assertThat(children).allMatch(child -> child.find().isEmpty());
        assertThat(output()).contains("Nothing is left running").doesNotContain("Exception");
    }

    @Test
    void sigtermWhileItIsStartingStopsEverythingAsWell() throws Exception {
        startWithTwoNodes();
        awaitOutput("Starting 2 Tomcats");
        await().until(() -> children().size() >= 4);
        List<RecordedProcess> children = children();

        up.destroy();

        assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(children).allMatch(child -> child.find().isEmpty());
        assertThat(output()).contains("Nothing is left running").doesNotContain("Exception");
    }

    @Test
    void whatSigkillLeavesRunningEndsAtTheLatestWithTheNextStart() throws Exception {
        startWithTwoNodes();
        awaitOutput("node2 answers");
        List<RecordedProcess> children = children();
        assertThat(children).hasSizeGreaterThanOrEqualTo(4);

        up.destroyForcibly().waitFor();
        if (Programs.onPath("setpriv").isPresent()) {
            await().atMost(Duration.ofSeconds(10))
                    .until(() ->
                            children.stream().allMatch(child -> child.find().isEmpty()));
        }
        RunFolder.take(temp.resolve("up"));

        assertThat(children).allMatch(child -> child.find().isEmpty());
    }

    @Test
    void aPortInUseIsSaidAndEndsItWithAnError() throws Exception {
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start("-Djoblock.nodes=1", "-Djoblock.port=" + used.getLocalPort());

            assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(up.exitValue()).isEqualTo(1);
            assertThat(output())
                    .contains("Port " + used.getLocalPort() + " is in use")
                    .doesNotContain("Exception");
        }
    }

    @Test
    void aRedisThatDoesNotAnswerIsSaidAndEndsItWithAnError() throws Exception {
        int nobody = Ports.free(1).get(0);
        start("-Djoblock.nodes=1", "-Djoblock.port=" + freePort(), "-Djoblock.redis=127.0.0.1:" + nobody);

        assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isEqualTo(1);
        assertThat(output()).contains("No Redis answers at 127.0.0.1:" + nobody, "-Djoblock.redis=host:port");
    }

    private void startWithTwoNodes() throws IOException {
        start("-Djoblock.nodes=2", "-Djoblock.port=" + freePort());
    }

    /** The first of two free ports in a row. */
    private static int freePort() {
        for (int tries = 0; tries < 100; tries++) {
            int port = Ports.free(1).get(0);
            try {
                return Ports.row(port, 2).get(0);
            } catch (ClusterException e) {
                // the second one is in use
            }
        }
        throw new IllegalStateException("No two free ports in a row");
    }

    private void start(String... options) throws IOException {
        String classPath = String.join(
                System.getProperty("path.separator"),
                Programs.jarOf(Up.class).toString(),
                Programs.jarOf(Server.class).toString(),
                Programs.jarOf(ExecutableProvider.class).toString());
        List<String> command = new ArrayList<>(List.of(Programs.java(), "-XX:TieredStopAtLevel=1", "-cp", classPath));
        for (String name : List.of("joblock.cluster.tomcat", "joblock.cluster.war")) {
            command.add("-D" + name + "=" + System.getProperty(name));
        }
        command.add("-Djoblock.cluster.run=" + temp);
        command.addAll(List.of(options));
        command.add(Up.class.getName());
        up = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("output").toFile())
                .start();
    }

    private List<RecordedProcess> children() throws IOException {
        return Files.readAllLines(temp.resolve("up/processes")).stream()
                .map(RecordedProcess::parse)
                .flatMap(Optional::stream)
                .filter(process -> !process.name().equals("owner"))
                .toList();
    }

    private void awaitOutput(String text) {
        await().atMost(Duration.ofMinutes(1)).until(() -> output().contains(text) || !up.isAlive());
        assertThat(output()).contains(text);
    }

    private String output() {
        try {
            return Files.readString(temp.resolve("output"));
        } catch (IOException e) {
            return "";
        }
    }
}
