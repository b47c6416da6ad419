package org.galerna.sockets.pipe;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.nativeaccess.file.EventCounter;
import org.galerna.nativeaccess.file.SystemCallException;

/**
 * What a selector sleeps on, besides the sockets of plain channels: others of this process ring it, and so do the processes
 * at the other ends of pipes, which it was handed over to. Each selector has its own, and nobody else waits for it: with two
 * that wait, the one that looks first takes the other one's news away. Any thread may call.
 */
public final class WakeupFd {
    /** A connection to a process that rings. */
    public interface Ringer {
        /** Whether that process rings no more. */
        boolean hasEnded();

        /** It is rung no more. */
        void withdraw(WakeupFd rung);
    }

    private static final AtomicInteger NUMBERS = new AtomicInteger();
    private static final Map<Integer, WakeupFd> ALL = new ConcurrentHashMap<>();

    private final EventCounter counter;
    private final int number = NUMBERS.incrementAndGet();
    private final Set<Ringer> known = ConcurrentHashMap.newKeySet();

    /** A new one; throws if no descriptor is left. */
    public WakeupFd() throws SystemCallException {
        this.counter = EventCounter.create();
        ALL.put(number, this);
    }

    /** Rings the one of this process that has that number; false if there is none. */
    public static boolean ring(int number) {
        WakeupFd bell = ALL.get(number);
        if (bell != null) {
            bell.ring();
        }
        return bell != null;
    }

    /** What it is called where it was handed over to; positive. */
    public int number() {
        return number;
    }

    public int descriptor() {
        return counter.descriptor();
    }

    public void ring() {
        counter.ring();
    }

    /** The process at the other end can ring this. */
    public void known(Ringer peer) {
        known.removeIf(Ringer::hasEnded);
        known.add(peer);
    }

    /** Nobody waits for this any more. */
    public void close() {
        ALL.remove(number);
        known.forEach(peer -> peer.withdraw(this));
        counter.close();
    }
}
