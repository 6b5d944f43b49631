package dev.joblock.console;

import jakarta.servlet.DispatcherType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.springframework.context.support.GenericXmlApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.web.context.ContextLoaderListener;
import org.springframework.web.context.support.XmlWebApplicationContext;
import org.springframework.web.filter.DelegatingFilterProxy;

/** Four nodes with the real kit on one Redis, the first two of which serve the console behind a log-in. */
final class DemoCluster implements AutoCloseable {

    private static final List<String> NODES = List.of("tomcat-1", "tomcat-2", "tomcat-3", "tomcat-4");
    private static final int SERVING = 2;

    private final List<GenericXmlApplicationContext> contexts = new ArrayList<>();
    private final List<Tomcat> tomcats = new ArrayList<>();

    /** With two jobs that are named by the caller. */
    DemoCluster(DemoRedis redis, String first, String second) throws IOException, LifecycleException {
        for (String node : NODES) {
            contexts.add(node(node, redis, Map.of("demo.first", first, "demo.second", second)));
        }
        for (GenericXmlApplicationContext context : contexts.subList(0, SERVING)) {
            tomcats.add(tomcat(context));
        }
    }

    /** Where a node serves the console. */
    String address(int node) {
        return "http://localhost:" + tomcats.get(node).getConnector().getLocalPort() + "/shop/console/";
    }

    @Override
    public void close() throws LifecycleException {
        for (Tomcat tomcat : tomcats) {
            tomcat.stop();
            tomcat.destroy();
        }
        contexts.forEach(GenericXmlApplicationContext::close);
    }

    private static GenericXmlApplicationContext node(String id, DemoRedis redis, Map<String, String> names) {
        Map<String, Object> settings = new HashMap<>(names);
        settings.put("joblock.node-id", id);
        settings.put("joblock.prefix", "console-it:");
        settings.put("joblock.redis.host", redis.host());
        settings.put("joblock.redis.port", redis.port());
        GenericXmlApplicationContext context = new GenericXmlApplicationContext();
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", settings));
        context.load("classpath:console-it/node.xml");
        context.refresh();
        return context;
    }

    private static Tomcat tomcat(GenericXmlApplicationContext node) throws IOException, LifecycleException {
        Path folder = Files.createTempDirectory("console-it");
        folder.toFile().deleteOnExit();
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        Context context = tomcat.addContext("/shop", folder.toString());
        context.addServletContainerInitializer(
                (classes, servlets) -> {
                    XmlWebApplicationContext root = new XmlWebApplicationContext();
                    root.setParent(node);
                    root.setConfigLocation("classpath:console-it/security.xml");
                    servlets.addListener(new ContextLoaderListener(root));
                    servlets.addFilter("springSecurityFilterChain", new DelegatingFilterProxy())
                            .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/*");
                    servlets.addServlet("console", new JobLockConsoleServlet()).addMapping("/console/*");
                },
                Set.of());
        // Or no filter answers for what no servlet has.
        Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
        tomcat.start();
        return tomcat;
    }
}
