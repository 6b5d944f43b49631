package dev.joblock.console;

import dev.joblock.HistoryPage;
import dev.joblock.HistoryQuery;
import dev.joblock.JobState;
import dev.joblock.OperationResult;
import dev.joblock.StoreException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.LocaleResolver;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * The addresses of the console. Reading is GET and changes nothing; what changes something is POST and nothing else. Job names stand in
 * the query, where every container reads UTF-8. Thread-safe.
 */
@Controller
final class ConsoleController {

    private static final int PICTURE = 400;
    private static final int LIST = 50;

    private final ClusterReader cluster;
    private final Access access;
    private final Csrf csrf;
    private final ConsoleSettings settings;
    private final MessageSource messages;
    private final AssetsController assets;

    ConsoleController(
            ClusterReader cluster,
            Access access,
            Csrf csrf,
            ConsoleSettings settings,
            MessageSource messages,
            AssetsController assets) {
        this.cluster = cluster;
        this.access = access;
        this.csrf = csrf;
        this.settings = settings;
        this.messages = messages;
        this.assets = assets;
    }

    @GetMapping({"", "/"})
    @Nullable
    String overview(HttpServletRequest request, HttpServletResponse response, Locale locale, Model model)
            throws IOException {
        if (!request.getRequestURI().endsWith("/")) { // the page's addresses are relative to it
            response.sendRedirect(request.getContextPath() + request.getServletPath() + "/");
            return null;
        }
        overview(request, locale, model);
        frame(request, locale, model);
        return "console";
    }

    @GetMapping("/live")
    String live(HttpServletRequest request, Locale locale, Model model) {
        overview(request, locale, model);
        return "console :: live";
    }

    @GetMapping("/job")
    String job(
            @RequestParam("name") String name,
            @RequestParam(name = "show", defaultValue = "") String show,
            @RequestParam(name = "after", defaultValue = "") String after,
            HttpServletRequest request,
            Locale locale,
            Model model) {
        job(name, Show.of(show), after, request, locale, model);
        frame(request, locale, model);
        model.addAttribute("jobName", name);
        model.addAttribute("following", after.isEmpty()); // older entries stand still
        return "job";
    }

    @GetMapping("/job-live")
    String jobLive(
            @RequestParam("name") String name,
            @RequestParam(name = "show", defaultValue = "") String show,
            @RequestParam(name = "after", defaultValue = "") String after,
            HttpServletRequest request,
            Locale locale,
            Model model) {
        job(name, Show.of(show), after, request, locale, model);
        model.addAttribute("following", after.isEmpty());
        return "job :: live";
    }

    @PostMapping("/run")
    @Nullable
    String run(
            @RequestParam("name") String name,
            @RequestParam(name = "confirmed", defaultValue = "") String confirmed,
            HttpServletRequest request,
            HttpServletResponse response,
            Locale locale,
            Model model)
            throws IOException {
        return act("run", name, confirmed, request, response, locale, model);
    }

    @PostMapping("/release")
    @Nullable
    String release(
            @RequestParam("name") String name,
            @RequestParam(name = "confirmed", defaultValue = "") String confirmed,
            HttpServletRequest request,
            HttpServletResponse response,
            Locale locale,
            Model model)
            throws IOException {
        return act("release", name, confirmed, request, response, locale, model);
    }

    @PostMapping("/language")
    void language(
            @RequestParam("language") String language,
            @RequestParam(name = "name", defaultValue = "") String name,
            HttpServletRequest request,
            HttpServletResponse response) {
        LocaleResolver resolver = RequestContextUtils.getLocaleResolver(request);
        if (resolver != null) {
            resolver.setLocale(request, response, Languages.known(Locale.forLanguageTag(language)));
        }
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", name.isEmpty() ? "./" : "job?" + JobViews.query(name));
    }

    private @Nullable String act(
            String what,
            String name,
            String confirmed,
            HttpServletRequest request,
            HttpServletResponse response,
            Locale locale,
            Model model)
            throws IOException {
        String person = request.getRemoteUser();
        if (person == null || !access.mayOperate(request)) {
            response.sendError(
                    HttpServletResponse.SC_FORBIDDEN, "This needs the role that 'joblock.console.operator-role' names");
            return null;
        }
        frame(request, locale, model);
        model.addAttribute("what", what);
        model.addAttribute("jobName", name);
        model.addAttribute("query", JobViews.query(name));
        if (!confirmed.equals("yes")) { // where no script has asked before
            return "confirm";
        }
        OperationResult result = what.equals("run") ? cluster.runNow(name, person) : cluster.release(name, person);
        if (!result.isDone()) {
            response.setStatus(HttpServletResponse.SC_CONFLICT);
        }
        model.addAttribute("done", result.isDone());
        model.addAttribute("message", result.message());
        model.addAttribute("busy", result.isDone() ? "" : busy(name, locale));
        return request.getHeader("HX-Request") == null ? "answer" : "answer :: answer";
    }

    /** Who has the lock, where that is why nothing was done. */
    private String busy(String name, Locale locale) {
        try {
            Words words = words(cluster.snapshot(), locale);
            return cluster.state(name)
                    .flatMap(state -> state.lock().run())
                    .map(run -> words.text("answer.busy", run.node(), words.since(run.since())))
                    .orElse("");
        } catch (StoreException e) {
            return "";
        }
    }

    private void overview(HttpServletRequest request, Locale locale, Model model) {
        Snapshot snapshot = cluster.snapshot();
        model.addAttribute("page", new Pages(snapshot, words(snapshot, locale), settings.zone()).overview());
        model.addAttribute("mayOperate", access.mayOperate(request));
    }

    private void job(String name, Show show, String after, HttpServletRequest request, Locale locale, Model model) {
        Snapshot snapshot = cluster.snapshot();
        JobState state = null;
        HistoryPage newest = new HistoryPage(List.of(), null);
        HistoryPage page = newest;
        if (snapshot.problem() == null) {
            try {
                state = cluster.state(name).orElse(null);
                newest = cluster.history(HistoryQuery.all().job(name).limit(PICTURE));
                page = page(name, show, after);
            } catch (StoreException e) {
                snapshot = snapshot.withProblem(String.valueOf(e.getMessage()));
            }
        }
        model.addAttribute(
                "page",
                new Pages(snapshot, words(snapshot, locale), settings.zone())
                        .job(name, state, newest.entries(), page, show));
        model.addAttribute("mayOperate", access.mayOperate(request));
    }

    private HistoryPage page(String name, Show show, String after) {
        HistoryQuery query =
                HistoryQuery.all().job(name).outcomes(show.outcomes()).limit(LIST);
        try {
            return cluster.history(after.isEmpty() ? query : query.after(after));
        } catch (IllegalArgumentException e) { // a token that somebody wrote by hand: from the newest on
            return cluster.history(query);
        }
    }

    private void frame(HttpServletRequest request, Locale locale, Model model) {
        model.addAttribute("csrf", csrf.field(request));
        model.addAttribute("language", Languages.known(locale).getLanguage());
        model.addAttribute(
                "person", Optional.ofNullable(request.getRemoteUser()).orElse(""));
        model.addAttribute("mayOperate", access.mayOperate(request));
        model.addAttribute("marks", Mark.legend());
        model.addAttribute("assets", assets.version());
    }

    private Words words(Snapshot snapshot, Locale locale) {
        return new Words(messages, locale, settings.zone(), snapshot.now());
    }
}
