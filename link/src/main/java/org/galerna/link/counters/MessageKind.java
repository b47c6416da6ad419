package org.galerna.link.counters;

/**
 * What messages are for. Contexts come in groups of four, one for each kind, so that the lowest two bits of a context tell it.
 * The order is that of {@link CountersLayout}.
 */
public enum MessageKind {
    /** Messages of the program between two ranks. */
    MESSAGES(0, "messages"),
    /** Messages of collectives. */
    COLLECTIVES(1, "collectives"),
    /** The second parts of messages of objects. */
    SECOND_PARTS(2, "secondParts"),
    /** Messages of collectives that the program makes itself. */
    COLLECTIVES_OF_PROGRAMS(3, "collectivesOfPrograms");

    private static final MessageKind[] ALL = values();

    private final int place;
    private final String word;

    MessageKind(int place, String word) {
        this.place = place;
        this.word = word;
    }

    /** The kind of the messages of a context. */
    public static MessageKind of(int context) {
        return ALL[context & ALL.length - 1];
    }

    /** The lowest bits of the contexts of such messages, and the place of the kind in lists. */
    public int place() {
        return place;
    }

    /** Whether a message of this kind is part of a collective. */
    public boolean isCollective() {
        return this == COLLECTIVES || this == COLLECTIVES_OF_PROGRAMS;
    }

    /** A name for reports that programs read. */
    public String word() {
        return word;
    }
}
