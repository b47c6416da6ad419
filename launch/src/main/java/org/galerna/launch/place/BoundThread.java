package org.galerna.launch.place;

import java.util.BitSet;
import org.galerna.nativeaccess.thread.Affinity;

/** The main thread of a rank on its core. Its own thread binds, loosens and leaves; the watching thread tightens. */
final class BoundThread {
    /** Looks for which a thread stays loose: the one that follows at once must not bind it again. */
    private static final int LOOKS = 2;

    private final Affinity affinity;
    private final BitSet core;
    private final BitSet everywhere;
    /** Looks to come until the thread is bound again; written under the monitor. */
    private volatile int looks;
    // guarded by this
    private int thread;

    BoundThread(Affinity affinity, BitSet core, BitSet everywhere) {
        this.affinity = affinity;
        this.core = core;
        this.everywhere = everywhere;
    }

    /** Binds the calling thread. */
    synchronized void bind() {
        thread = affinity.currentThread();
        affinity.set(Affinity.CALLER, core);
    }

    /** Lets the calling thread, which is the bound one, run everywhere for a while. */
    void loosen() {
        if (looks == 0) {
            synchronized (this) {
                looks = LOOKS;
                affinity.set(Affinity.CALLER, everywhere);
            }
        }
    }

    /** Binds the thread again if it has been loose for long enough. */
    void tighten() {
        if (looks > 0) {
            synchronized (this) {
                if (--looks == 0 && thread != 0) {
                    affinity.set(thread, core);
                }
            }
        }
    }

    /** The thread is about to end, and its number will be another one's. */
    synchronized void leave() {
        thread = 0;
    }

    synchronized boolean is(int number) {
        return thread == number;
    }
}
