package org.galerna.link.shm;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.galerna.link.process.EndOfProcess;
import org.galerna.link.shm.attachment.Membership;
import org.galerna.link.shm.board.ControlPage;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of a process that shows its peers that it lives, and looks whether they do. It has no part in moving
 * data. When the JVM ends without closing its links, they are closed here.
 */
final class Watch {
    /** A link whose rank shows that it lives. */
    interface Watched {
        /** Where ranks call each other. */
        ControlPage board();

        /** Has the rank attend to what has come for it, if a peer wants that. */
        void hearCall();

        /** Shows that the rank lives, and looks whether the others do. */
        void watch();

        /** Leaves the job. */
        void close();
    }

    /** Threads of a process that watch. */
    static final int THREADS = 1;

    private static final Watch INSTANCE = new Watch();

    private final List<Watched> links = new CopyOnWriteArrayList<>();
    private @Nullable Thread thread; // guarded by this, as the next one
    private boolean hooked;

    private Watch() {}

    static Watch instance() {
        return INSTANCE;
    }

    synchronized void add(Watched link) {
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
        for (Watched link : links) {
            link.close();
        }
    }

    void remove(Watched link) {
        links.remove(link);
    }

    private void run() {
        long period = TimeUnit.MILLISECONDS.toNanos(Membership.LOOK_MILLIS);
        long next = System.nanoTime();
        while (mayGoOn()) {
            // those of one job share a board; where there are several, calls to the others are heard with the next look
            Optional<ControlPage> board = links.stream().findFirst().map(Watched::board);
            int calls = board.map(ControlPage::calls).orElse(0);
            links.forEach(Watched::hearCall);
            long now = System.nanoTime();
            if (now - next >= 0) {
                links.forEach(Watched::watch);
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
