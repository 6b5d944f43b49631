package dev.joblock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.Lifecycle;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

class JobLockConnectionFactoryBeanTest {

    @Test
    void aClusterIsToldFromASingleServer() {
        RedisClusterConfiguration cluster = new RedisClusterConfiguration(List.of("127.0.0.1:7001"));

        assertThat(JobLockConnectionFactoryBean.isCluster(new JedisConnectionFactory(cluster)))
                .isTrue();
        assertThat(JobLockConnectionFactoryBean.isCluster(
                        new JedisConnectionFactory(new RedisStandaloneConfiguration())))
                .isFalse();
        assertThat(JobLockConnectionFactoryBean.isCluster(new Object())).isFalse();
    }

    @Test
    void theOwnFactoryIsNotStoppedBySpringsLifecycleButWithItsBean() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean("connections", JobLockConnectionFactoryBean.class);
            context.refresh();
            RedisConnectionFactory product = context.getBean("connections", RedisConnectionFactory.class);

            assertThat(product).isSameAs(context.getBean("connections")).isInstanceOf(JedisConnectionFactory.class);
            context.stop();

            if (product instanceof Lifecycle lifecycle) {
                assertThat(lifecycle.isRunning()).isTrue();
                context.getBeanFactory().destroySingletons();
                assertThat(lifecycle.isRunning()).isFalse();
            }
        }
    }

    @Test
    void aLookUpByTypeMakesNoConnections() {
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            context.registerBean(
                    "connections",
                    JobLockConnectionFactoryBean.class,
                    definition -> definition.getPropertyValues().add("connectionFactory", "missing"));
            context.refresh();

            assertThat(context.getBeanNamesForType(RedisConnectionFactory.class, false, true))
                    .containsExactly("connections");
        }
    }
}
