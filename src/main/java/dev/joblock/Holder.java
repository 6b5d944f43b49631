package dev.joblock;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who holds a lease: a node, and the nonce of this one acquisition. Two acquisitions of one node are two holders.
 *
 * <p>Immutable and thread-safe.
 */
public final class Holder {

    private final String node;
    private final String nonce;

    /**
     * A holder.
     *
     * @param node the id of the node
     * @param nonce a random text that no other acquisition has
     */
    public Holder(String node, String nonce) {
        this.node = Objects.requireNonNull(node);
        this.nonce = Objects.requireNonNull(nonce);
    }

    /**
     * The node's id.
     *
     * @return for example {@code app1:8081/shop-3f2a}
     */
    public String node() {
        return node;
    }

    /**
     * What tells this acquisition from every other.
     *
     * @return a random text
     */
    public String nonce() {
        return nonce;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Holder && node.equals(((Holder) other).node) && nonce.equals(((Holder) other).nonce);
    }

    @Override
    public int hashCode() {
        return nonce.hashCode();
    }

    @Override
    public String toString() {
        return node + " (" + nonce + ")";
    }
}
