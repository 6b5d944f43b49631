package dev.joblock.batch;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Fields of Batch's launchers and operators, which have setters and no getters. Stateless. */
final class Fields {

    private Fields() {}

    /** A field's value; null if there is no such field, or it holds something else. */
    static <T> @Nullable T read(Object object, String name, Class<T> type) {
        Field field = ReflectionUtils.findField(object.getClass(), name);
        if (field == null) {
            return null;
        }
        ReflectionUtils.makeAccessible(field);
        Object value = ReflectionUtils.getField(field, object);
        return type.isInstance(value) ? type.cast(value) : null;
    }

    static void write(Object object, String name, Object value) {
        Field field = ReflectionUtils.findField(object.getClass(), name);
        if (field == null) {
            throw new IllegalStateException(object.getClass().getName() + " has no field '" + name + "'");
        }
        ReflectionUtils.makeAccessible(field);
        ReflectionUtils.setField(field, object, value);
    }

    /** Gives an object of a subclass all that another one has. */
    static void copy(Object from, Object to) {
        for (Class<?> type = from.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    ReflectionUtils.setField(field, to, ReflectionUtils.getField(field, from));
                }
            }
        }
    }
}
