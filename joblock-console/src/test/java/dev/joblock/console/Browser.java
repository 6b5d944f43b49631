package dev.joblock.console;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.opentest4j.TestAbortedException;

/** A headless Chromium with a fresh profile. */
final class Browser implements AutoCloseable {

    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChromeDriver driver;

    Browser() {
        requireInstalled();
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--hide-scrollbars",
                "--lang=en-US",
                "--window-size=1280,900");
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    /** Skips on a machine without the browser; fails where tests are there to be run. */
    private static void requireInstalled() {
        if (Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER)) {
            return;
        }
        String why = "No " + CHROMIUM + " and " + DRIVER + ": apt-get install chromium chromium-driver";
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionError(why);
        }
        throw new TestAbortedException(why);
    }

    /** As if it had never been here. */
    void forget() {
        driver.get("about:blank");
        driver.executeCdpCommand("Network.clearBrowserCookies", Map.of());
        driver.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        complaints();
    }

    void open(String address) {
        driver.get(address);
    }

    void logIn(String address, String person) {
        open(address);
        driver.findElement(By.name("username")).sendKeys(person);
        driver.findElement(By.name("password")).sendKeys(person, Keys.ENTER);
        until(() -> find("#live"));
        complaints(); // of the log-in page, which is not ours
    }

    WebElement find(String css) {
        return driver.findElement(By.cssSelector(css));
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** The row of a job in the list. */
    WebElement row(String job) {
        return all(".jobs tbody tr").stream()
                .filter(row -> row.findElement(By.cssSelector("th a")).getText().equals(job))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No row for " + job));
    }

    /** A button of a job, which a renewal of the page may replace at any time. */
    void press(String job, String label) {
        until(() -> row(job).findElements(By.cssSelector("button")).stream()
                .filter(button -> button.getText().equals(label))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No button " + label))
                .click());
        until(() -> {
            if (!find("#ask").isDisplayed()) {
                throw new AssertionError("No question");
            }
        });
    }

    @Nullable
    Object script(String text, Object... values) {
        return driver.executeScript(text, values);
    }

    void keys(CharSequence... keys) {
        driver.switchTo().activeElement().sendKeys(keys);
    }

    String activeId() {
        return String.valueOf(driver.switchTo().activeElement().getDomProperty("id"));
    }

    String text() {
        return find("body").getText();
    }

    String title() {
        return String.valueOf(driver.getTitle());
    }

    String url() {
        return String.valueOf(driver.getCurrentUrl());
    }

    ChromeDriver driver() {
        return driver;
    }

    /** As large as a phone, or as a screen. */
    void size(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
    }

    void scheme(String lightOrDark) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark))));
    }

    /** What the browser complained about, a refused script or style among them. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }

    void screenshot(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
    }

    /** Waits until it neither throws nor fails; an element may be replaced while it is looked at. */
    static void until(ThrowingRunnable attempt) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .untilAsserted(attempt);
    }

    @Override
    public void close() {
        driver.quit();
    }
}
