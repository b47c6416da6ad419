package org.galerna.memory.idle;

import org.galerna.memory.Cpus;

/**
 * How the threads of a rank wait that can do nothing but look again: first they spin, then they let other threads run,
 * and then they should sleep.
 *
 * <p>Spinning pays while the other side runs on another core and answers within a microsecond. Where there are more
 * ranks than cores, or where the system has put both sides on one core, the other side waits for this very core, and
 * every spin only puts its answer off. The number of spins learns which it is: an answer that comes right after somebody
 * else had the core halves it, one that comes while spinning restores it, and every {@value #TRIAL}th wait tries.
 *
 * <p>Any number of threads may use one object. They share what it has learnt without synchronization: a lost update
 * costs a few spins.
 */
public final class IdleStrategy {
    private static final int LEAST_SPINS = 20;
    private static final int TRIAL = 64;

    /** Spins where ranks share processors: the answer comes from a rank that waits for this one, and not while it spins. */
    private static final int CROWDED_SPINS = 2;

    /**
     * With more ranks than this for each processor they do not spin at all: nearly always it is another one's turn first, and a
     * look at all rings takes about as long as a yield.
     */
    private static final int PAIR = 2;

    /** Spins without the processor's pause hint: the first looks, when an answer is most likely on its way. */
    private static final int BARE_SPINS = 64;

    /** An answer after this many yields was given by somebody who got the core, not by somebody who took long. */
    private static final int PROMPT_YIELDS = 3;

    /** A yield that took longer, in nanoseconds, has let somebody else run; one that did not takes 200 to 500. */
    private static final long SOMEBODY_RAN = 1_000;

    /** So many yields have let somebody else run: the processor is wanted, and not only by an interrupt now and then. */
    private static final int WANTED = 8;

    /** With more ranks than this for each processor, threads yield less often before they sleep. */
    private static final int CROWD = 8;

    private final int mostSpins;
    private final int yields;
    private final int patientYields;
    private int spins;
    private int waits;
    private int turnsOfOthers;

    private IdleStrategy(int spins, int yields, int patientYields) {
        this.mostSpins = spins;
        this.yields = yields;
        this.patientYields = patientYields;
        this.spins = spins;
    }

    /**
     * Spins, then yields, then sleeps.
     *
     * @param spins looks in a row without leaving the processor, at most
     * @param yields looks, each after {@link Thread#yield}, before the thread should sleep
     */
    public static IdleStrategy spinThenYield(int spins, int yields) {
        return new IdleStrategy(spins, yields, yields);
    }

    /**
     * For ranks that have a processor each: where nobody else wants it, they look for a millisecond or so before they sleep. To
     * wake a thread whose processor sleeps too takes 50 µs, and half a millisecond and more where a hypervisor has to give that
     * processor back, and all others wait for the late one.
     */
    public static IdleStrategy ownProcessor() {
        return new IdleStrategy(500, 300, 3000);
    }

    /**
     * For more ranks than processors: a thread sleeps soon. A thousand that only yield take the processors from those few that
     * have something to do.
     */
    public static IdleStrategy crowded(int ranks, int processors) {
        return spinThenYield(
                ranks > PAIR * processors ? 0 : CROWDED_SPINS,
                Math.clamp((long) CROWD * 40 * processors / ranks, 2, 40));
    }

    /** The default: by {@code ranks} that have so many processors altogether. */
    public static IdleStrategy adaptive(int ranks, int processors) {
        return ranks <= processors ? ownProcessor() : crowded(ranks, processors);
    }

    /** The default for {@code ranks} that have the {@link Cpus} of this process. */
    public static IdleStrategy adaptive(int ranks) {
        return adaptive(ranks, Cpus.available());
    }

    /** Looks that a thread makes at present before it leaves the processor. */
    public int spins() {
        return spins;
    }

    /** Looks, each after a yield, before the thread sleeps where others want the processor. */
    public int yields() {
        return yields;
    }

    /** Looks that take so little time that it is not measured: the first spins. */
    public int unmeasured() {
        return Math.min(spins, BARE_SPINS);
    }

    /** Whether nobody else seems to need the processor: the thread spins as long as it ever does. */
    public boolean isPatient() {
        return spins > LEAST_SPINS;
    }

    /**
     * Waits a little.
     *
     * @param round how many looks in a row have found nothing, from 0
     * @return false if the thread has looked often enough and should sleep now
     */
    public boolean pause(int round) {
        int limit = spins;
        if (round < limit) {
            if (round >= BARE_SPINS) {
                Thread.onSpinWait();
            }
            return true;
        }
        if (round < limit + (turnsOfOthers < WANTED ? patientYields : yields)) {
            long before = System.nanoTime();
            Thread.yield();
            yielded(System.nanoTime() - before);
            return true;
        }
        return false;
    }

    void yielded(long nanos) {
        if (nanos > SOMEBODY_RAN) {
            turnsOfOthers++;
        }
    }

    /**
     * Learns from a wait that is over.
     *
     * @param rounds how many looks in a row had found nothing
     */
    public void over(int rounds) {
        if (++waits % TRIAL == 0) {
            spins = mostSpins;
        } else if (rounds >= spins) {
            if (turnsOfOthers > 0 && rounds <= spins + PROMPT_YIELDS) {
                spins = Math.max(Math.min(LEAST_SPINS, mostSpins), spins / 2);
            }
        } else if (rounds > LEAST_SPINS) {
            spins = mostSpins;
        }
        turnsOfOthers = 0;
    }
}
