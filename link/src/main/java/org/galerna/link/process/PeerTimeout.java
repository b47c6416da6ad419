package org.galerna.link.process;

/** How long a peer may give no sign of life before it is lost, whatever the link. */
public final class PeerTimeout {
    /** System property with that time in seconds, 0.1 to 1,000,000, with or without a fraction; 4 unless set. */
    public static final String PROPERTY = "galerna.peer.timeout";

    private static final double DEFAULT_SECONDS = 4;
    private static final double LEAST_SECONDS = 0.1;
    private static final double MOST_SECONDS = 1e6;

    private PeerTimeout() {}

    /**
     * The time in seconds, as the property says at this moment.
     *
     * @throws IllegalArgumentException if it is no such number
     */
    public static double seconds() {
        String text = System.getProperty(PROPERTY);
        if (text == null) {
            return DEFAULT_SECONDS;
        }
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) {
                return seconds;
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new IllegalArgumentException(
                PROPERTY + " must be a number of seconds from 0.1 to 1000000, not \"" + text + "\"");
    }

    /** The same in nanoseconds. */
    public static long nanos() {
        return (long) (seconds() * 1e9);
    }
}
