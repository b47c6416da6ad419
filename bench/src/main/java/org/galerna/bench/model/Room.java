package org.galerna.bench.model;

/**
 * How much may lie between ranks of a host until its receiver looks: in a queue of the receiver, and in rings of pairs beside it.
 *
 * @param queueMessages messages in a queue
 * @param queueBytes bytes in a queue
 * @param rings pairs that have a ring, for each receiver
 * @param ringMessages messages in a ring
 * @param ringBytes bytes in a ring
 * @param sleep seconds that a rank without room sleeps for the first time; twice as long after each sleep in vain
 * @param longestSleep seconds that it sleeps at most
 * @param late seconds that the end of such a sleep is late
 */
public record Room(
        int queueMessages,
        long queueBytes,
        int rings,
        int ringMessages,
        long ringBytes,
        double sleep,
        double longestSleep,
        double late) {
    /** For any number of messages. */
    public static final Room UNLIMITED = new Room(Integer.MAX_VALUE, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0);

    private static final int KIBI = 1024;
    private static final int MOST_DOUBLINGS = 20;

    /**
     * What ranks that are threads have: see {@code RingSizes}, {@code PrivateRings} and {@code Progress}, which say these numbers.
     *
     * @param ranks size of the job
     * @param late seconds that the end of a sleep is late
     */
    public static Room ofThreads(int ranks, double late) {
        int ringMessages = ranks <= 8 ? 1024 : ranks <= 32 ? 256 : 64;
        int ringBytes = KIBI * (ranks <= 8 ? 256 : ranks <= 32 ? 64 : 32);
        return new Room(
                Math.max(512, ringMessages),
                2L * ringBytes,
                ranks <= 32 ? ranks : 16,
                ringMessages,
                ringBytes,
                100e-6,
                1e-3,
                late);
    }

    /** Seconds of a sleep after so many in vain. */
    double sleep(int vain) {
        return Math.min(longestSleep, sleep * (1 << Math.min(vain, MOST_DOUBLINGS))) + late;
    }
}
