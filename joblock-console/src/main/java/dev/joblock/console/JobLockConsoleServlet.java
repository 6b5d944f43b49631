package dev.joblock.console;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Serves the console. Map it to a path of its own, such as {@code /console/*}, in an application whose root context imports
 * {@code classpath:spring/joblock.xml}. It brings its own context and takes no handler, view or message of the host's.
 *
 * <p>Init parameters of the same name go before the properties {@code joblock.console.viewer-role},
 * {@code joblock.console.operator-role} and {@code joblock.console.zone}.
 */
public class JobLockConsoleServlet extends DispatcherServlet {

    private static final long serialVersionUID = 1L;

    /** The header that tells an answer of the console from a log-in page that a host sends in its place. */
    static final String MARK = "Joblock-Console";

    private static final String POLICY =
            "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

    /** Called by the servlet container. */
    public JobLockConsoleServlet() {
        setContextConfigLocation("classpath:spring/joblock-console.xml");
        // One of each, by name and from the own context: those of the host's contexts are none of ours.
        setDetectAllHandlerMappings(false);
        setDetectAllHandlerAdapters(false);
        setDetectAllHandlerExceptionResolvers(false);
        setDetectAllViewResolvers(false);
        setPublishEvents(false);
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        response.setHeader(MARK, "1");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        response.setHeader("Referrer-Policy", "same-origin");
        String path = request.getPathInfo();
        if (path == null || !path.startsWith(AssetsController.PATH)) {
            response.setHeader("Cache-Control", "no-store");
        }
        super.service(request, response);
    }
}
