package dev.joblock.cluster;

import dev.joblock.cluster.guest.Beat;
import dev.joblock.cluster.guest.SlotFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A small web application with the jars of the sample, but for its database, of which Tomcat would say that it leaves its
 * driver behind. Stateless.
 */
final class GuestWar {

    private static final String LIB = "WEB-INF/lib/";

    private GuestWar() {}

    /** Writes it. */
    static void write(Path sample, Path war) throws IOException {
        try (OutputStream file = Files.newOutputStream(war);
                ZipOutputStream out = new ZipOutputStream(file);
                ZipFile in = new ZipFile(sample.toFile())) {
            out.setLevel(1); // jars gain nothing
            add(out, "WEB-INF/web.xml", "/guest/web.xml");
            add(out, "WEB-INF/spring.xml", "/guest/spring.xml");
            for (Class<?> type : new Class<?>[] {Beat.class, SlotFile.class}) {
                String name = type.getName().replace('.', '/') + ".class";
                add(out, "WEB-INF/classes/" + name, "/" + name);
            }
            add(out, "WEB-INF/classes/logback.xml", "/faults/logback.xml");
            Enumeration<? extends ZipEntry> entries = in.entries();
            while (entries.hasMoreElements()) {
                ZipEntry entry = entries.nextElement();
                String name = entry.getName();
                if (name.startsWith(LIB) && name.endsWith(".jar") && !name.startsWith(LIB + "h2-")) {
                    try (InputStream jar = in.getInputStream(entry)) {
                        add(out, name, jar);
                    }
                }
            }
        }
    }

    private static void add(ZipOutputStream out, String name, String resource) throws IOException {
        try (InputStream in = Objects.requireNonNull(GuestWar.class.getResourceAsStream(resource), resource)) {
            add(out, name, in);
        }
    }

    private static void add(ZipOutputStream out, String name, InputStream in) throws IOException {
        out.putNextEntry(new ZipEntry(name));
        in.transferTo(out);
        out.closeEntry();
    }
}
