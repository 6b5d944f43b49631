package dev.joblock.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.DenialReason;
import dev.joblock.HistoryEntry;
import dev.joblock.HistoryOutcome;
import dev.joblock.JobRun;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.util.HtmlUtils;

class ConsolePagesTest {

    static final String[] NAMES = {
        "<script>alert(1)</script>",
        "a:b",
        "day[1]*?",
        "x{y}z",
        "Überweisung täglich",
        "a/b %2F+&c",
        "\"><img src=x onerror=alert(1)>",
        "${7*7} #{title} __${7*7}__",
        "夜间对账",
        "n".repeat(300)
    };

    private static final Instant SLOT = StubCluster.NOW.minusSeconds(10);

    private final StubCluster cluster = new StubCluster();
    private final ConsoleServer server = new ConsoleServer(cluster);
    private final ConsoleServer.Visitor anna = server.visitor("anna", "OPERATOR");

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void a_name_is_text_in_the_list_and_on_its_own_page(String name) {
        cluster.held(name, "alpha").job("day1x").add(StubCluster.ran("1", name, name, SLOT, 5));
        String escaped = HtmlUtils.htmlEscape(name, "UTF-8");

        String list = anna.page("/");
        String page = anna.page("/job?" + JobViews.query(name));

        assertThat(list).contains(">" + escaped + "</a>").contains("href=\"job?" + JobViews.query(name) + "\"");
        assertThat(page).contains("<h1 id=\"job-title\">" + escaped + "</h1>");
        for (String html : new String[] {list, page}) {
            assertThat(html).doesNotContain("<script>alert").doesNotContain("<img src=x");
        }
    }

    @Test
    void a_job_s_page_is_about_that_job_alone() {
        cluster.job("a:b", "a.b", "day[1]*?", "day1x")
                .add(StubCluster.ran("1", "day[1]*?", "alpha", SLOT, 5))
                .add(StubCluster.ran("2", "day1x", "other-node", SLOT, 6));

        assertThat(anna.page("/job?" + JobViews.query("day[1]*?")))
                .contains("alpha")
                .doesNotContain("other-node");
        assertThat(anna.page("/job?" + JobViews.query("a:b"))).doesNotContain("a.b");
    }

    @Test
    void warnings_and_errors_are_text() {
        cluster.job("bill")
                .add(HistoryEntry.builder("1", "bill", "<i>node</i>", HistoryOutcome.FAILED)
                        .at(SLOT.plusSeconds(1))
                        .slot("lane", SLOT)
                        .granted(SLOT, 5)
                        .ended(SLOT.plusSeconds(1))
                        .origin(JobRun.Origin.MANUAL, "<u>eve</u>")
                        .detail("<s>why</s>")
                        .errorClass("<b>Error</b>")
                        .build());

        assertThat(anna.page("/") + anna.page("/job?name=bill"))
                .contains("&lt;b&gt;its clock&lt;/b&gt; is ahead", "&lt;i&gt;node&lt;/i&gt;", "&lt;u&gt;eve&lt;/u&gt;")
                .contains("&lt;s&gt;why&lt;/s&gt;", "&lt;b&gt;Error&lt;/b&gt;")
                .doesNotContain("<i>node", "<u>eve", "<s>why", "<b>Error", "<b>its");
    }

    @Test
    void four_ends_of_a_slot_look_different() {
        cluster.job("bill")
                .add(StubCluster.ran("1", "bill", "alpha", SLOT, 5))
                .add(HistoryEntry.builder("2", "bill", "beta", HistoryOutcome.DENIED)
                        .at(SLOT)
                        .slot("lane", SLOT)
                        .denied(DenialReason.TAKEN, "alpha", SLOT)
                        .detail("taken by alpha")
                        .build())
                .add(HistoryEntry.builder("3", "bill", "gamma", HistoryOutcome.STORE_DOWN)
                        .at(SLOT)
                        .slot("lane", SLOT)
                        .build())
                .add(HistoryEntry.builder("4", "bill", "delta", HistoryOutcome.FAILED)
                        .at(SLOT)
                        .slot("lane", SLOT)
                        .granted(SLOT, 6)
                        .ended(SLOT)
                        .build());

        assertThat(anna.page("/live"))
                .contains("cell ran", "cell taken", "cell store-down", "cell failed")
                .contains("beta: denied: taken, 11:59:50 – taken by alpha")
                .contains("count twice")
                .contains("11:59:50");
    }

    @Test
    void a_slot_that_was_denied_and_then_overrun_is_shown_as_overrun() {
        cluster.job("bill");
        HistoryOutcome[] said = {HistoryOutcome.DENIED, HistoryOutcome.OVERRUN, HistoryOutcome.DENIED};
        DenialReason[] reasons = {DenialReason.HELD, DenialReason.HELD, DenialReason.PASSED};
        for (int i = 0; i < said.length; i++) {
            cluster.add(HistoryEntry.builder("o" + i, "bill", "alpha", said[i])
                    .at(SLOT.plusSeconds(i))
                    .slot("lane", SLOT)
                    .denied(reasons[i], "beta", SLOT)
                    .detail(reasons[i] + " by beta")
                    .build());
        }

        assertThat(anna.page("/live"))
                .contains("cell overrun", "overrun: held off, run by nobody, 11:59:51 – held by beta", "count zero")
                .doesNotContain("cell held", "cell passed");
        assertThat(server.visitor("vera").header("Accept-Language", "zh").page("/job?name=bill"))
                .contains("因锁被占用而错过");
    }

    @Test
    void one_run_over_all_nodes_counts_once_and_a_run_by_hand_does_not_count() {
        cluster.job("bill")
                .add(StubCluster.ran("1", "bill", "alpha", SLOT, 5))
                .add(HistoryEntry.builder("2", "bill", "beta", HistoryOutcome.RAN)
                        .at(SLOT)
                        .granted(SLOT, 6)
                        .ended(SLOT)
                        .origin(JobRun.Origin.MANUAL, "anna")
                        .build());

        assertThat(anna.page("/live")).contains("count once", "count no-slot").doesNotContain("count twice");
    }

    @Test
    void a_run_that_goes_on_is_shown_with_its_holder_and_its_lease() {
        cluster.held("bill", "beta");

        assertThat(anna.page("/"))
                .contains("running on beta for 4.0 s", "lease 26 s left", "cell running", "id=\"release-job-0\"");
    }

    @Test
    void whoever_may_only_look_sees_no_buttons() {
        cluster.held("bill", "beta");

        assertThat(server.visitor("vera").page("/")).contains("bill").doesNotContain("Run now", "Release");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/job?name=bill", "/live", "/assets/console.css", "/no-such-page"})
    void every_answer_carries_the_headers(String address) {
        MockHttpServletResponse response = anna.get(address);

        assertThat(response.getHeader("Content-Security-Policy"))
                .contains("default-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(response.getHeader("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(response.getHeader("Referrer-Policy")).isEqualTo("same-origin");
        assertThat(response.getHeaders("Cache-Control"))
                .singleElement()
                .isEqualTo(address.startsWith("/assets/") ? "max-age=86400, private" : "no-store");
    }

    @ParameterizedTest
    @ValueSource(strings = {"console.css", "console.js", "htmx.js", "favicon.svg"})
    void the_page_is_made_of_files_of_its_own(String name) {
        assertThat(anna.get("/assets/" + name).getStatus()).isEqualTo(200);
        assertThat(anna.page("/")).contains("assets/" + name);
    }

    @Test
    void no_file_but_the_known_ones_is_served_and_nothing_comes_from_elsewhere() {
        assertThat(anna.get("/assets/package-info.class").getStatus()).isEqualTo(404);
        assertThat(anna.get("/assets/..%2Ftemplates%2Fconsole.html").getStatus())
                .isEqualTo(404);
        assertThat(anna.page("/") + anna.page("/job?name=bill"))
                .doesNotContainPattern("(src|href)=\"(https?:)?//")
                .doesNotContain("style=", "onclick", "<style");
    }

    @Test
    void it_speaks_english_and_chinese_as_the_browser_asks_and_as_chosen() {
        cluster.job("bill");
        assertThat(server.visitor("vera").header("Accept-Language", "fr").page("/"))
                .contains("Timeline", "lang=\"en\"");
        assertThat(server.visitor("vera")
                        .header("Accept-Language", "zh-CN,zh;q=0.9")
                        .page("/"))
                .contains("时间线", "lang=\"zh\"");

        MockHttpServletResponse chosen = anna.press("/language?language=zh&name=bill");

        assertThat(chosen.getStatus()).isEqualTo(303);
        assertThat(chosen.getHeader("Location")).isEqualTo("job?name=bill");
        assertThat(chosen.getCookie("joblock-console-language")).isNotNull();
        assertThat(chosen.getHeader("Set-Cookie")).contains("zh", "HttpOnly");
    }

    @Test
    void while_redis_is_away_the_page_says_so_and_shows_what_it_knew() {
        cluster.job("bill");
        assertThat(anna.page("/")).doesNotContain("Redis can not be read");
        cluster.away = true;
        server.forget();

        assertThat(anna.page("/")).contains("Redis can not be read", "Redis at &lt;localhost&gt;:6379 refused", "bill");
        assertThat(anna.page("/job?name=bill")).contains("Redis can not be read", "bill");
        cluster.away = false;
        server.forget();
        assertThat(anna.page("/")).doesNotContain("Redis can not be read");
    }

    @Test
    void a_page_that_never_saw_redis_is_a_page_too() {
        cluster.away = true;

        assertThat(anna.page("/")).contains("Redis can not be read", "No job is known yet");
    }

    @Test
    void many_who_look_read_once() {
        anna.page("/");
        int once = cluster.reads();
        for (int i = 0; i < 20; i++) {
            server.visitor("vera").page("/live");
        }

        // A slow machine may need longer than the second that a snapshot lasts.
        assertThat(cluster.reads()).isLessThan(20 * once);
    }

    @Test
    void the_history_goes_on_from_page_to_page_and_shows_what_is_chosen() {
        cluster.job("bill");
        for (int i = 0; i < 60; i++) {
            cluster.add(StubCluster.ran("r" + i, "bill", "alpha", SLOT.minusSeconds(i * 5L), 100 - i));
        }
        cluster.add(HistoryEntry.builder("f", "bill", "beta", HistoryOutcome.FAILED)
                .at(SLOT)
                .granted(SLOT, 200)
                .ended(SLOT)
                .errorClass("java.io.IOException")
                .build());

        assertThat(anna.page("/job?name=bill")).contains("id=\"older\"", "after=50", "every 3s", "<rect");
        assertThat(anna.page("/job?name=bill&after=50")).doesNotContain("id=\"older\"", "every 3s");
        assertThat(anna.page("/job?name=bill&show=trouble"))
                .contains("java.io.IOException")
                .doesNotContain("id=\"older\"");
        assertThat(anna.page("/job?name=bill&after=nonsense&show=nonsense")).contains("after=50");
    }

    @Test
    void the_address_without_its_slash_leads_to_the_one_with_it() {
        assertThat(anna.get("").getRedirectedUrl()).isEqualTo("/shop/console/");
    }

    @Test
    void roles_and_zone_are_those_that_the_host_sets() {
        cluster.job("bill");
        try (ConsoleServer strict = new ConsoleServer(
                cluster, Map.of("joblock.console.viewer-role", "WATCH", "joblock.console.operator-role", "ACT"))) {
            assertThat(strict.visitor("vera").get("/").getStatus()).isEqualTo(403);
            assertThat(strict.visitor("vera", "WATCH").page("/")).doesNotContain("Run now");
            assertThat(strict.visitor("otto", "ACT").page("/")).contains("Run now");
        }
        try (ConsoleServer open = new ConsoleServer(cluster, Map.of("joblock.console.viewer-role", "*"))) {
            assertThat(open.visitor(null).page("/")).contains("bill").doesNotContain("Run now");
        }
        assertThat(server.visitor(null).get("/").getStatus()).isEqualTo(403);
    }
}
