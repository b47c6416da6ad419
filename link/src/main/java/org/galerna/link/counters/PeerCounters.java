package org.galerna.link.counters;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.lang.ref.Reference;
import org.galerna.nativeaccess.memory.RawMemory;
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

    /** Of the kind of a context, in the line that begins with these words and figures of before. */
    private void add(int words, int before, int carries, int context, long messages, long bytes) {
        long known = address;
        if (known == 0 || bytes > CountersLayout.MOST_BYTES || messages > CountersLayout.MOST_MESSAGES) {
            addSlowly(before + CountersLayout.beforeOf(context), messages);
            addSlowly(before + CountersLayout.beforeOf(context) + CountersLayout.BYTES, bytes);
            return;
        }
        try {
            long sum = RawMemory.addLong(
                    known + words + CountersLayout.wordOf(context), messages * CountersLayout.ONE_MESSAGE + bytes);
            if ((sum & CountersLayout.HALF_FULL) != 0) {
                carry(known, words, before, carries, context, sum);
            }
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    /** In the order of {@link CountersLayout}: odd number, the figures, even number. One thread at a time. */
    private void carry(long known, int words, int before, int carries, int context, long sum) {
        MemorySegment of = row();
        int number = of.get(CountersLayout.INT, carries) + 1;
        CountersLayout.INTS.setOpaque(of, (long) carries, number);
        VarHandle.storeStoreFence();
        long figures = known + before + CountersLayout.beforeOf(context);
        long unused = RawMemory.addLong(known + words + CountersLayout.wordOf(context), -sum)
                + RawMemory.addLong(figures, sum >>> CountersLayout.BYTES_BITS)
                + RawMemory.addLong(figures + CountersLayout.BYTES, sum & (CountersLayout.ONE_MESSAGE - 1));
        CountersLayout.INTS.setRelease(of, (long) carries, number + 1);
    }

    private void addPair(int at, long messages, long bytes) {
        addSlowly(at, messages);
        addSlowly(at + CountersLayout.BYTES, bytes);
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
        add(CountersLayout.SENT, CountersLayout.SENT_BEFORE, CountersLayout.SENT_CARRIES, context, 1, bytes);
    }

    /** A message is announced, whose bytes the receiver fetches. */
    public void announced(int context, long bytes) {
        sent(context, bytes);
        addPair(CountersLayout.ANNOUNCED, 1, bytes);
    }

    /** A message could not be sent with its bytes for lack of credit. */
    public void stalled() {
        addSlowly(CountersLayout.STALLS, 1);
    }

    /** Messages have come, with their bytes. */
    public void received(int context, long messages, long bytes) {
        add(
                CountersLayout.RECEIVED,
                CountersLayout.RECEIVED_BEFORE,
                CountersLayout.RECEIVED_CARRIES,
                context,
                messages,
                bytes);
    }

    /** The announcement of a message has come. */
    public void receivedAnnouncement(int context, long bytes) {
        received(context, 1, bytes);
        addPair(CountersLayout.RECEIVED_ANNOUNCED, 1, bytes);
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
                int word = CountersLayout.wordOf(kind);
                int before = CountersLayout.beforeOf(kind);
                count += read(known, CountersLayout.SENT + word) >>> CountersLayout.BYTES_BITS;
                count += read(known, CountersLayout.RECEIVED + word) >>> CountersLayout.BYTES_BITS;
                count += read(known, CountersLayout.SENT_BEFORE + before);
                count += read(known, CountersLayout.RECEIVED_BEFORE + before);
            }
        }
        return count;
    }

    private static long read(MemorySegment of, long at) {
        return (long) CountersLayout.LONGS.getOpaque(of, at);
    }
}
