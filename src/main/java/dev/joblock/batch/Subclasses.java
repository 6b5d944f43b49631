package dev.joblock.batch;

import org.springframework.cglib.core.SpringNamingPolicy;
import org.springframework.cglib.proxy.Callback;
import org.springframework.cglib.proxy.Enhancer;
import org.springframework.cglib.proxy.Factory;
import org.springframework.cglib.proxy.NoOp;
import org.springframework.objenesis.SpringObjenesis;

/**
 * Replaces one of Batch's own launchers by an object of a subclass that overrides {@code run} and is otherwise the same.
 *
 * <p>A proxy would not do: in Batch 6 an operator's {@code start}, {@code restart} and {@code startNextInstance} call
 * {@code run} on {@code this}, where alone job and parameters are known. Stateless.
 */
final class Subclasses {

    private Subclasses() {}

    /** A guarded launcher that takes the place of another one, which must not be used any more. */
    static Object inPlaceOf(Object launcher, RunInterceptor interceptor) {
        Callback[] callbacks = {interceptor, NoOp.INSTANCE};
        Enhancer enhancer = new Enhancer();
        enhancer.setSuperclass(launcher.getClass());
        enhancer.setNamingPolicy(SpringNamingPolicy.INSTANCE);
        enhancer.setCallbackFilter(method -> RunInterceptor.isRun(method) ? 0 : 1);
        enhancer.setCallbackTypes(new Class<?>[] {RunInterceptor.class, NoOp.class});
        Class<?> subclass = enhancer.createClass();
        Object guarded = new SpringObjenesis().newInstance(subclass, false);
        Fields.copy(launcher, guarded);
        ((Factory) guarded).setCallbacks(callbacks);
        return guarded;
    }

    static boolean isGuarded(Object launcher) {
        return launcher instanceof Factory && ((Factory) launcher).getCallback(0) instanceof RunInterceptor;
    }
}
