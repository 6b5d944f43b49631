package dev.joblock.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.servlet.HandlerInterceptor;

/** Stands before each page and each button: 403 for who may not, and for a form that is none of ours. Thread-safe. */
final class Gate implements HandlerInterceptor {

    private final Access access;
    private final Csrf csrf;

    Gate(Access access, Csrf csrf) {
        this.access = access;
        this.csrf = csrf;
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException {
        if (!access.mayView(request)) {
            return refuse(
                    response,
                    "The console is for people who are logged in, or have the role that"
                            + " 'joblock.console.viewer-role' names");
        }
        boolean reads = request.getMethod().equals("GET") || request.getMethod().equals("HEAD");
        if (!reads && !csrf.isOurs(request)) {
            return refuse(response, "This form is out of date; open the console anew");
        }
        return true;
    }

    private static boolean refuse(HttpServletResponse response, String why) throws IOException {
        response.sendError(HttpServletResponse.SC_FORBIDDEN, why);
        return false;
    }
}
