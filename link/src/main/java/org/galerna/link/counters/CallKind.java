package org.galerna.link.counters;

import java.util.Locale;

/** The kinds of calls that wait. Each has its place in the file, see {@link CountersLayout}. */
public enum CallKind {
    /** A receive, or the wait for one. */
    RECEIVE(0),
    /** A send, or the wait for one. */
    SEND(1),
    /** A probe. */
    PROBE(2),
    /** The wait for any of several operations. */
    ANY(3),
    /** A part of a collective. */
    COLLECTIVE(4),
    /** The end of the rank. */
    LEAVE(5),
    /** Anything else. */
    OTHER(6);

    private static final CallKind[] ALL = values();

    private final int place;

    CallKind(int place) {
        this.place = place;
    }

    /** Its place in the file. */
    int place() {
        return place;
    }

    /** The kind at a place. */
    static CallKind at(int place) {
        for (CallKind kind : ALL) {
            if (kind.place == place) {
                return kind;
            }
        }
        return OTHER;
    }

    /** The kind of a call about messages of a context: itself, or a collective. */
    public CallKind in(int context) {
        return MessageKind.of(context).isCollective() ? COLLECTIVE : this;
    }

    /** In small letters. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
