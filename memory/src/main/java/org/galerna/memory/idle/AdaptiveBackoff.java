package org.galerna.memory.idle;

import java.lang.invoke.VarHandle;

/**
 * How long a thread that waits for an answer leaves the memory alone that it comes in. A look at a cache line takes it away
 * from the core that is about to write it, which then has to fetch it back: two threads that pass a line back and forth need
 * a quarter less if each looks for the answer just before it comes (43 ns in place of 60, near each other on a Zen 5).
 *
 * <p>When that is, is learnt from one wait to the next: where the look after the backoff was too early by little, the next one
 * is a little longer, and where that look has found the answer, a little shorter now and then, such that two of three find
 * it. If answers are irregular (some were found by that look, another came much later), the backoff is halved, because an
 * answer that comes early waits for its end. It never takes more than some 200 ns, so no answer waits for longer.
 *
 * <p>Any number of threads may use one object. They share what it has learnt without synchronization: a lost update is of no
 * consequence.
 */
public final class AdaptiveBackoff {
    /** Steps of six cycles each. */
    private static final int LONGEST = 128;

    private static final int GROWTH = 1;

    /** Looks after the backoff that were too early in a row, from which on it grows faster. */
    private static final int MISSES = 3;

    private static final int FAST_GROWTH = 4;

    /** Waits ended by the look after the backoff, after which it is shorter by a step and this part of it. */
    private static final int FOUND = 2;

    private static final int PART = 64;

    /** Looks after which an answer has come much later than the look after the backoff. */
    private static final int FAR = 6;

    /** Waits for which it counts that one was ended by the look after the backoff. */
    private static final int MEMORY = 8;

    private static final int NONE = -1;

    private int steps;
    private int found; // waits, since it has last been made shorter
    private int misses; // in a row
    private int sinceFound = MEMORY;
    private int looks = NONE; // of the last wait
    private int noise = 1;

    /** Of no length yet. */
    public AdaptiveBackoff() {}

    /** Lets time pass without a look at memory. */
    public void pass() {
        if (looks != NONE) {
            learn();
        }
        int state = noise;
        for (int step = steps; step > 0; step--) { // no compiler knows how to shorten Marsaglia's generator (2003)
            state ^= state << 13;
            state ^= state >>> 17;
            state ^= state << 5;
        }
        noise = state;
        // a processor that guesses the end of the loop would look before that
        VarHandle.fullFence();
    }

    /**
     * A wait is over; what that teaches is seen to in the next one, for now there is something to do.
     *
     * @param number how many looks have found nothing since the backoff; 0 if the first one has found the answer
     */
    public void over(int number) {
        looks = number;
    }

    private void learn() {
        int last = looks;
        looks = NONE;
        if (last == 0) {
            if (++found == FOUND) {
                found = 0;
                steps = Math.max(0, steps - steps / PART - 1);
            }
            misses = 0;
            sinceFound = 0;
        } else {
            boolean irregular = last > FAR && sinceFound < MEMORY;
            int growth = ++misses < MISSES ? GROWTH : FAST_GROWTH;
            steps = irregular ? steps / 2 : Math.min(LONGEST, steps + growth);
            sinceFound = Math.min(MEMORY, sinceFound + 1);
        }
    }

    /** How long it is at present, in steps of six cycles. */
    int steps() {
        return steps;
    }
}
