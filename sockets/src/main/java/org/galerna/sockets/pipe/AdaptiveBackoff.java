package org.galerna.sockets.pipe;

/**
 * How long a thread looks for what it waits for before it sleeps. Looking pays while the other end runs on another core and
 * answers sooner than a sleeping thread is woken. For one thread at a time.
 *
 * <p>The time is learnt. After a look that has found something the next one may take twice as long as that took; after one
 * that was in vain the next one takes half as long, down to none. While both ends sleep, no answer comes sooner than they
 * are woken, so that it is not seen from short looks whether long ones would pay. Therefore, when a wait was short all the
 * same but longer than the look, a longer one is tried, twice as long as that wait, which outlasts the other end's waking up
 * (in a virtual machine 45 µs where a processor has gone idle): at once, and then ever more rarely as long as that is in
 * vain. When something is found there, this end is patient for as many waits as the other one needs to try the same: that
 * one gets its answers at once and finds out.
 *
 * <p>Ends that share a processor would look in vain: the one runs when the other one sleeps. Yet the system wakes a thread
 * on another processor that is idle, if this one is busy; so that a look now and then, less often, is what parts the two.
 * Where that does not part them, as when they are bound to one processor, it is tried less and less often.
 */
public final class AdaptiveBackoff {
    private static final long USUAL_NANOS = 20_000;
    private static final long LONGEST_NANOS = 50_000;
    private static final long LEAST_NANOS = 1_000;

    /** A wait, with what was slept, after which it may pay to have looked. */
    private static final long SHORT_NANOS = 200_000;

    private static final int FIRST_TRIAL = 1;
    private static final int LAST_TRIAL = 16;
    private static final int PATIENT_WAITS = 2 * LAST_TRIAL;
    private static final int FIRST_SHARED_TRIAL = 64;
    private static final int LAST_SHARED_TRIAL = 8192;

    private long nanos = USUAL_NANOS;
    private long lastWait; // with what was slept; 0 if something was found meanwhile, or none was yet
    private long trialNanos; // of a trial that was of use, while this is patient
    private int patientWaits;
    private int skipped; // waits that could have been trials
    private int trial = FIRST_TRIAL;
    private int sharedTrial = FIRST_SHARED_TRIAL;

    /**
     * Looks for a while; true as soon as the condition holds.
     *
     * @param shared whether the other end was last seen on the processor of this thread
     */
    public boolean until(WaitCondition condition, boolean shared) {
        long limit = shared ? 0 : nanos;
        boolean patient = !shared && patientWaits > 0;
        boolean tries = false;
        if (patient) {
            patientWaits--;
            limit = Math.max(nanos, trialNanos);
        } else if (limit < lastWait) {
            tries = isTrial(shared);
            limit = !tries ? limit : shared ? LONGEST_NANOS : Math.clamp(2 * lastWait, LONGEST_NANOS, SHORT_NANOS);
        }
        long taken = limit == 0 ? limit : look(condition, limit);
        if (taken < limit) {
            nanos = Math.clamp(2 * taken, USUAL_NANOS, LONGEST_NANOS);
            lastWait = 0;
            trial = FIRST_TRIAL;
            sharedTrial = FIRST_SHARED_TRIAL;
            if (tries && !shared) {
                trialNanos = limit;
                patientWaits = PATIENT_WAITS;
            }
            return true;
        }
        if (tries && shared) {
            sharedTrial = Math.min(2 * sharedTrial, LAST_SHARED_TRIAL);
        } else if (tries) {
            trial = Math.min(2 * trial, LAST_TRIAL);
        }
        if (!shared && !patient) {
            nanos = nanos / 2 < LEAST_NANOS ? 0 : nanos / 2;
        }
        return false;
    }

    private boolean isTrial(boolean shared) {
        if (lastWait > SHORT_NANOS || ++skipped < (shared ? sharedTrial : trial)) {
            return false;
        }
        skipped = 0;
        return !shared || mayMove();
    }

    /**
     * Whether the system can wake this end on another processor. Asked each time, since threads are bound and set free while
     * they run; that takes less than a microsecond, once in 64 waits at most.
     */
    private static boolean mayMove() {
        return Runtime.getRuntime().availableProcessors() > 1;
    }

    /** Looks for so long at most; returns how long it took, which is less if the condition holds, or else the limit. */
    public static long look(WaitCondition condition, long limit) {
        long start = System.nanoTime();
        long taken = 0;
        int round = 0;
        do {
            if (condition.holds()) {
                return taken;
            }
            Thread.onSpinWait();
            if ((++round & 7) == 0) {
                taken = System.nanoTime() - start;
            }
        } while (taken < limit);
        return limit;
    }

    /** What was waited for came after that time, looking included. */
    public void slept(long waited) {
        lastWait = waited;
    }
}
