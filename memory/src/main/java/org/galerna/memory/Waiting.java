package org.galerna.memory;

/**
 * How a thread waits that can do nothing but look again: first it spins, then it lets other threads run, and then it
 * should sleep.
 *
 * <p>Spinning pays while the other side runs on another core and answers within a microsecond. Where there are more
 * ranks than cores, the other side may be waiting for this very core: there spinning is cut to almost nothing.
 *
 * @param spins looks in a row without leaving the processor
 * @param yields looks, each after {@link Thread#yield}, before the thread should sleep
 */
public record Waiting(int spins, int yields) {
    /** Spins without the processor's pause hint: the first looks, when an answer is most likely on its way. */
    private static final int BARE_SPINS = 64;

    /** The policy for {@code ranks} on this machine's {@link Cpus}. */
    public static Waiting forRanks(int ranks) {
        return ranks <= Cpus.available() ? new Waiting(500, 300) : new Waiting(20, 40);
    }

    /**
     * Waits a little.
     *
     * @param round how many looks in a row have found nothing, from 0
     * @return false if the thread has looked often enough and should sleep now
     */
    public boolean pause(int round) {
        if (round < spins) {
            if (round >= BARE_SPINS) {
                Thread.onSpinWait();
            }
            return true;
        }
        if (round < spins + yields) {
            Thread.yield();
            return true;
        }
        return false;
    }
}
