package org.galerna.collectives.team;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.galerna.memory.SlotMemory;
import org.jspecify.annotations.Nullable;

/** The memory that the members of a team share; {@link HeapAreaLayout} says who writes what. */
final class HeapArea {
    private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

    private static final int ENTERED = 1;

    private final int size;
    private final long[] words;
    private final int finished;
    private final int wishes;
    private final int arrivals;
    private final int claims;
    private final int done;
    private final int sleepers;
    private final SlotMemory slots;
    private volatile @Nullable SlotMemory pages;
    private final Publication[] publications;
    private final AtomicReferenceArray<@Nullable Calls> calls;
    private final AtomicReference<@Nullable Failure> failure = new AtomicReference<>();

    /** What a piece of work has thrown on some member. */
    record Failure(long round, int member, Throwable thrown) {}

    HeapArea(int size) {
        this.size = size;
        finished = ENTERED + size;
        wishes = finished + size;
        arrivals = wishes + size;
        claims = arrivals + 1;
        done = claims + 1;
        sleepers = done + 1;
        words = new long[(sleepers + HeapAreaLayout.KINDS + 1) * HeapAreaLayout.WORDS_PER_LINE];
        calls = new AtomicReferenceArray<>(size);
        slots = new SlotMemory((long) size * HeapAreaLayout.SLOTS_STRIDE, HeapAreaLayout.LINE);
        publications = new Publication[size];
        for (int member = 0; member < size; member++) {
            publications[member] = new Publication();
        }
    }

    Publication publication(int member) {
        return publications[member];
    }

    /** A member shows the others what it calls. */
    void register(int member, Calls ofMember) {
        calls.set(member, ofMember);
    }

    /** What a member has called; null if it has not come here yet. */
    @Nullable
    Calls calls(int member) {
        return calls.get(member);
    }

    // ---- words

    private static int at(int word) {
        return word * HeapAreaLayout.WORDS_PER_LINE;
    }

    long entered(int member) {
        return (long) WORDS.getAcquire(words, at(ENTERED + member));
    }

    void enter(int member, long round) {
        WORDS.setRelease(words, at(ENTERED + member), round);
    }

    long finished(int member) {
        return (long) WORDS.getAcquire(words, at(finished + member));
    }

    void finish(int member, long sequence) {
        WORDS.setRelease(words, at(finished + member), sequence);
    }

    long arrivals() {
        return (long) WORDS.getAcquire(words, at(arrivals));
    }

    /** Returns the number of arrivals with this one. */
    long arrive() {
        return (long) WORDS.getAndAdd(words, at(arrivals), 1L) + 1;
    }

    long claims() {
        return (long) WORDS.getAcquire(words, at(claims));
    }

    void replaceClaims(long expected, long replacement) {
        WORDS.compareAndSet(words, at(claims), expected, replacement);
    }

    /** Adds a claim; returns the word without it. */
    long claim(long one) {
        return (long) WORDS.getAndAdd(words, at(claims), one);
    }

    long done() {
        return (long) WORDS.getAcquire(words, at(done));
    }

    void replaceDone(long expected, long replacement) {
        WORDS.compareAndSet(words, at(done), expected, replacement);
    }

    /** Returns the word with this piece. */
    long pieceDone() {
        return (long) WORDS.getAndAdd(words, at(done), 1L) + 1;
    }

    long wish(int member) {
        return (long) WORDS.getAcquire(words, at(wishes + member));
    }

    void wish(int member, long event) {
        WORDS.setRelease(words, at(wishes + member), event);
    }

    boolean hasSleepers(int kind) {
        return (long) WORDS.getOpaque(words, at(sleepers + kind)) != 0;
    }

    void addSleepers(int kind, long number) {
        WORDS.getAndAdd(words, at(sleepers + kind), number);
    }

    // ---- slots and pages

    SlotMemory slots() {
        return slots;
    }

    static long slot(int member, long sequence) {
        return (long) member * HeapAreaLayout.SLOTS_STRIDE
                + (sequence & (HeapAreaLayout.DEPTH - 1)) * HeapAreaLayout.SLOT;
    }

    static long page(int member, long sequence) {
        return ((long) member * HeapAreaLayout.PAGES + (sequence & (HeapAreaLayout.PAGES - 1)))
                * HeapAreaLayout.PAGE_STRIDE;
    }

    long committed(long slot) {
        return slots.getAcquire(slot + HeapAreaLayout.SEQUENCE);
    }

    void commit(long slot, long sequence) {
        slots.setRelease(slot + HeapAreaLayout.SEQUENCE, sequence);
    }

    long header(long slot) {
        return slots.get(slot + HeapAreaLayout.LENGTH);
    }

    void setHeader(long slot, long header) {
        slots.set(slot + HeapAreaLayout.LENGTH, header);
    }

    SlotMemory pages() {
        SlotMemory present = pages;
        return present != null ? present : makePages();
    }

    /** By one member, for all: a thousand that made pages for all at once would take a thousand times the memory. */
    private synchronized SlotMemory makePages() {
        SlotMemory present = pages;
        if (present == null) {
            long bytes = (long) size * HeapAreaLayout.PAGES * HeapAreaLayout.PAGE_STRIDE;
            present = new SlotMemory(bytes, HeapAreaLayout.LINE);
            pages = present;
        }
        return present;
    }

    // ---- failures

    void fail(Failure failed) {
        Failure earlier = failure.get();
        if (earlier == null || earlier.round() != failed.round()) {
            failure.compareAndSet(earlier, failed);
        }
    }

    @Nullable
    Failure failure() {
        return failure.getAcquire();
    }
}
