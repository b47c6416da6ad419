package org.galerna.link.tcp.connecting;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.link.process.OwnLog;

/** Connections that were refused, counted by the reason; of each kind the first one is logged. */
public final class Refusals {
    private static final Logger LOGGER = OwnLog.of("org.galerna.link.tcp");

    /** Why. */
    public enum Kind {
        /** No handshake of this version, or none with this rank. */
        NO_HANDSHAKE,

        /** The proof was wrong. */
        WRONG_PROOF,

        /** The other side has gone away, or broken the connection. */
        BROKEN,

        /** The time was over. */
        TOO_SLOW,

        /** Too many at once. */
        TOO_MANY,

        /** The system could not accept one. */
        NOT_ACCEPTED
    }

    private final String name;
    private final Map<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);

    public Refusals(String name) {
        this.name = name;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new AtomicLong());
        }
    }

    private AtomicLong count(Kind kind) {
        return counts.computeIfAbsent(kind, _ -> new AtomicLong());
    }

    void add(Kind kind, String detail) {
        if (count(kind).incrementAndGet() == 1) {
            Level level = isHarmless(kind) ? Level.DEBUG : Level.WARNING;
            LOGGER.log(
                    level,
                    () -> name + " has refused a connection: " + detail
                            + " (further ones of this kind are only counted)");
        }
    }

    /**
     * A port scan is no reason to alarm anybody, nor is a rank that is stopped in the middle of a call, and calls again when it goes
     * on; a peer with another key or version is.
     */
    private static boolean isHarmless(Kind kind) {
        return kind == Kind.BROKEN || kind == Kind.TOO_SLOW;
    }

    /** How many so far. */
    public long of(Kind kind) {
        return count(kind).get();
    }
}
