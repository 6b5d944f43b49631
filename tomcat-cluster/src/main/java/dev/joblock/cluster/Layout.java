package dev.joblock.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Where things are on disk.
 *
 * @param tomcat an unpacked Tomcat, the CATALINA_HOME of all nodes
 * @param war the application
 * @param run the folder for everything that a running cluster writes; emptied at each start
 */
public record Layout(Path tomcat, Path war, Path run) {

    /**
     * Reads the paths that the build passes.
     *
     * @param properties for example the system properties
     * @param name what the cluster is called; its part of the run folder
     * @return the layout
     * @throws ClusterException if something is not there
     */
    public static Layout from(Properties properties, String name) {
        Path tomcat = path(properties, "joblock.cluster.tomcat");
        Path war = path(properties, "joblock.cluster.war");
        Path run = path(properties, "joblock.cluster.run").resolve(name);
        if (!Files.isRegularFile(tomcat.resolve("bin/bootstrap.jar"))) {
            throw new ClusterException("There is no Tomcat in " + tomcat + "; build with 'mvn -f reactor.xml package'");
        }
        if (!Files.isRegularFile(war)) {
            throw new ClusterException("There is no WAR at " + war + "; build with 'mvn -f reactor.xml package'");
        }
        return new Layout(tomcat, war, run);
    }

    private static Path path(Properties properties, String name) {
        String value = properties.getProperty(name, "");
        if (value.isEmpty()) {
            throw new ClusterException(
                    "'" + name + "' is not set; start with 'mvn -f reactor.xml -Pup package', which sets it");
        }
        return Path.of(value).toAbsolutePath();
    }
}
