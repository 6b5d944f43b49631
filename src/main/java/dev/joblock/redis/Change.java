package dev.joblock.redis;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** What one step writes to a record: fields to set, fields to remove. The key's expiry follows from the result. */
final class Change {

    private final Map<String, String> set = new LinkedHashMap<>();
    private final Set<String> remove = new LinkedHashSet<>();

    Change set(String field, String value) {
        set.put(field, value);
        remove.remove(field);
        return this;
    }

    Change set(String field, long value) {
        return set(field, Long.toString(value));
    }

    Change remove(String field) {
        remove.add(field);
        set.remove(field);
        return this;
    }

    boolean isEmpty() {
        return set.isEmpty() && remove.isEmpty();
    }

    Map<String, String> toSet() {
        return set;
    }

    Set<String> toRemove() {
        return remove;
    }

    LockRecord applyTo(LockRecord record) {
        Map<String, String> fields = new LinkedHashMap<>(record.fields());
        fields.putAll(set);
        fields.keySet().removeAll(remove);
        return new LockRecord(fields);
    }
}
