package dev.joblock.console;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Locale;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.i18n.AcceptHeaderLocaleResolver;
import org.springframework.web.servlet.i18n.CookieLocaleResolver;

/** English and Chinese: as chosen on the page, else as the browser asks. */
final class Languages {

    private static final List<Locale> KNOWN = List.of(Locale.ENGLISH, Locale.CHINESE);
    private static final String COOKIE = "joblock-console-language";

    private Languages() {}

    static LocaleResolver resolver() {
        AcceptHeaderLocaleResolver asked = new AcceptHeaderLocaleResolver();
        asked.setSupportedLocales(KNOWN);
        asked.setDefaultLocale(Locale.ENGLISH);
        CookieLocaleResolver resolver = new CookieLocaleResolver(COOKIE) {
            @Override
            public Locale resolveLocale(HttpServletRequest request) {
                return known(super.resolveLocale(request));
            }
        };
        resolver.setDefaultLocaleFunction(asked::resolveLocale);
        resolver.setRejectInvalidCookies(false);
        resolver.setCookieHttpOnly(true);
        resolver.setCookieSameSite("Lax");
        return resolver;
    }

    static Locale known(Locale locale) {
        return locale.getLanguage().equals(Locale.CHINESE.getLanguage()) ? Locale.CHINESE : Locale.ENGLISH;
    }
}
