package org.galerna.mpi.session;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;

/**
 * The numbers of communicators that one rank can deal out, and those that it uses.
 *
 * <p>Numbers are dealt out to the ranks in turn, so a rank can give a new communicator a number that none has on any rank
 * without asking anybody. When they are used up, those of communicators that have been freed are used again, the one that
 * was freed longest ago first. Then the rank does have to ask: a number is free for a communicator when none of its
 * members uses it any more ({@link #isUsed}), since freeing is a matter of each rank and not all need have come to it.
 *
 * <p>May be used by any thread.
 */
final class ContextNumbers {
    private final int rank;
    private final int ranks;
    private final int first;
    private final int last;
    private long dealt; // guarded by this, as everything below

    /** Numbers that were reserved, and given back before anybody else has learnt of them. */
    private final Deque<Integer> unused = new ArrayDeque<>();

    /** Numbers of this rank whose communicators it has freed, in that order. */
    private final Deque<Integer> freed = new ArrayDeque<>();

    private final BitSet used = new BitSet();

    /**
     * The numbers of a rank.
     *
     * @param first the first number to be dealt out
     * @param last the last one
     */
    ContextNumbers(int rank, int ranks, int first, int last) {
        this.rank = rank;
        this.ranks = ranks;
        this.first = first;
        this.last = last;
    }

    /**
     * A number that no communicator has had.
     *
     * @return -1 if there is none left; see {@link #reuse}
     */
    synchronized int reserve() {
        if (!unused.isEmpty()) {
            return unused.pop();
        }
        long number = first + dealt * ranks + rank;
        if (number > last) {
            return -1;
        }
        dealt++;
        return (int) number;
    }

    /**
     * The number of the communicator that was freed longest ago, for the others to agree to.
     *
     * @throws DeviceException if there is none
     */
    synchronized int reuse() {
        if (freed.isEmpty()) {
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "rank " + rank + " has created " + dealt + " communicators, none of which has been freed; there are"
                            + " no more numbers for a new one");
        }
        return freed.pop();
    }

    /** How many numbers {@link #reuse} can give one after the other. */
    synchronized int reusable() {
        return freed.size();
    }

    /**
     * Takes a number back that no communicator has been given.
     *
     * @param again whether it comes from {@link #reuse}
     */
    synchronized void giveBack(int number, boolean again) {
        if (again) {
            freed.add(number);
        } else {
            unused.push(number);
        }
    }

    /** A communicator of this rank has the number from now on. */
    synchronized void use(int number) {
        used.set(number);
    }

    /** The communicator has been freed. */
    synchronized void free(int number) {
        if (used.get(number)) {
            used.clear(number);
            if (number >= first && (number - first) % ranks == rank) {
                freed.add(number);
            }
        }
    }

    /** Whether a communicator of this rank has the number. */
    synchronized boolean isUsed(int number) {
        return used.get(number);
    }
}
