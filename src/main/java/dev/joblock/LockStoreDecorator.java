package dev.joblock;

/** Puts something around each store, such as a measurement. Beans of this type are applied when the service is made. */
public interface LockStoreDecorator {

    /**
     * Decorates a store.
     *
     * @param store the store
     * @param mode the mode that it is for
     * @return a store that gives the same answers
     */
    LockStore decorate(LockStore store, LockMode mode);
}
