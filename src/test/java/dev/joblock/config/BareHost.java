package dev.joblock.config;

import org.springframework.context.support.GenericXmlApplicationContext;

/** Hosts that are started where libraries are missing; called by {@link HidingClassLoader}. */
public final class BareHost {

    private BareHost() {}

    /** The ids of all beans of a host with connections of its own. */
    public static String[] ids() {
        String factory = "<bean id=\"hosts\" class=\"" + HostConnectionFactory.class.getName() + "\"/>";
        try (GenericXmlApplicationContext context = Host.of(factory + Host.IMPORT)
                .environment("joblock.redis.connection-factory", "hosts")
                .start()) {
            return context.getBeanDefinitionNames();
        }
    }

    /** Why a host without connections of its own does not start. */
    public static String failure() {
        return Host.importing().failure();
    }
}
