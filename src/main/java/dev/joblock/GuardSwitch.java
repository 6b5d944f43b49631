package dev.joblock;

/** Switches the guard of an adapter on and off while the application runs. Implementations are thread-safe. */
public interface GuardSwitch {

    /**
     * Whether jobs are guarded.
     *
     * @return false if each runs on every node
     */
    boolean isGuarding();

    /**
     * Switches the guard of this node on or off, until the next start. Off, its jobs run here whatever other nodes do.
     *
     * @param guarding true to guard
     */
    void setGuarding(boolean guarding);
}
