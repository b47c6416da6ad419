package org.galerna.bench.model;

/**
 * What a message costs between two ranks in the model LogGOPS: Hoefler, Schneider, Lumsdaine, "LogGOPSim: simulating
 * large-scale applications in the LogGOPS model", HPDC 2010; which is LogGP (Alexandrov, Ionescu, Schauser, Scheiman, 1995)
 * with time of the processor for each byte and a size from which on messages are announced first.
 *
 * @param latency L: seconds that the network takes for the first byte
 * @param overhead o: seconds that a send, and a receive, keep their rank busy
 * @param gap g: seconds between the starts of two messages of one sender
 * @param gapPerByte G: seconds that a byte keeps the sender's way into the network
 * @param overheadPerByte O: seconds that a byte of a message that is not announced keeps its sender and its receiver busy
 * @param announced S: bytes from which on a message is announced, and moves only when its receive has started
 */
public record LinkCost(
        double latency, double overhead, double gap, double gapPerByte, double overheadPerByte, long announced) {
    /** The same with other seconds that a message keeps its ranks busy. */
    LinkCost withOverhead(double seconds) {
        return new LinkCost(latency, seconds, gap, gapPerByte, overheadPerByte, announced);
    }

    /** The same with other seconds that a byte keeps the way. */
    LinkCost withGapPerByte(double seconds) {
        return new LinkCost(latency, overhead, gap, seconds, overheadPerByte, announced);
    }

    /** The same with other seconds for a byte of a message that is not announced. */
    LinkCost withOverheadPerByte(double seconds) {
        return new LinkCost(latency, overhead, gap, gapPerByte, seconds, announced);
    }
}
