package dev.joblock.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.joblock.OperationResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.web.csrf.DefaultCsrfToken;

class ConsoleActionsTest {

    static final String[] NAMES = ConsolePagesTest.NAMES;

    private final StubCluster cluster = new StubCluster().job("bill");
    private final ConsoleServer server = new ConsoleServer(cluster);
    private final ConsoleServer.Visitor anna = server.visitor("anna", "OPERATOR");

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @FieldSource("NAMES")
    void a_button_acts_on_that_very_job_in_the_person_s_name(String name) {
        assertThat(anna.press("/run?" + JobViews.query(name)).getStatus()).isEqualTo(200);
        assertThat(anna.press("/release?" + JobViews.query(name)).getStatus()).isEqualTo(200);

        assertThat(cluster.asked).containsExactly("run " + name + " by anna", "release " + name + " by anna");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/run?name=bill&confirmed=yes", "/release?name=bill&confirmed=yes", "/language?language=zh"})
    void a_link_changes_nothing(String address) {
        for (String method : new String[] {"GET", "HEAD", "PUT", "DELETE", "PATCH"}) {
            MockHttpServletResponse response = anna.send(anna.request(method, address));
            assertThat(response.getStatus()).as(method).isEqualTo(405);
        }
        assertThat(cluster.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/run?name=bill&confirmed=yes", "/release?name=bill&confirmed=yes", "/language?language=zh"})
    void a_form_without_the_token_or_with_a_wrong_one_is_refused(String address) {
        MockHttpServletRequest without = anna.request("POST", address);
        assertThat(anna.send(without).getStatus()).isEqualTo(403);

        String other = server.visitor("eve", "OPERATOR").token();
        assertThat(anna.token()).isNotEqualTo(other);
        MockHttpServletRequest wrong = anna.request("POST", address);
        wrong.setParameter("joblock-token", other);
        assertThat(anna.send(wrong).getStatus()).isEqualTo(403);
        assertThat(cluster.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cross-site", "same-site"})
    void a_form_of_a_foreign_page_is_refused_even_with_the_token(String site) {
        String token = anna.token();
        MockHttpServletRequest request = anna.request("POST", "/run?name=bill&confirmed=yes");
        request.setParameter("joblock-token", token);
        request.addHeader("Sec-Fetch-Site", site);

        assertThat(anna.send(request).getStatus()).isEqualTo(403);
        assertThat(cluster.asked).isEmpty();
    }

    @Test
    void who_may_only_look_and_who_is_not_logged_in_can_not_act() {
        assertThat(server.visitor("vera", "VIEWER").press("/run?name=bill").getStatus())
                .isEqualTo(403);
        assertThat(server.visitor("vera", "VIEWER").press("/release?name=bill").getStatus())
                .isEqualTo(403);
        ConsoleServer.Visitor nobody = server.visitor(null, "OPERATOR");
        assertThat(nobody.send(nobody.request("POST", "/run?name=bill&confirmed=yes"))
                        .getStatus())
                .isEqualTo(403);
        assertThat(cluster.asked).isEmpty();
    }

    @Test
    void where_spring_security_has_a_token_the_page_carries_that_one() {
        MockHttpServletRequest page = anna.request("GET", "/");
        page.setAttribute("_csrf", new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "the-host-s-token"));
        assertThat(ConsoleServer.content(anna.send(page)))
                .contains("name=\"_csrf\" value=\"the-host-s-token\"")
                .doesNotContain("joblock-token");

        // Its filter has looked at this one before us.
        MockHttpServletRequest form = anna.request("POST", "/run?name=bill&confirmed=yes");
        form.setAttribute("_csrf", new DefaultCsrfToken("X-CSRF-TOKEN", "_csrf", "the-host-s-token"));
        assertThat(anna.send(form).getStatus()).isEqualTo(200);
    }

    @Test
    void an_attribute_that_is_not_spring_security_s_is_no_token() {
        MockHttpServletRequest form = anna.request("POST", "/run?name=bill&confirmed=yes");
        form.setAttribute("_csrf", "anything");

        assertThat(anna.send(form).getStatus()).isEqualTo(403);
    }

    @Test
    void without_a_script_the_question_is_a_page() {
        String token = anna.token();
        MockHttpServletRequest request = anna.request("POST", "/run?name=%3Cb%3E");
        request.setParameter("joblock-token", token);

        String page = ConsoleServer.content(anna.send(request));

        assertThat(page).contains("Run “&lt;b&gt;” now?", "action=\"run?name=%3Cb%3E\"", "name=\"confirmed\"", token);
        assertThat(cluster.asked).isEmpty();
    }

    @Test
    void a_busy_job_shows_its_holder() {
        cluster.held("bill", "<beta>").answer = OperationResult.refused("'bill' is running on <beta>");

        MockHttpServletResponse response = anna.press("/run?name=bill");

        assertThat(response.getStatus()).isEqualTo(409);
        assertThat(ConsoleServer.content(response))
                .contains("Not done", "It is running on &lt;beta&gt;, for 4.0 s so far", "is running on &lt;beta&gt;")
                .doesNotContain("<beta>");
    }

    @Test
    void a_script_gets_the_answer_alone() {
        String answer = ConsoleServer.content(anna.header("HX-Request", "true").press("/run?name=bill"));

        assertThat(answer).contains("Done", "Started").doesNotContain("<html", "<main");
    }

    @Test
    void redis_away_is_an_answer() {
        cluster.away = true;
        cluster.answer = OperationResult.refused("Redis refused the connection");

        assertThat(anna.press("/run?name=bill").getStatus()).isEqualTo(409);
    }
}
