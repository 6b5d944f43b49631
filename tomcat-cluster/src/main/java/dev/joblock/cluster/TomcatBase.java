package dev.joblock.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The folder of one Tomcat (CATALINA_BASE): a minimal configuration and the WAR as its root application. */
final class TomcatBase {

    /** No shutdown port: a signal stops it. One connector, on the loopback address. */
    private static final String SERVER = """
            <?xml version="1.0" encoding="UTF-8"?>
            <Server port="-1">
              <Service name="sample">
                <Connector port="%d" address="127.0.0.1" maxThreads="10"/>
                <Engine name="engine" defaultHost="localhost">
                  <Host name="localhost" appBase="webapps" autoDeploy="false"/>
                </Engine>
              </Service>
            </Server>
            """;

    /** No default servlet and no JSP: the sample's dispatcher servlet serves everything. */
    private static final String WEB = """
            <?xml version="1.0" encoding="UTF-8"?>
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"/>
            """;

    /** Everything goes to standard output, which is the node's log file. */
    private static final String LOGGING = """
            handlers = java.util.logging.ConsoleHandler
            .handlers = java.util.logging.ConsoleHandler
            java.util.logging.ConsoleHandler.level = INFO
            java.util.logging.ConsoleHandler.formatter = org.apache.juli.OneLineFormatter
            """;

    private TomcatBase() {}

    /**
     * Makes the folder.
     *
     * @param base where; must not exist yet
     * @param war the application
     * @param port the HTTP port
     */
    static void create(Path base, Path war, int port) {
        try {
            for (String folder : new String[] {"conf", "webapps", "logs", "temp", "work"}) {
                Files.createDirectories(base.resolve(folder));
            }
            write(base.resolve("conf/server.xml"), SERVER.formatted(port));
            write(base.resolve("conf/web.xml"), WEB);
            write(base.resolve("conf/logging.properties"), LOGGING);
            Files.copy(war, base.resolve("webapps/ROOT.war"), StandardCopyOption.COPY_ATTRIBUTES);
        } catch (IOException e) {
            throw new ClusterException("The folder " + base + " can't be made: " + e, e);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text, StandardCharsets.UTF_8);
    }
}
