package dev.joblock.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;

/**
 * Creates the sample's tables and those of Spring Batch at start. All nodes do so at once, and H2's "if not exists" looks
 * and creates in two steps: a node that loses this race runs the script again and then finds everything there.
 */
public class SharedSchema implements InitializingBean {

    private static final int ATTEMPTS = 10;

    /** Spring Batch's own script can be run once only. */
    private static final Pattern CREATE = Pattern.compile("CREATE (TABLE|SEQUENCE) (?!IF NOT EXISTS)");

    private final DataSource dataSource;
    private final List<ResourceDatabasePopulator> scripts = new ArrayList<>();

    /**
     * A schema.
     *
     * @param dataSource the database
     * @param scripts statements that create tables, sequences and views
     */
    public SharedSchema(DataSource dataSource, Resource... scripts) {
        this.dataSource = dataSource;
        for (Resource script : scripts) {
            this.scripts.add(new ResourceDatabasePopulator(repeatable(script)));
        }
    }

    @Override
    public void afterPropertiesSet() {
        scripts.forEach(this::run);
    }

    private void run(ResourceDatabasePopulator script) {
        for (int attempt = 1; ; attempt++) {
            try {
                script.execute(dataSource);
                return;
            } catch (ScriptException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static Resource repeatable(Resource script) {
        try {
            String text = script.getContentAsString(StandardCharsets.UTF_8);
            return new ByteArrayResource(
                    CREATE.matcher(text).replaceAll("CREATE $1 IF NOT EXISTS ").getBytes(StandardCharsets.UTF_8),
                    script.getDescription());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
