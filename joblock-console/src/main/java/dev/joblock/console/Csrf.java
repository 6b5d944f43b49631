package dev.joblock.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpSession;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import org.springframework.security.web.csrf.CsrfToken;

/**
 * Tells a form of ours from one of a foreign page. Where Spring Security guards the request, its token is used and it has looked at
 * it already; elsewhere the session holds one. A request of which the browser says that another site made it is refused in any
 * case. Thread-safe.
 */
final class Csrf {

    private static final String HOST_TOKEN = "_csrf";
    private static final String SESSION_TOKEN = Csrf.class.getName();
    private static final String OWN_FIELD = "joblock-token";
    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();

    /** The field for a page; makes a session where there is none and the host has no token of its own. */
    CsrfField field(HttpServletRequest request) {
        if (isHostGuarding(request)) {
            return HostToken.field(request);
        }
        HttpSession session = request.getSession();
        synchronized (this) { // two pages opened at once must not get two tokens
            Object known = session.getAttribute(SESSION_TOKEN);
            if (known instanceof String text) {
                return new CsrfField(OWN_FIELD, text);
            }
            byte[] bytes = new byte[BYTES];
            random.nextBytes(bytes);
            String made = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            session.setAttribute(SESSION_TOKEN, made);
            return new CsrfField(OWN_FIELD, made);
        }
    }

    boolean isOurs(HttpServletRequest request) {
        return isSameSite(request) && (isHostGuarding(request) || hasOwnToken(request));
    }

    private static boolean isSameSite(HttpServletRequest request) {
        String site = request.getHeader("Sec-Fetch-Site"); // old browsers don't say
        return site == null || site.equals("same-origin") || site.equals("none");
    }

    private static boolean hasOwnToken(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        Object known = session == null ? null : session.getAttribute(SESSION_TOKEN);
        String sent = request.getParameter(OWN_FIELD);
        return known instanceof String text && sent != null && MessageDigest.isEqual(bytes(text), bytes(sent));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isHostGuarding(HttpServletRequest request) {
        @Nullable Object token = request.getAttribute(HOST_TOKEN);
        return token != null && token.getClass().getName().startsWith("org.springframework.security.");
    }

    /** Loaded only where Spring Security is. */
    private static final class HostToken {

        private HostToken() {}

        static CsrfField field(HttpServletRequest request) {
            CsrfToken token = (CsrfToken) request.getAttribute(HOST_TOKEN);
            return new CsrfField(token.getParameterName(), token.getToken());
        }
    }
}
