package dev.joblock.console;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.mock.web.MockHttpSession;
import org.springframework.mock.web.MockServletConfig;
import org.springframework.mock.web.MockServletContext;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.support.GenericWebApplicationContext;
import org.springframework.web.util.UriComponentsBuilder;

/** The real servlet at {@code /shop/console/*}, without a container. */
final class ConsoleServer implements AutoCloseable {

    private static final Pattern TOKEN = Pattern.compile("name=\"joblock-token\" value=\"([^\"]+)\"");

    private final GenericWebApplicationContext root;
    private final JobLockConsoleServlet servlet = new JobLockConsoleServlet();

    ConsoleServer(StubCluster cluster, Map<String, String> settings) {
        MockServletContext context = new MockServletContext();
        root = new GenericWebApplicationContext(context);
        for (String name : List.of("joblockHistory", "joblockNodePresence", "joblockStates", "joblockOperations")) {
            root.getBeanFactory().registerSingleton(name, cluster);
        }
        root.refresh();
        context.setAttribute(WebApplicationContext.ROOT_WEB_APPLICATION_CONTEXT_ATTRIBUTE, root);
        MockServletConfig config = new MockServletConfig(context, "console");
        config.addInitParameter("joblock.console.zone", "UTC");
        settings.forEach(config::addInitParameter);
        try {
            servlet.init(config);
        } catch (ServletException e) {
            throw new IllegalStateException(e);
        }
        reader().at(Clock.fixed(StubCluster.NOW, ZoneOffset.UTC));
    }

    ConsoleServer(StubCluster cluster) {
        this(cluster, Map.of());
    }

    /** Lets the next page read anew. */
    void forget() {
        reader().forget();
    }

    private ClusterReader reader() {
        return Objects.requireNonNull(servlet.getWebApplicationContext()).getBean(ClusterReader.class);
    }

    Visitor visitor(@Nullable String person, String... roles) {
        return new Visitor(person, List.of(roles));
    }

    @Override
    public void close() {
        servlet.destroy();
        root.close();
    }

    /** A browser of one person. */
    final class Visitor {

        private final @Nullable String person;
        private final List<String> roles;
        private final MockHttpSession session = new MockHttpSession();
        private final List<Map.Entry<String, String>> headers = new ArrayList<>();

        private Visitor(@Nullable String person, List<String> roles) {
            this.person = person;
            this.roles = roles;
        }

        Visitor header(String name, String value) {
            headers.add(Map.entry(name, value));
            return this;
        }

        HttpSession session() {
            return session;
        }

        MockHttpServletResponse get(String address) {
            return send(request("GET", address));
        }

        String page(String address) {
            MockHttpServletResponse response = get(address);
            if (response.getStatus() != 200) {
                throw new AssertionError(address + ": " + response.getStatus() + " " + response.getErrorMessage());
            }
            return content(response);
        }

        /** The token of a page of one's own. */
        String token() {
            Matcher matcher = TOKEN.matcher(page("/"));
            if (!matcher.find()) {
                throw new AssertionError("no token on the page");
            }
            return matcher.group(1);
        }

        /** A button that was confirmed, with the token of a page that was opened before. */
        MockHttpServletResponse press(String address) {
            MockHttpServletRequest request = request("POST", address);
            request.setParameter("joblock-token", token());
            request.setParameter("confirmed", "yes");
            return send(request);
        }

        MockHttpServletRequest request(String method, String address) {
            URI uri = URI.create("http://localhost" + address);
            MockHttpServletRequest request =
                    new MockHttpServletRequest(servlet.getServletContext(), method, "/shop/console" + uri.getRawPath());
            request.setContextPath("/shop");
            request.setServletPath("/console");
            request.setPathInfo(uri.getPath());
            request.setHttpServletMapping(new MockHttpServletMapping("", "/console/*", "console", MappingMatch.PATH));
            request.setQueryString(uri.getRawQuery());
            UriComponentsBuilder.fromUri(uri)
                    .build()
                    .getQueryParams()
                    .forEach((name, values) -> values.forEach(
                            value -> request.addParameter(name, URLDecoder.decode(value, StandardCharsets.UTF_8))));
            request.setSession(session);
            if (person != null) {
                request.setRemoteUser(person);
                request.setUserPrincipal(() -> person);
            }
            roles.forEach(request::addUserRole);
            headers.forEach(header -> request.addHeader(header.getKey(), header.getValue()));
            return request;
        }

        MockHttpServletResponse send(MockHttpServletRequest request) {
            MockHttpServletResponse response = new MockHttpServletResponse();
            try {
                servlet.service(request, response);
            } catch (ServletException e) {
                throw new IllegalStateException(e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return response;
        }
    }

    static String content(MockHttpServletResponse response) {
        return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
    }
}
