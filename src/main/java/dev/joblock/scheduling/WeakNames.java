package dev.joblock.scheduling;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names of objects by identity, which keep no object alive. Thread-safe. */
final class WeakNames {

    private final Map<Key, String> names = new HashMap<>();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    synchronized void put(Object object, String name) {
        for (Reference<?> key = gone.poll(); key != null; key = gone.poll()) {
            names.remove(key);
        }
        names.put(new Key(object, gone), name);
    }

    synchronized @Nullable String get(Object object) {
        return names.get(new Key(object, null));
    }

    synchronized void remove(Object object) {
        names.remove(new Key(object, null));
    }

    /** Equal to those of the same object, and to itself when that is gone. */
    private static final class Key extends WeakReference<Object> {

        private final int hash;

        Key(Object object, @Nullable ReferenceQueue<Object> queue) {
            super(object, queue);
            this.hash = System.identityHashCode(object);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            Object mine = get();
            return this == other || (other instanceof Key && mine != null && mine == ((Key) other).get());
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
