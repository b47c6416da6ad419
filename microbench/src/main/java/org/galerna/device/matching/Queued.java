package org.galerna.device.matching;

import org.galerna.device.Devices;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.link.wireup.InProcessWireup;

/**
 * Where messages and receives of the queue benchmarks come from: sources and tags in turns, in a random order. (In any
 * order that repeats, the next element would be the oldest, and a search would end at once.)
 */
final class Queued {
    private static final int CONTEXT = 1;

    private static final int SOURCES = 16;

    private final int number;
    private long random = 1;

    Queued(int number) {
        this.number = number;
    }

    /** The next element to look for, 0 to {@code number - 1}. */
    int next() {
        random = random * 6364136223846793005L + 1442695040888963407L;
        return (int) ((random >>> 33) % number);
    }

    static int source(int element) {
        return element % SOURCES;
    }

    static long envelope(int element) {
        return Envelope.of(element / SOURCES, CONTEXT);
    }

    /** A device for requests to belong to. */
    static MatchingDevice device() {
        InProcessWireup wireup = InProcessWireup.create(1, (rank, status, reason) -> {
                    throw new IllegalStateException("rank " + rank + " has aborted: " + reason);
                })
                .getFirst();
        return (MatchingDevice) Devices.open("smdev", wireup);
    }
}
