package org.galerna.bench.report;

/** What a value counts, and which direction is better. */
public enum Unit {
    /** Time of one operation, in microseconds: half a round trip, or a collective on its slowest rank. */
    MICROSECONDS("µs", false),

    /** Payload moved, in 10⁹ bytes a second. */
    GIGABYTES_PER_SECOND("GB/s", true),

    /** Messages, in 10⁶ a second. */
    MILLION_MESSAGES_PER_SECOND("M msg/s", true),

    /** Operations of clients, in 10⁶ a second. */
    MILLION_OPERATIONS_PER_SECOND("M op/s", true),

    /** Part of the communication's time that went on behind a computation. */
    PERCENT("%", true),

    /** Time of a processor, as a part of that of one core. */
    PERCENT_OF_A_CORE("% of a core", false),

    /** Memory, in bytes. */
    BYTES("B", false);

    private final String symbol;
    private final boolean moreIsBetter;

    Unit(String symbol, boolean moreIsBetter) {
        this.symbol = symbol;
        this.moreIsBetter = moreIsBetter;
    }

    /** As it is written behind a value. */
    public String symbol() {
        return symbol;
    }

    /** Whether the higher of two values wins. */
    public boolean moreIsBetter() {
        return moreIsBetter;
    }
}
