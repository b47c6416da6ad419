package org.galerna.link.shm;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.galerna.link.EndOfProcess;
import org.galerna.link.PeerTimeout;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a process that shows its peers that it lives, and looks whether they do. It has no part in moving
 * data. When the JVM ends without closing its links, they are closed here.
 */
final class Watch {
    /** Time between two looks, in milliseconds. */
    static final long LOOK_MILLIS = 100;

    /** However impatient: a process that works does not come to show that it lives at every look. */
    private static final int LEAST_LOOKS = 10;

    private static final Watch INSTANCE = new Watch();

    private final List<ShmLink> links = new CopyOnWriteArrayList<>();
    private @Nullable Thread thread; // guarded by this, as the next one
    private boolean hooked;

    private Watch() {}

    static Watch instance() {
        return INSTANCE;
    }

    /** Looks without a sign of life after which one rank says so, from {@link PeerTimeout}; a second's at least. */
    static int patience() {
        return Math.max(LEAST_LOOKS, (int) (TimeUnit.NANOSECONDS.toMillis(PeerTimeout.nanos()) / LOOK_MILLIS));
    }

    synchronized void add(ShmLink link) {
        links.add(link);
        if (thread == null) {
            thread = Thread.ofPlatform()
                    .daemon()
                    .name("galerna-shm-watch")
                    .inheritInheritableThreadLocals(false)
                    .start(this::run);
        }
        if (!hooked) {
            hooked = true;
            hook();
        }
    }

    private void hook() {
        try {
            EndOfProcess.add(this::leaveAll);
        } catch (IllegalStateException endingAlready) {
            // then the files are removed by the next start
        }
    }

    /** The process ends in order: so have its ranks, even if they have not closed their links. */
    private void leaveAll() {
        for (ShmLink link : links) {
            link.close();
        }
    }

    void remove(ShmLink link) {
        links.remove(link);
    }

    private void run() {
        long period = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
        long next = System.nanoTime();
        while (mayGoOn()) {
            // those of one job share a board; where there are several, calls to the others are heard with the next look
            Optional<Board> board = links.stream().findFirst().map(ShmLink::board);
            int calls = board.map(Board::calls).orElse(0);
            links.forEach(ShmLink::hearCall);
            long now = System.nanoTime();
            if (now - next >= 0) {
                links.forEach(ShmLink::watch);
                next = now + period;
            }
            long left = next - now;
            board.ifPresent(each -> each.awaitCall(calls, left));
        }
    }

    /** False, and over, if there are no links any more. */
    private synchronized boolean mayGoOn() {
        if (links.isEmpty()) {
            thread = null;
        }
        return thread != null;
    }
}
