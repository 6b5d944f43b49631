package dev.joblock;

/**
 * Hears that somebody should look at a job. Every bean of this type is called, on a thread of the kit's own; what it throws is
 * logged and goes no further. Of all nodes that see the same, one calls.
 */
public interface JobAlarm {

    /**
     * A job needs to be looked at.
     *
     * @param alarm what is wrong
     */
    void onAlarm(Alarm alarm);
}
