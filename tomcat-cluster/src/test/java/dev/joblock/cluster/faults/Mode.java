package dev.joblock.cluster.faults;

import java.util.List;

/** The guarded jobs of a node, one a lock mode and named after it. Stateless. */
final class Mode {

    static final List<String> ALL = List.of("hash-timestamp", "status-time", "token");

    static final String UNGUARDED = "unguarded";

    private Mode() {}
}
