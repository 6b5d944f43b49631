package dev.joblock.scheduling;

import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Reads what Spring keeps to itself, by type rather than by name. Stateless. */
final class Fields {

    private Fields() {}

    /** The value of the one field of a type that a class declares; null if there is none, or it can't be read. */
    static <T> @Nullable T read(Object object, Class<?> declaring, Class<T> type) {
        for (Field field : declaring.getDeclaredFields()) {
            if (field.getType() == type && !field.isSynthetic()) {
                try {
                    ReflectionUtils.makeAccessible(field);
                    return type.cast(field.get(object));
                } catch (IllegalAccessException | RuntimeException e) {
                    return null;
                }
            }
        }
        return null;
    }
}
