package org.galerna.link.tcp.connecting;

import java.util.concurrent.TimeUnit;
import org.galerna.link.process.PeerTimeout;

/**
 * How long ranks wait for each other.
 *
 * <p>Who is called is as patient as who calls: an acceptor that gives up earlier makes a caller on a busy machine begin
 * anew, and so keeps it busy. It need not be wary either. A stranger that says nothing costs a file descriptor and some
 * hundred bytes until its time is over; how many of them there are at once the {@link ConnectionManager} bounds, whatever the time, and
 * the one that has waited longest makes room for the next, so that nobody has to wait for strangers to be cut off.
 *
 * @param peerNanos a peer of which nothing was heard for so long is lost, {@link PeerTimeout}
 * @param connectNanos a peer that no connection is opened to for so long is lost, and who has not proved itself is cut off
 */
public record Timing(long peerNanos, long connectNanos) {
    private static final int LEAST_PULSES = 8;

    /** However patient ranks are with those that are silent: who is watched by nobody yet is so after two pulses. */
    private static final long LONGEST_PULSE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    public static Timing fromSystemProperties() {
        long nanos = PeerTimeout.nanos();
        return new Timing(nanos, nanos);
    }

    /** With as many times the patience until a connection is open. */
    public Timing withPatience(int times) {
        return new Timing(peerNanos, times * connectNanos);
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
