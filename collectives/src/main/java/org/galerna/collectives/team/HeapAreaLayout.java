package org.galerna.collectives.team;

/**
 * Where things are in the memory that the members of a team share.
 *
 * <p><b>Words</b>, each on a line of its own in an array of longs:
 *
 * <pre>
 * ENTERED + member    rounds that the member has entered       its member   release   all   acquire
 * FINISHED + member   sequence number of the collective of     its member   release   all   acquire
 *                     slots that the member has finished
 * WISH + member       event that the member sleeps for, or 0        its member   release   all   acquire
 * arrivals            entries of all members together          all          add       all   acquire
 * claims              round, pieces of its work, next piece    all          add, CAS  all   acquire
 * done                round, pieces that are done              all          add, CAS  all   acquire
 * sleepers + kind     members that sleep for such an event     all          add       all   opaque
 * </pre>
 *
 * <p><b>Slots</b>, in memory outside the heap: {@link #DEPTH} of {@link #SLOT} bytes for each member, one after the other, the
 * collective of sequence number {@code n} uses the one at {@code n % DEPTH}. Only the member writes them.
 *
 * <pre>
 * 0   sequence number       release   acquire    commits what follows
 * 8   operation, length     plain     plain
 * 16  bytes, if they fit    plain     plain      else in the member's page
 * </pre>
 *
 * <p><b>Pages</b>, in another such memory, which exists from the first longer value on: {@link #PAGES} of {@link #PAGE} bytes
 * for each member. A page is committed by the slot.
 */
final class HeapAreaLayout {
    /** Two lines, because processors fetch them in pairs. */
    static final int LINE = 128;

    static final int WORDS_PER_LINE = LINE / Long.BYTES;

    /** Kinds of events: rounds, values, and members that have finished. */
    static final int KINDS = 3;

    /** Collectives that a member may be ahead of one that has not read its value yet. */
    static final int DEPTH = 64;

    static final int SLOT = LINE;

    /** From a member's slots to the next one's: not a power of two, as {@link #PAGE_STRIDE}. */
    static final int SLOTS_STRIDE = DEPTH * SLOT + LINE;

    static final int SEQUENCE = 0;
    static final int LENGTH = 8;
    static final int BYTES = 16;

    /** Longest value that lies in its slot. */
    static final int INLINE = SLOT - BYTES;

    static final int PAGES = 4;

    /** Longest value, in bytes. */
    static final int PAGE = 8192;

    /** From page to page: not a power of two, or all would compete for the same places in the cache. */
    static final int PAGE_STRIDE = PAGE + LINE;

    private HeapAreaLayout() {}
}
