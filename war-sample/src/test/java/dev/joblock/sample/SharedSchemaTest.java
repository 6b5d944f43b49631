package dev.joblock.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;

class SharedSchemaTest {

    private static final int NODES = 8;
    private static final int ROUNDS = 30;

    @Test
    void nodesThatStartAtOnceAllFindTheTables() throws Exception {
        ExecutorService nodes = Executors.newFixedThreadPool(NODES);
        try {
            for (int round = 0; round < ROUNDS; round++) {
                JdbcDataSource database = new JdbcDataSource();
                database.setUrl("jdbc:h2:mem:schema" + round + ";DB_CLOSE_DELAY=-1");
                CyclicBarrier together = new CyclicBarrier(NODES);
                List<Future<?>> starts = new ArrayList<>();
                for (int node = 0; node < NODES; node++) {
                    starts.add(nodes.submit(() -> {
                        together.await();
                        new SharedSchema(database, new ClassPathResource("schema.sql")).afterPropertiesSet();
                        return null;
                    }));
                }
                for (Future<?> start : starts) {
                    start.get();
                }
                assertThat(new RunLog(database).recentAnswers(1)).isEmpty();
            }
        } finally {
            nodes.shutdownNow();
        }
    }
}
