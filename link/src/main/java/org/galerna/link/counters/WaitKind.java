package org.galerna.link.counters;

import java.util.Locale;

/** What a call waits for. Each has its place in the file, see {@link CountersLayout}. */
public enum WaitKind {
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

    private static final WaitKind[] ALL = values();

    private final int place;

    WaitKind(int place) {
        this.place = place;
    }

    /** Its place in the file. */
    int place() {
        return place;
    }

    /** The kind at a place. */
    static WaitKind at(int place) {
        for (WaitKind kind : ALL) {
            if (kind.place == place) {
                return kind;
            }
        }
        return OTHER;
    }

    /** The kind of a call about messages of a context: itself, or a collective. */
    public WaitKind in(int context) {
        return MessageKind.of(context).isCollective() ? COLLECTIVE : this;
    }

    /** In small letters. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
