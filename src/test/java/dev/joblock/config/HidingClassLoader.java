package dev.joblock.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A class path that lacks libraries: loads the kit and Spring anew from the parent's files, and hides some packages. */
final class HidingClassLoader extends ClassLoader {

    private static final List<String> ANEW =
            List.of("dev.joblock.", "org.springframework.", "org.quartz.", "redis.clients.");

    private final List<String> hidden;

    private HidingClassLoader(List<String> hidden) {
        super(HidingClassLoader.class.getClassLoader());
        this.hidden = hidden;
    }

    /** Calls a public static method of a public class as it is where packages with these prefixes are missing. */
    static @Nullable Object call(Class<?> type, String method, String... hidden) throws ReflectiveOperationException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        ClassLoader loader = new HidingClassLoader(List.of(hidden));
        thread.setContextClassLoader(loader);
        try {
            return loader.loadClass(type.getName()).getMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError(e.getTargetException());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (hidden.stream().anyMatch(name::startsWith)) {
            throw new ClassNotFoundException(name);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found != null) {
                return found;
            }
            return ANEW.stream().anyMatch(name::startsWith) ? define(name) : super.loadClass(name, resolve);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
