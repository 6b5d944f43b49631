package dev.joblock.cluster.faults;

import dev.joblock.cluster.Child;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Halts processes and lets them go on. Stateless. */
final class Signals {

    private Signals() {}

    /** Sends SIGSTOP: the process stands still, and nothing of it knows. */
    static void halt(Child child) {
        send("STOP", child);
    }

    /** Sends SIGCONT. */
    static void goOn(Child child) {
        send("CONT", child);
    }

    private static void send(String signal, Child child) {
        try {
            int exit = new ProcessBuilder(
                            "kill", "-" + signal, String.valueOf(child.handle().pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException(
                        "kill -" + signal + " of " + child.handle().pid() + " gave " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
