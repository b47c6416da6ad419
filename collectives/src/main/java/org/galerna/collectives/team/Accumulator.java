package org.galerna.collectives.team;

import java.util.Objects;
import org.galerna.collectives.reduction.Reduction;
import org.jspecify.annotations.Nullable;

/**
 * A vector that grows by the vectors of other ranks. It starts as the send vector, which is never written to; the other
 * operand is received into {@link #spare}; and since a reduction leaves its result where its right operand was, the two
 * change places whenever the operand received is the right one. Nothing is copied as long as that can be avoided.
 *
 * <p>All memory has the layout of the vector: an element has the same offset relative to its start everywhere.
 */
public final class Accumulator {
    private final Team team;

    private @Nullable Reduction reduction;
    private int capacity;
    private @Nullable Object current;
    private long currentStart;
    /** False as long as {@code current} is the send vector. */
    private boolean writable;

    private @Nullable Object spare;
    private long spareStart;
    private @Nullable Object third;
    private long thirdStart;

    Accumulator(Team team) {
        this.team = team;
    }

    /**
     * Starts with the send vector of this rank, or in place if that is also the receive vector.
     *
     * @param capacity elements of the vector
     * @param receive memory that may be used, where the result is wanted; null for none
     * @param appends how often {@link #append} will be called; if right, and if not in place, the result ends up in
     *     {@code receive} without a copy
     */
    void start(
            Reduction reduction,
            int capacity,
            Object send,
            long sendOffset,
            @Nullable Object receive,
            long receiveOffset,
            int appends) {
        this.reduction = reduction;
        this.capacity = capacity;
        current = send;
        currentStart = sendOffset;
        writable = send == receive && sendOffset == receiveOffset;
        spare = null;
        spareStart = 0;
        third = null;
        thirdStart = 0;
        if (receive != null && !writable) {
            if ((appends & 1) == 1) {
                spare = receive;
                spareStart = receiveOffset;
            } else {
                third = receive;
                thirdStart = receiveOffset;
            }
        }
    }

    /** Lets go of the vectors of the caller. */
    void forget() {
        reduction = null;
        current = null;
        spare = null;
        third = null;
    }

    /** Memory that holds the current value. */
    public Object current() {
        return Objects.requireNonNull(current);
    }

    /** Byte offset of an element in {@link #current}. */
    public long currentOffset(int element) {
        return currentStart + bytes(element);
    }

    /** Memory to receive the next operand into. */
    public Object spare() {
        if (spare == null) {
            spare = team.scratch(reduction(), capacity);
            spareStart = 0;
        }
        return spare;
    }

    /** Byte offset of an element in {@link #spare}. */
    public long spareOffset(int element) {
        return spareStart + bytes(element);
    }

    /** Combines {@code current (op) spare} in a range of elements; elements outside of it are lost. */
    public void append(int from, int count) {
        Object left = current();
        Object right = spare();
        reduction().apply(left, currentOffset(from), right, spareOffset(from), count);
        long leftStart = currentStart;
        current = right;
        currentStart = spareStart;
        if (writable) {
            spare = left;
            spareStart = leftStart;
        } else {
            spare = third;
            spareStart = thirdStart;
            writable = true;
        }
    }

    /** Combines {@code spare (op) current} in a range of elements; elements outside of it are lost. */
    public void prepend(int from, int count) {
        if (!writable) {
            copyCurrent(from, count);
        }
        reduction().apply(spare(), spareOffset(from), current(), currentOffset(from), count);
    }

    private void copyCurrent(int from, int count) {
        Object copy = third;
        if (copy == null) {
            // distinct from the spare, which is taken before
            spare();
            copy = team.scratch(reduction(), capacity);
            thirdStart = 0;
        }
        team.copy(current(), currentOffset(from), copy, thirdStart + bytes(from), bytes(count));
        current = copy;
        currentStart = thirdStart;
        writable = true;
    }

    /** Copies a range of elements to where they are wanted, unless they are there. */
    public void copyTo(Object target, long targetOffset, int from, int count) {
        team.copyUnlessSame(current(), currentOffset(from), target, targetOffset, bytes(count));
    }

    private long bytes(int elements) {
        return (long) elements * reduction().elementSize();
    }

    private Reduction reduction() {
        return Objects.requireNonNull(reduction);
    }
}
