package org.galerna.link.threads;

import java.util.concurrent.atomic.AtomicReference;
import org.galerna.memory.EarlyClasses;
import org.jspecify.annotations.Nullable;

/**
 * The copies that threads of one rank are asked to help with while they wait: one at a time. Others that are begun
 * meanwhile are carried out by those who begin them alone. Any thread may call; nothing is allocated while one copy
 * follows the other.
 */
final class HelpedCopies {
    static {
        EarlyClasses.initialize(CooperativeCopy.class);
    }

    private final AtomicReference<@Nullable CooperativeCopy> wanted = new AtomicReference<>();

    /** For the next copy that is begun. */
    private final AtomicReference<@Nullable CooperativeCopy> idle = new AtomicReference<>();

    /**
     * Copies, on the calling thread and on one that {@linkplain #assist assists}.
     *
     * @throws RuntimeException that copying a piece has thrown, on whatever thread
     */
    void copy(Object source, Object target, long length, boolean initiatorInFront) {
        CooperativeCopy former = idle.getAndSet(null);
        CooperativeCopy copy = former == null ? new CooperativeCopy() : former;
        copy.begin(source, target, length, initiatorInFront);
        boolean offered = wanted.compareAndSet(null, copy);
        try {
            copy.complete();
        } finally {
            if (offered) {
                wanted.compareAndSet(copy, null);
            }
            if (copy.end()) {
                idle.set(copy);
            }
        }
    }

    /** Helps with the copy that is wanted, if there is one. Returns true if a part of it was copied. */
    boolean assist() {
        CooperativeCopy copy = wanted.getAcquire();
        if (copy == null) {
            return false;
        }
        copy.enter();
        // it may be for another message by now, or for none; see the argument at CooperativeCopy
        boolean isWanted = wanted.get() == copy;
        boolean worked = isWanted && copy.help();
        if (isWanted) {
            wanted.compareAndSet(copy, null);
        }
        copy.leave();
        return worked;
    }
}
