package org.galerna.link.tcp.connecting;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.link.process.OwnLog;
import org.jspecify.annotations.Nullable;

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
    private final boolean ofPair;
    private volatile @Nullable String last;
    private final Map<Kind, AtomicLong> counts = new EnumMap<>(Kind.class);

    /**
     * Nobody is refused yet.
     *
     * @param ofPair whether two processes open the link, which tell each other what goes wrong
     */
    public Refusals(String name, boolean ofPair) {
        this.name = name;
        this.ofPair = ofPair;
        for (Kind kind : Kind.values()) {
            counts.put(kind, new AtomicLong());
        }
    }

    private AtomicLong count(Kind kind) {
        return counts.computeIfAbsent(kind, _ -> new AtomicLong());
    }

    void add(Kind kind, String detail) {
        if (kind == Kind.NO_HANDSHAKE || kind == Kind.WRONG_PROOF) {
            last = detail;
        }
        if (count(kind).incrementAndGet() == 1) {
            Level level = ofPair || isHarmless(kind) ? Level.DEBUG : Level.WARNING;
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

    /** What the last caller that has spoken has done wrong; empty if none has. */
    public Optional<String> last() {
        return Optional.ofNullable(last);
    }

    /** How many so far. */
    public long of(Kind kind) {
        return count(kind).get();
    }
}
