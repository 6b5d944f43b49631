package dev.joblock.cluster.faults;

import org.springframework.context.support.ClassPathXmlApplicationContext;

/** A node: a plain Spring application with jobs, started by the suite as a process of its own. */
public final class FaultNode {

    private FaultNode() {}

    /**
     * Starts the application; it ends with SIGTERM.
     *
     * @param arguments the XML file on the class path
     */
    @SuppressWarnings("resource") // closed by its own shutdown hook
    public static void main(String[] arguments) {
        ClassPathXmlApplicationContext context = new ClassPathXmlApplicationContext(arguments[0]);
        context.registerShutdownHook();
        context.getBean(Journal.class).ready(ProcessHandle.current().pid());
    }
}
