package org.galerna.device;

import org.galerna.link.counters.WaitKind;

/**
 * A condition on memory that ranks of one JVM share, which one thread waits for. Nothing that it looks at is announced by
 * a message; so whoever changes that memory looks whether somebody sleeps, and calls {@link SharedHeap#wakeUp}.
 *
 * <p>Order: the waiter calls {@link #announceSleep}, passes the heavy side of
 * {@link SharedHeap#sleepFence} and looks once more; the other side makes its change, passes the light side and
 * looks for announcements. One of them sees the other.
 */
public interface SharedCondition extends Waited {
    @Override
    default WaitKind waitKind() {
        return WaitKind.COLLECTIVE;
    }

    /** Whether this cannot come true any more, as it is, if that rank leaves the job. */
    boolean needs(int rank);

    /** From now on those who change the memory have to call {@link SharedHeap#wakeUp}. */
    void announceSleep();

    /** Takes {@link #announceSleep} back. */
    void retractSleep();
}
