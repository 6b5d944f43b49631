package dev.joblock.redis;

import java.util.ArrayList;
import java.util.List;

/** Leads through a tree of choices that is only known by walking it: each walk is another one, until all have been. */
final class OrderTree {
    private final List<Integer> chosen = new ArrayList<>();
    private final List<Integer> of = new ArrayList<>();
    private int depth;

    /** Which of so many choices this walk takes next. */
    int choose(int choices) {
        if (depth == chosen.size()) {
            chosen.add(0);
            of.add(choices);
        }
        return chosen.get(depth++);
    }

    /** Ends a walk; false if it was the last. */
    boolean next() {
        depth = 0;
        while (!chosen.isEmpty()) {
            int last = chosen.size() - 1;
            if (chosen.get(last) + 1 < of.get(last)) {
                chosen.set(last, chosen.get(last) + 1);
                return true;
            }
            chosen.remove(last);
            of.remove(last);
        }
        return false;
    }
}
