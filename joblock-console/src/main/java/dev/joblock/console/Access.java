package dev.joblock.console;

import jakarta.servlet.http.HttpServletRequest;

/** Who may do what, as the host's own log-in knows people. Thread-safe. */
final class Access {

    private static final String EVERYBODY = "*";

    private final ConsoleSettings settings;

    Access(ConsoleSettings settings) {
        this.settings = settings;
    }

    boolean mayView(HttpServletRequest request) {
        String role = settings.viewerRole();
        if (role.equals(EVERYBODY) || mayOperate(request)) {
            return true;
        }
        return role.isEmpty() ? request.getUserPrincipal() != null : request.isUserInRole(role);
    }

    /** Never without a name: what is done by hand is recorded with the person. */
    boolean mayOperate(HttpServletRequest request) {
        String person = request.getRemoteUser();
        if (person == null || person.isEmpty()) {
            return false;
        }
        return settings.operatorRole().equals(EVERYBODY) || request.isUserInRole(settings.operatorRole());
    }
}
