package org.galerna.bench.report;

/** What a value counts, and which direction is better. */
public enum Unit {
    /** Time of one operation, in microseconds: half a round trip, or a collective on its slowest rank. */
    MICROSECONDS("µs", false, "time"),

    /** Payload moved, in 10⁹ bytes a second. */
    GIGABYTES_PER_SECOND("GB/s", true, "bandwidth"),

    /** Messages, in 10⁶ a second. */
    MILLION_MESSAGES_PER_SECOND("M msg/s", true, "messages"),

    /** Operations of clients, in 10⁶ a second. */
    MILLION_OPERATIONS_PER_SECOND("M op/s", true, "operations"),

    /** Part of the communication's time that went on behind a computation. */
    PERCENT("%", true, "part that overlaps"),

    /** Time of a processor, as a part of that of one core. */
    PERCENT_OF_A_CORE("% of a core", false, "processor time"),

    /** Memory, in bytes. */
    BYTES("B", false, "memory");

    private final String symbol;
    private final boolean moreIsBetter;
    private final String quantity;

    Unit(String symbol, boolean moreIsBetter, String quantity) {
        this.symbol = symbol;
        this.moreIsBetter = moreIsBetter;
        this.quantity = quantity;
    }

    /** What is measured in it, as the title of an axis. */
    String quantity() {
        return quantity;
    }

    /** Whether it counts what something takes, and not how fast it is. */
    boolean isCost() {
        return this == BYTES || this == PERCENT_OF_A_CORE;
    }

    /** How a system stands to another one of which it has less, or more. */
    String comparison(boolean better) {
        return switch (this) {
            case MICROSECONDS, GIGABYTES_PER_SECOND, MILLION_MESSAGES_PER_SECOND, MILLION_OPERATIONS_PER_SECOND ->
                better ? "faster" : "slower";
            case PERCENT, PERCENT_OF_A_CORE, BYTES -> better == moreIsBetter ? "more" : "less";
        };
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
