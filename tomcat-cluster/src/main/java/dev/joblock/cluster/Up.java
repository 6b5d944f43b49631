package dev.joblock.cluster;

import java.nio.file.Files;
import java.nio.file.Path;

/** The main class of {@code mvn -f reactor.xml -Pup package}. So far it only says what it would start. */
public final class Up {
    private Up() {}

    public static void main(String[] args) {
        Path tomcat = Path.of(System.getProperty("joblock.cluster.tomcat", ""));
        Path war = Path.of(System.getProperty("joblock.cluster.war", ""));
        System.out.println(tomcat + (Files.isDirectory(tomcat) ? "" : " (missing)") + ", " + war
                + (Files.isRegularFile(war) ? "" : " (missing)"));
    }
}
