package org.galerna.link.tcp;

import java.util.concurrent.TimeUnit;

/**
 * How long ranks wait for each other.
 *
 * @param peerNanos a peer of which nothing was heard for so long is lost
 * @param connectNanos a peer that no connection is opened to for so long is lost
 * @param handshakeNanos what a stranger has for proving itself
 */
record Timing(long peerNanos, long connectNanos, long handshakeNanos) {
    /** System property for {@link #peerNanos}, in seconds. */
    static final String PEER_TIMEOUT = "galerna.peer.timeout";

    private static final double DEFAULT_PEER_SECONDS = 4;
    private static final long MOST_HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int LEAST_PULSES = 8;

    /** However patient ranks are with those that are silent: who is watched by nobody yet is so after two pulses. */
    private static final long LONGEST_PULSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    static Timing fromSystemProperties() {
        String text = System.getProperty(PEER_TIMEOUT);
        double seconds = DEFAULT_PEER_SECONDS;
        if (text != null) {
            try {
                seconds = Double.parseDouble(text);
            } catch (NumberFormatException notANumber) {
                seconds = Double.NaN;
            }
            if (!(seconds >= 0.1 && seconds <= 1e6)) {
                throw new IllegalArgumentException(
                        PEER_TIMEOUT + " must be a number of seconds from 0.1 to 1000000, not \"" + text + "\"");
            }
        }
        long nanos = (long) (seconds * 1e9);
        return new Timing(nanos, nanos, Math.min(nanos, MOST_HANDSHAKE_NANOS));
    }

    /** With as many times the patience until a connection is open. */
    Timing withPatience(int times) {
        return new Timing(peerNanos, times * connectNanos, times * handshakeNanos);
    }

    /** Time between two looks at who is alive. */
    long pulseNanos() {
        return Math.min(peerNanos / LEAST_PULSES, LONGEST_PULSE_NANOS);
    }

    /** Looks in a row without a sign of life after which a peer is lost. */
    int silentPulses() {
        return (int) Math.ceilDiv(peerNanos, pulseNanos());
    }
}
