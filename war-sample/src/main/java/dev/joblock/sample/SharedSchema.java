package dev.joblock.sample;

import javax.sql.DataSource;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.Resource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;

/**
 * Creates the sample's tables at start. All nodes do so at once, and H2's "if not exists" looks and creates in two steps:
 * a node that loses this race runs the script again and then finds everything there.
 */
public class SharedSchema implements InitializingBean {

    private static final int ATTEMPTS = 5;

    private final DataSource dataSource;
    private final ResourceDatabasePopulator script;

    /**
     * A schema.
     *
     * @param dataSource the database
     * @param script statements that may be run again
     */
    public SharedSchema(DataSource dataSource, Resource script) {
        this.dataSource = dataSource;
        this.script = new ResourceDatabasePopulator(script);
    }

    @Override
    public void afterPropertiesSet() {
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
}
