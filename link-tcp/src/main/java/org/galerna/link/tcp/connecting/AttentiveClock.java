package org.galerna.link.tcp.connecting;

/**
 * Time that a thread has had to see what happens, in nanoseconds. What passes while it cannot run, because its process is
 * stopped or the processors are busy, hardly counts: the answers that have come meanwhile are not late, since nobody has
 * looked. Used by one thread.
 */
public final class AttentiveClock {
    private final long mostPerLook;
    private long seen;
    private long now;

    /**
     * Stands at 0.
     *
     * @param mostPerLook nanoseconds that count at most from one look to the next
     * @param time the time by {@link System#nanoTime}, as in {@link #look}
     */
    public AttentiveClock(long mostPerLook, long time) {
        this.mostPerLook = mostPerLook;
        this.seen = time;
    }

    /** Looks at the time. */
    public void look(long time) {
        now += Math.min(time - seen, mostPerLook);
        seen = time;
    }

    /** The time of the last look. */
    public long now() {
        return now;
    }
}
