package org.galerna.link.shm.board;

import static org.galerna.link.shm.file.ControlPageLayout.INTS;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.galerna.memory.AsymmetricFence;
import org.galerna.nativeaccess.memory.RawMemory;
import org.galerna.nativeaccess.thread.Futex;

/**
 * The bell of a rank, as its peers and itself ring it: a word in shared memory whose lowest bit says that somebody
 * sleeps on it, and whose other bits count the rings that have woken somebody. Ringing while nobody sleeps costs one
 * load.
 *
 * <p>Argument for no lost wake-up. A sleeper sets the bit, passes the heavy fence and looks once more at what it waits
 * for ({@link Waiter}); a ringer makes the change visible, passes the light fence and reads the word. By the property
 * of {@link AsymmetricFence} either the sleeper sees the change, or the ringer sees the bit. In the second case the
 * ringer changes the word, unless somebody else has, so that the system does not let the sleeper fall asleep on the
 * value that it expects, and wakes it if it sleeps already. A ringer that finds the bit cleared by another ringer has
 * nothing to do: that one's change of the word came after this one's change of the condition was visible, so that the
 * woken thread sees both.
 */
public final class FutexEvent {
    private static final int SLEEPING = 1;

    private static final Optional<Futex> FUTEX = Futex.instance();

    private final MemorySegment memory;
    private final long offset;
    private final AsymmetricFence fence;

    public FutexEvent(MemorySegment memory, long offset, AsymmetricFence fence) {
        this.memory = memory;
        this.offset = offset;
        this.fence = fence;
    }

    /** Wakes every thread that sleeps on this bell; call it after the change is visible. Does not block. */
    public void ring() {
        fence.light();
        if ((word() & SLEEPING) != 0) {
            wake();
        }
    }

    private int word() {
        return RawMemory.getIntOpaque(memory, offset);
    }

    private void wake() {
        int word;
        while (((word = word()) & SLEEPING) != 0) {
            if (INTS.compareAndSet(memory, offset, word, word + 1)) {
                FUTEX.orElseThrow().wakeAll(memory, offset);
                return;
            }
        }
    }

    /** Says that somebody is about to sleep. Returns the value to sleep on. */
    int announce() {
        while (true) {
            int word = word();
            if ((word & SLEEPING) != 0 || INTS.compareAndSet(memory, offset, word, word | SLEEPING)) {
                return word | SLEEPING;
            }
        }
    }

    /** Says that nobody sleeps, if nobody has rung since {@link #announce} returned this value. */
    void retract(int expected) {
        boolean ignored = INTS.compareAndSet(memory, offset, expected, expected & ~SLEEPING);
    }

    /** Whether somebody has rung since {@link #announce} returned this value. */
    boolean hasRung(int expected) {
        return word() != expected;
    }

    /** Sleeps unless somebody has rung since {@link #announce} returned this value. Holds a carrier thread. */
    void await(int expected, long nanos) {
        FUTEX.orElseThrow().await(memory, offset, expected, nanos);
    }
}
