package org.galerna.nativeaccess.ofi;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What {@link OfiEndpoint#poll} has found. */
public final class OfiCompletions {

    private final int capacity;
    private final MemorySegment entries;
    private final MemorySegment error;

    /** Room for so many. */
    public OfiCompletions(int capacity) {
        this.capacity = capacity;
        this.entries = Arena.ofAuto().allocate((long) capacity * OfiLayout.ENTRY_BYTES, 64);
        this.error = Arena.ofAuto().allocate(OfiLayout.ROOM, 64);
    }

    int capacity() {
        return capacity;
    }

    long entries() {
        return entries.address();
    }

    MemorySegment error() {
        return error;
    }

    /** The context that the operation was started with. */
    public long context(int index) {
        return entries.get(JAVA_LONG, at(index, OfiLayout.ENTRY_CONTEXT));
    }

    /** Bytes that were received. */
    public long length(int index) {
        return entries.get(JAVA_LONG, at(index, OfiLayout.ENTRY_LENGTH));
    }

    private static long at(int index, int field) {
        return (long) index * OfiLayout.ENTRY_BYTES + field;
    }

    /** The context of the operation that has failed, after {@link OfiEndpoint#FAILURE}. */
    public long failedContext() {
        return error.get(JAVA_LONG, OfiLayout.ERROR_CONTEXT);
    }

    /** The number of the reason of its failure. */
    public int failure() {
        return error.get(JAVA_INT, OfiLayout.ERROR_NUMBER);
    }

    /** Whether it was taken back. */
    public boolean wasCancelled() {
        return failure() == OfiLayout.CANCELLED;
    }
}
