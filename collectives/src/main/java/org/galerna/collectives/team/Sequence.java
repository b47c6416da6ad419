package org.galerna.collectives.team;

import java.util.function.Supplier;
import org.galerna.device.Compound;
import org.galerna.device.Device;
import org.galerna.link.Collective;
import org.jspecify.annotations.Nullable;

/**
 * Two operations of which the second becomes known when the first is done: what it looks like may depend on what the
 * first has brought, such as lengths.
 */
public final class Sequence implements Compound {
    private final Supplier<@Nullable Compound> following;

    /** What is under way; written by one thread at a time, see {@link Compound}; others look at it for reports. */
    private volatile @Nullable Compound current;

    private volatile boolean over;
    private boolean atSecond; // one thread at a time, each call after the one before

    /**
     * A sequence.
     *
     * @param first null if there is nothing to do
     * @param following gives the second one, or null if there is nothing to do; called once, by the thread that finishes
     *     the first, and must not block
     */
    public Sequence(@Nullable Compound first, Supplier<@Nullable Compound> following) {
        this.current = first;
        this.following = following;
    }

    @Override
    public boolean advance() {
        boolean moved = false;
        while (!over) {
            Compound present = current;
            if (present != null) {
                moved |= present.advance();
                if (!present.isOver()) {
                    return moved;
                }
            }
            moved = true;
            if (atSecond) {
                over = true;
            } else {
                atSecond = true;
                current = following.get();
            }
        }
        return moved;
    }

    @Override
    public boolean isOver() {
        return over;
    }

    @Override
    public String operation() {
        Compound present = current;
        return present == null ? "non-blocking collective" : present.operation();
    }

    @Override
    public @Nullable Collective collective() {
        Compound present = current;
        return present == null ? null : present.collective();
    }

    @Override
    public int awaitedPeer() {
        Compound present = current;
        return present == null ? Device.ANY_SOURCE : present.awaitedPeer();
    }
}
