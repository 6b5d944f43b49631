package dev.joblock.console;

import static dev.joblock.console.Browser.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.interactions.Actions;

/** What a person sees and does, in a real browser, on four nodes with the real kit. */
class ConsoleBrowserIT {

    private static final String SCRIPT = "<script>window.broken = 1</script>";
    private static final String NIGHT = "夜间对账 a/b %2F+&c";

    @SuppressWarnings("NullAway.Init")
    private static DemoRedis redis;

    @SuppressWarnings("NullAway.Init")
    private static DemoCluster cluster;

    @SuppressWarnings("NullAway.Init")
    private static Browser browser;

    @BeforeAll
    static void startCluster() throws Exception {
        browser = new Browser(); // skips before anything else is started
        redis = new DemoRedis();
        cluster = new DemoCluster(redis, SCRIPT, NIGHT);
    }

    @AfterAll
    static void stopCluster() throws Exception {
        DemoWork.letGo();
        if (cluster != null) {
            cluster.close();
        }
        if (redis != null) {
            redis.close();
        }
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void logOut() {
        browser.forget();
    }

    @Test
    void after_the_log_in_the_whole_cluster_is_there() {
        browser.open(cluster.address(0));
        assertThat(browser.url()).contains("/login");
        assertThat(browser.text()).doesNotContain("syncOrders");

        browser.logIn(cluster.address(0), "otto");

        until(() -> assertThat(browser.all(".nodes .alive")).hasSize(4));
        until(() -> assertThat(browser.text())
                .contains("Signed in as otto", "tomcat-1", "tomcat-4", "syncOrders", "warmCache"));
        until(() -> assertThat(browser.row("sendInvoices").getText()).contains("status-time"));
        until(() -> assertThat(browser.row("warmCache").getText())
                .contains("not guarded")
                .doesNotContain("Run now"));
        assertThat(browser.script("return performance.getEntriesByType('resource').map(it => new URL(it.name).origin)"
                        + ".filter(it => it !== location.origin)"))
                .isEqualTo(List.of());
        assertThat(browser.complaints()).isEmpty();
    }

    @Test
    void the_timeline_goes_on_by_itself_and_each_slot_ran_once() {
        browser.logIn(cluster.address(1), "vera");
        browser.script("window.sameDocument = true");
        until(() -> assertThat(times()).hasSizeGreaterThan(3));
        String newest = times().get(times().size() - 1);

        until(() -> assertThat(times()).contains(newest).last().isNotEqualTo(newest));
        until(() -> assertThat(browser.all(".timeline tbody tr")).hasSize(4));
        until(() -> assertThat(browser.all(".timeline tbody .ran")).isNotEmpty());
        until(() -> assertThat(browser.all(".timeline tbody .taken, .timeline tbody .held"))
                .isNotEmpty());
        assertThat(browser.script("return window.sameDocument")).isEqualTo(true);
        assertThat(browser.all(".count.twice")).isEmpty();
        assertThat(browser.complaints()).isEmpty();
    }

    private List<String> times() {
        @SuppressWarnings("unchecked")
        List<String> texts =
                (List<String>) browser.script("return [...document.querySelectorAll('.timeline thead .slot')].map(it =>"
                        + " it.textContent.trim().split(/\\s+/)[0])");
        return Objects.requireNonNull(texts);
    }

    @Test
    void run_now_on_a_busy_job_shows_its_holder_and_release_frees_it() {
        DemoWork.hold();
        browser.logIn(cluster.address(0), "otto");
        confirm("rebuildIndex", "Run now");
        until(() -> assertThat(browser.row("rebuildIndex").getText()).contains("running on tomcat-1", "lease"));

        confirm("rebuildIndex", "Run now");

        until(() -> assertThat(browser.find("#answer").getText())
                .contains("Not done", "It is running on tomcat-1", "rebuildIndex"));
        confirm("rebuildIndex", "Release");
        until(() -> assertThat(browser.find("#answer").getText()).contains("Done", "rebuildIndex"));
        until(() -> assertThat(browser.row("rebuildIndex").getText()).doesNotContain("running on"));
        DemoWork.letGo();

        browser.forget(); // the other node, so log in there
        browser.logIn(cluster.address(1) + "job?name=rebuildIndex", "vera");
        browser.open(cluster.address(1) + "job?name=rebuildIndex");
        until(() -> assertThat(browser.find(".history").getText()).contains("released by a person", "otto"));
    }

    @Test
    void a_double_click_and_a_second_operator_on_another_node_run_once() {
        int before = DemoWork.runs("countStock");
        browser.logIn(cluster.address(0), "otto");
        try (Browser other = new Browser()) {
            other.logIn(cluster.address(1), "otto");
            other.press("countStock", "Run now");
            browser.press("countStock", "Run now");

            new Actions(browser.driver()).doubleClick(browser.find("#ask-yes")).perform();
            other.find("#ask-yes").click();

            until(() -> assertThat(other.find("#answer").getText()).contains("countStock"));
            until(() -> assertThat(browser.find("#answer").getText()).contains("countStock"));
            List<String> answers = Stream.of(browser, other)
                    .map(it -> it.find("#answer").getText().lines().findFirst().orElse(""))
                    .toList();
            assertThat(answers).containsExactlyInAnyOrder("Done countStock", "Not done countStock");
        }
        browser.open(cluster.address(0) + "job?name=countStock");
        until(() -> assertThat(browser.find(".history").getText()).contains("by hand", "otto", "ran"));
        assertThat(DemoWork.runs("countStock") - before).isEqualTo(1);
    }

    @Test
    void a_script_in_a_name_stays_text_and_its_button_runs_that_job() {
        int before = DemoWork.runs(SCRIPT);
        browser.logIn(cluster.address(0), "otto");

        browser.press(SCRIPT, "Run now");
        assertThat(browser.find("#ask-title").getText()).isEqualTo("Run “" + SCRIPT + "” now?");
        browser.find("#ask-yes").click();
        until(() -> assertThat(browser.find("#answer").getText()).contains("Done", SCRIPT));
        until(() -> assertThat(DemoWork.runs(SCRIPT) - before).isEqualTo(1));

        until(() -> browser.row(SCRIPT).findElement(By.cssSelector("th a")).click());
        until(() -> assertThat(browser.find("h1").getText()).isEqualTo(SCRIPT));
        assertThat(browser.title()).isEqualTo(SCRIPT + " – Joblock");
        until(() -> assertThat(browser.find(".history").getText()).contains("otto"));
        assertThat(browser.script("return window.broken")).isNull();
    }

    @Test
    void a_name_of_all_kinds_of_characters_is_opened_and_run() {
        int before = DemoWork.runs(NIGHT);
        browser.logIn(cluster.address(0), "otto");
        until(() -> browser.row(NIGHT).findElement(By.cssSelector("th a")).click());
        until(() -> assertThat(browser.find("h1").getText()).isEqualTo(NIGHT));

        browser.find("#run-job").click();
        browser.find("#ask-yes").click();

        until(() -> assertThat(DemoWork.runs(NIGHT) - before).isEqualTo(1));
        until(() -> assertThat(browser.find(".history").getText()).contains("by hand", "otto"));
    }

    @Test
    void who_may_only_look_has_no_buttons_and_a_made_up_request_is_refused() {
        int before = DemoWork.runs("closeBooks");
        browser.logIn(cluster.address(0), "vera");
        until(() -> assertThat(browser.row("closeBooks").getText()).contains("closeBooks"));
        assertThat(browser.all(".jobs button, #act, #ask")).isEmpty();

        String token = browser.find(".language input[name='_csrf']").getDomProperty("value");
        assertThat(status("run?name=closeBooks", "confirmed=yes&_csrf=" + token))
                .isEqualTo(403L);
        assertThat(status("release?name=closeBooks", "confirmed=yes&_csrf=" + token))
                .isEqualTo(403L);
        assertThat(DemoWork.runs("closeBooks")).isEqualTo(before);
    }

    @Test
    void an_operator_s_request_without_the_token_is_refused_and_a_link_does_nothing() {
        int before = DemoWork.runs("closeBooks");
        browser.logIn(cluster.address(0), "otto");

        assertThat(status("run?name=closeBooks", "confirmed=yes")).isEqualTo(403L);
        browser.open(cluster.address(0) + "run?name=closeBooks&confirmed=yes");
        assertThat(browser.text()).contains("405");
        assertThat(DemoWork.runs("closeBooks")).isEqualTo(before);
    }

    private @Nullable Object status(String address, String body) {
        return browser.driver()
                .executeAsyncScript(
                        "const done = arguments[2]; fetch(arguments[0], {method: 'POST', body: arguments[1], headers:"
                                + " {'Content-Type': 'application/x-www-form-urlencoded'}}).then(it => done(it.status))",
                        address,
                        body);
    }

    @Test
    void a_phone_shows_all_of_it_without_scrolling_sideways() {
        browser.size(375, 740);
        browser.logIn(cluster.address(0), "otto");
        until(() -> assertThat(browser.all(".nodes .alive")).hasSize(4));
        until(() -> assertThat(times()).hasSizeGreaterThan(3));
        assertThat(width()).isLessThanOrEqualTo(375);
        WebElement button = browser.find(".jobs button");
        assertThat(button.getSize().height).isGreaterThanOrEqualTo(40);

        for (String job : List.of("syncOrders", "sendInvoices")) {
            browser.open(cluster.address(0) + "job?name=" + job);
            until(() -> assertThat(browser.all(".history tbody tr")).isNotEmpty());
            assertThat(width()).as(job).isLessThanOrEqualTo(375);
        }
    }

    private int width() {
        return Integer.parseInt(String.valueOf(browser.script("return document.documentElement.scrollWidth")));
    }

    @Test
    void everything_is_reached_by_keyboard_and_the_focus_survives_a_renewal() {
        browser.logIn(cluster.address(0), "otto");
        browser.open(cluster.address(0));
        browser.keys(Keys.TAB);
        assertThat(browser.script("return document.activeElement.className")).isEqualTo("skip");
        browser.keys(Keys.ENTER);
        until(() -> assertThat(browser.activeId()).isEqualTo("main"));
        for (int i = 0; i < 40 && !browser.activeId().startsWith("run-"); i++) {
            browser.keys(Keys.TAB);
        }
        String button = browser.activeId();
        assertThat(button).startsWith("run-");

        String asOf = browser.find(".as-of").getText();
        until(() -> assertThat(browser.find(".as-of").getText()).isNotEqualTo(asOf));
        assertThat(browser.activeId()).isEqualTo(button);
        assertThat((String) browser.script("return getComputedStyle(document.activeElement).outlineStyle"))
                .isEqualTo("solid");

        browser.keys(Keys.ENTER);
        until(() -> assertThat(browser.find("#ask").isDisplayed()).isTrue());
        assertThat(browser.activeId()).isEqualTo("ask-no");
        browser.keys(Keys.ESCAPE);
        until(() -> assertThat(browser.find("#ask").isDisplayed()).isFalse());
        assertThat(browser.activeId()).isEqualTo(button);
    }

    @Test
    void the_language_is_switched_and_stays() {
        browser.logIn(cluster.address(0), "vera");
        browser.find(".language button[lang='zh']").click();

        until(() -> assertThat(browser.text()).contains("时间线", "当前用户：vera"));
        browser.open(cluster.address(0) + "job?name=syncOrders");
        assertThat(browser.text()).contains("运行时长");
        assertThat(browser.script("return document.documentElement.lang")).isEqualTo("zh");
    }

    @Test
    void while_redis_is_away_the_page_says_so_and_comes_back() throws Exception {
        browser.logIn(cluster.address(0), "otto");
        until(() -> assertThat(browser.all(".nodes .alive")).hasSize(4));
        redis.pause();
        try {
            until(() -> assertThat(browser.text()).contains("Redis can not be read"));
            assertThat(browser.text()).contains("syncOrders", "tomcat-4");
        } finally {
            redis.resume();
        }
        until(() -> assertThat(browser.text()).doesNotContain("Redis can not be read"));
    }

    @Test
    void pausing_stops_the_renewal() {
        browser.logIn(cluster.address(0), "vera");
        browser.find("#pause").click();
        assertThat(browser.find("#pause").getText()).isEqualTo("Go on");
        assertThat(browser.find("#pause").getDomAttribute("aria-pressed")).isEqualTo("true");
        browser.find("#pause").click();
        String asOf = browser.find(".as-of").getText();
        until(() -> assertThat(browser.find(".as-of").getText()).isNotEqualTo(asOf));
    }

    private void confirm(String job, String label) {
        browser.press(job, label);
        browser.find("#ask-yes").click();
        until(() -> assertThat(browser.find("#ask").isDisplayed()).isFalse());
    }
}
