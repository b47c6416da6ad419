package org.galerna.device;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.RankMonitor.Blocked;

/** Which threads of the rank sleep in which call. Written only when a thread goes to sleep. */
final class BlockedCalls {
    private final Map<Thread, Waited> waiting = new ConcurrentHashMap<>();
    private volatile boolean givenUp;

    void enter(Waited what) {
        waiting.put(Thread.currentThread(), what);
    }

    void leave() {
        waiting.remove(Thread.currentThread());
    }

    /** Ends all waiting, now and later. */
    void giveUp() {
        givenUp = true;
    }

    /** To be asked by a thread that has entered, before it goes to sleep. */
    void failIfGivenUp(Waited what) {
        if (givenUp) {
            leave();
            throw new DeviceException(ErrorClass.OTHER, what.operation() + " has ended, because the job is over");
        }
    }

    List<Blocked> list() {
        return waiting.entrySet().stream()
                .map(entry -> new Blocked(
                        entry.getKey(),
                        entry.getValue().operation(),
                        entry.getValue().awaitedPeer()))
                .toList();
    }
}
