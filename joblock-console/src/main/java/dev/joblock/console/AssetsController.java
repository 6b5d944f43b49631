package dev.joblock.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PropertiesLoaderUtils;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The few files that the page is made of, and no other. Thread-safe. */
@Controller
final class AssetsController {

    static final String PATH = "/assets/";

    private static final MediaType CSS = MediaType.parseMediaType("text/css;charset=UTF-8");
    private static final MediaType SCRIPT = MediaType.parseMediaType("text/javascript;charset=UTF-8");
    private static final MediaType SVG = MediaType.parseMediaType("image/svg+xml");

    private final Map<String, Asset> assets;
    private final String version;

    AssetsController() {
        assets = Map.of(
                "console.css", own("console.css", CSS),
                "console.js", own("console.js", SCRIPT),
                "favicon.svg", own("favicon.svg", SVG),
                "htmx.js", read(htmx(), SCRIPT));
        CRC32 sum = new CRC32();
        new TreeMap<>(assets).values().forEach(asset -> sum.update(asset.content));
        version = Long.toHexString(sum.getValue());
    }

    /** Changes with the files, so that a browser may keep them. */
    String version() {
        return version;
    }

    @GetMapping(PATH + "{name}")
    ResponseEntity<byte[]> asset(@PathVariable("name") String name) {
        Asset asset = assets.get(name);
        if (asset == null) {
            return ResponseEntity.status(HttpStatus.NOT_FOUND).build();
        }
        return ResponseEntity.ok()
                .contentType(asset.type)
                .cacheControl(CacheControl.maxAge(Duration.ofDays(1)).cachePrivate())
                .body(asset.content);
    }

    private static Asset own(String name, MediaType type) {
        return read(new ClassPathResource("assets/" + name, AssetsController.class), type);
    }

    /** Its WebJar has the version in the path, and says which one it is. */
    private static Resource htmx() {
        ClassLoader loader = AssetsController.class.getClassLoader();
        try {
            Properties jar = PropertiesLoaderUtils.loadProperties(
                    new ClassPathResource("META-INF/maven/org.webjars.npm/htmx.org/pom.properties", loader));
            return new ClassPathResource(
                    "META-INF/resources/webjars/htmx.org/" + jar.getProperty("version") + "/dist/htmx.min.js", loader);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The console needs the WebJar org.webjars.npm:htmx.org on the class path", e);
        }
    }

    private static Asset read(Resource resource, MediaType type) {
        try {
            return new Asset(resource.getContentAsByteArray(), type);
        } catch (IOException e) {
            throw new UncheckedIOException(resource + " can't be read; it is part of joblock-console", e);
        }
    }

    private static final class Asset {

        private final byte[] content;
        private final MediaType type;

        Asset(byte[] content, MediaType type) {
            this.content = content;
            this.type = type;
        }
    }
}
