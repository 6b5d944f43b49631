package dev.joblock.console;

import static dev.joblock.console.Browser.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Takes the pictures of the documentation: {@code -Dconsole.screenshots=../docs}. */
@EnabledIfSystemProperty(named = "console.screenshots", matches = ".+")
class ScreenshotsIT {

    private static final int SLOTS = 32;

    @Test
    void take() throws Exception {
        Path folder = Path.of(System.getProperty("console.screenshots", "target"));
        DemoWork.hold();
        try (DemoRedis redis = new DemoRedis();
                DemoCluster cluster = new DemoCluster(redis, "auditLedger", "mailReport");
                Browser browser = new Browser()) {
            browser.logIn(cluster.address(0), "otto");
            browser.press("rebuildIndex", "Run now");
            browser.find("#ask-yes").click();
            until(() -> assertThat(browser.all(".timeline thead .slot")).hasSizeGreaterThanOrEqualTo(SLOTS));
            browser.open(cluster.address(0));
            shoot(browser, "light", 1280, 1290, folder.resolve("console-light.png"));
            shoot(browser, "dark", 1280, 1290, folder.resolve("console-dark.png"));
            shoot(browser, "light", 375, 1100, folder.resolve("console-phone.png"));
            browser.open(cluster.address(0) + "job?name=sendInvoices"); // some of its runs fail
            shoot(browser, "light", 1280, 900, folder.resolve("console-job.png"));
            shoot(browser, "dark", 375, 780, folder.resolve("console-job-phone.png"));
        } finally {
            DemoWork.letGo();
        }
    }

    private static void shoot(Browser browser, String scheme, int width, int height, Path file) throws Exception {
        browser.size(width, height);
        browser.scheme(scheme);
        until(() -> assertThat(browser.find(".timeline").isDisplayed()).isTrue());
        browser.screenshot(file);
    }
}
