package org.galerna.link.tcp;

import java.time.Duration;
import java.util.BitSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.galerna.link.Wireup;

/**
 * Decides when a rank that leaves calls those that it has no connection to, to tell them. Most ranks leave together, and whatever
 * has started the job knows that. So it is told first; where it does not know, ranks tell each other by a {@link LeavingTree}. Only ranks that stay are called, once no more leave for a while. Safe for use by
 * many threads.
 */
final class Farewell {
    /** How long ranks may be apart that leave together: where a core has many, one after the other comes to it. */
    private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

    private static final long PATIENCE_WITH_EACH_NANOS = Duration.ofMillis(20).toNanos();

    /** Twice this has to be over before a job in which no rank moves is taken for deadlocked, since somebody may wait for a rank that leaves. */
    private static final long MOST_PATIENCE_NANOS = Duration.ofMillis(1500).toNanos();

    /**
     * How long an answer takes at most, where ranks have hardly any time of a core: whatever knows has to hear all of them. It reports
     * no deadlock meanwhile either.
     */
    private static final long ANSWER_NANOS = Duration.ofSeconds(2).toNanos();

    private static final long ANSWER_WITH_EACH_NANOS = Duration.ofMillis(50).toNanos();
    private static final long MOST_ANSWER_NANOS = Duration.ofSeconds(10).toNanos();

    /** Where ranks tell each other that they leave together, those that do not hear it in time call twice as many others after each such time. */
    private static final long BETWEEN_CALLS_NANOS = Duration.ofMillis(250).toNanos();

    private final Wireup wireup;
    private final String name;
    private final BooleanSupplier together;
    private final Consumer<BitSet> onStaying;
    private final long patienceNanos;
    private final long answerNanos;

    // guarded by this
    private State state = State.NOT_SAID;
    private long since;
    private int stayed; // at the last answer
    private boolean tellEachOther;

    private enum State {
        NOT_SAID,
        /** Whatever has started the job knows that this rank leaves. */
        SAID,
        /** It is asked which ranks stay. */
        ASKED,
        CALLS
    }

    /**
     * Nothing is said yet.
     *
     * @param name of what this rank leaves
     * @param onStaying told which ranks stay
     * @param together begins that ranks tell each other that they leave together; false if they do not
     */
    Farewell(Wireup wireup, String name, Consumer<BitSet> onStaying, BooleanSupplier together) {
        this.together = together;
        this.wireup = wireup;
        this.name = name;
        this.onStaying = onStaying;
        int size = wireup.size();
        this.patienceNanos = Math.min(MOST_PATIENCE_NANOS, PATIENCE_NANOS + PATIENCE_WITH_EACH_NANOS * size);
        this.answerNanos = Math.min(MOST_ANSWER_NANOS, ANSWER_NANOS + ANSWER_WITH_EACH_NANOS * size);
        this.stayed = size;
    }

    /** Whether it is time to call those that stay. */
    boolean mayCall() {
        boolean begins;
        synchronized (this) {
            begins = state == State.NOT_SAID;
            if (begins) {
                move(State.SAID, System.nanoTime());
            }
        }
        if (begins) {
            begin();
        }
        return goOn();
    }

    /** Without the lock, since the answer may come at once. */
    private void begin() {
        if (!wireup.leave(name, this::hear)) {
            synchronized (this) {
                tellEachOther = true;
            }
            if (!together.getAsBoolean()) {
                synchronized (this) {
                    tellEachOther = false;
                    move(State.CALLS, System.nanoTime());
                }
            }
        }
    }

    /** How many ranks may be called until now. */
    synchronized int mostCalls() {
        if (!tellEachOther) {
            return Integer.MAX_VALUE;
        }
        return 1 << Math.min(30, (System.nanoTime() - since) / BETWEEN_CALLS_NANOS);
    }

    private synchronized boolean goOn() {
        long now = System.nanoTime();
        switch (state) {
            case SAID -> {
                if (now - since >= patienceNanos && tellEachOther) {
                    move(State.CALLS, now);
                } else if (now - since >= patienceNanos) {
                    move(State.ASKED, now);
                    wireup.askWhoStays(name);
                }
            }
            case ASKED -> {
                if (now - since >= answerNanos) { // none: all are called
                    move(State.CALLS, now);
                }
            }
            case NOT_SAID, CALLS -> {}
        }
        return state == State.CALLS;
    }

    private void move(State next, long now) {
        state = next;
        since = now;
    }

    /** These ranks stay, as far as is known. */
    void hear(BitSet staying) {
        synchronized (this) {
            int stay = staying.cardinality();
            boolean othersLeave = stay > 0 && stay < stayed;
            stayed = stay;
            if (state != State.CALLS) {
                move(othersLeave ? State.SAID : State.CALLS, System.nanoTime());
            }
        }
        onStaying.accept(staying);
    }
}
