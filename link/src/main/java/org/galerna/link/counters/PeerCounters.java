package org.galerna.link.counters;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.galerna.nativeaccess.RawMemory;
import org.jspecify.annotations.Nullable;

/**
 * Counts what goes to one peer and comes from it. What is sent is counted by one thread at a time, and so is what is
 * received; see {@link CountersLayout}. The row is taken when there is something to count, so that a peer that nobody talks
 * to takes no room in the file.
 */
public final class PeerCounters {
    private final RankCounters counters;
    private final int peer;

    /** The same for all threads, whichever asks first: see {@link RankCounters#row}. */
    private @Nullable MemorySegment row;

    /** Of the row, if that is this peer's alone and can be written without checks; else 0. Its memory lives as long as the counters. */
    private long address;

    PeerCounters(RankCounters counters, int peer) {
        this.counters = counters;
        this.peer = peer;
    }

    private void add(int at, long number, long bytes) {
        long known = address;
        if (known != 0) {
            try {
                RawMemory.addLong(known + at, number);
                RawMemory.addLong(known + at + CountersLayout.BYTES, bytes);
            } finally {
                Reference.reachabilityFence(this);
            }
        } else {
            addSlowly(at, number);
            addSlowly(at + CountersLayout.BYTES, bytes);
        }
    }

    private void addSlowly(int at, long by) {
        MemorySegment of = row();
        if (counters.isCommon(of)) {
            addAtomically(of, at, by);
        } else {
            RawMemory.addLong(of, at, by);
        }
    }

    private MemorySegment row() {
        MemorySegment known = row;
        if (known != null) {
            return known;
        }
        MemorySegment taken = counters.row(peer);
        row = taken;
        if (!counters.isCommon(taken) && RawMemory.reaches(taken)) {
            address = taken.address();
        }
        return taken;
    }

    static void addAtomically(MemorySegment of, long at, long by) {
        long unused = (long) CountersLayout.LONGS.getAndAdd(of, at, by);
    }

    /** A message is on its way, with its bytes. */
    public void sent(int context, long bytes) {
        add(CountersLayout.SENT + CountersLayout.ofKind(context), 1, bytes);
    }

    /** A message is announced, whose bytes the receiver fetches. */
    public void announced(int context, long bytes) {
        sent(context, bytes);
        add(CountersLayout.ANNOUNCED, 1, bytes);
    }

    /** A message could not be sent with its bytes for lack of credit. */
    public void stalled() {
        addSlowly(CountersLayout.STALLS, 1);
    }

    /** Messages have come, with their bytes. */
    public void received(int context, long messages, long bytes) {
        add(CountersLayout.RECEIVED + CountersLayout.ofKind(context), messages, bytes);
    }

    /** The announcement of a message has come. */
    public void receivedAnnouncement(int context, long bytes) {
        received(context, 1, bytes);
        add(CountersLayout.RECEIVED_ANNOUNCED, 1, bytes);
    }

    /** A message has come before its receive. */
    public void unexpected() {
        addSlowly(CountersLayout.UNEXPECTED, 1);
    }

    /** Messages sent and received so far; a racy look. */
    public long moves() {
        MemorySegment known = row;
        long count = 0;
        if (known != null) {
            for (int kind = 0; kind < 4; kind++) {
                int at = CountersLayout.ofKind(kind);
                count += (long) CountersLayout.LONGS.getOpaque(known, (long) CountersLayout.SENT + at);
                count += (long) CountersLayout.LONGS.getOpaque(known, (long) CountersLayout.RECEIVED + at);
            }
        }
        return count;
    }
}
