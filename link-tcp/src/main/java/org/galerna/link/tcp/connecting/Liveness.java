package org.galerna.link.tcp.connecting;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.Inbound;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.memory.EarlyClasses;
import org.galerna.nativeaccess.socket.SystemAnswers;
import org.jspecify.annotations.Nullable;

/**
 * Notices peers that are gone without a word, and says something itself. Each rank is watched by the one before it, in a
 * circle of those that are left, so that somebody notices the end of a rank that has never talked to anybody.
 *
 * <p>A process that is stopped, or gets no processor, says nothing and is not gone. The end of a process its system tells,
 * by the end of the stream. What nobody tells is the end of that system, or of the way there. So a peer is lost only if its
 * system does not answer either: it acknowledges what is sent, or says that there is no room for more, whatever the process
 * does. Something is sent with every pulse; where there is no room for that, this system asks again and again by itself.
 *
 * <p>Within a host there is one system alone. So nothing is sent there but from neighbour to neighbour, for somebody to say of a
 * process that is stopped that it is: a rank that has a thousand peers would do nothing else.
 */
public final class Liveness {
    static {
        EarlyClasses.initialize(SystemAnswers.class); // first needed when a peer has been silent
    }

    /** Pulses after which a rank that has not talked to its successor opens a connection to it. */
    private static final int WATCH_AFTER = 2;

    /** A single packet may get lost, and so may its answer. */
    private static final int LEAST_UNANSWERED = 2;

    private final int rank;
    private final Membership membership;
    private final Timing timing;
    private final BiConsumer<Integer, String> lost;
    private final Suspected suspected;
    private final IntConsumer watch;
    private final @Nullable Quiet[] quiet; // made for peers that there are connections to
    private int pulses;
    private long lastBeat = System.nanoTime();

    /** How long a peer has been quiet. */
    private static final class Quiet {
        private long heard; // when it was heard of, by System.nanoTime
        private int silent; // pulses since then, in which somebody has looked
        private int unanswered; // pulses since its system has answered

        Quiet(long now) {
            this.heard = now;
        }
    }

    /** Takes a peer that says nothing while its system answers. */
    public interface Suspected {
        /** For so many nanoseconds. */
        void accept(int peer, long nanos);
    }

    /**
     * Nobody is missed yet.
     *
     * @param lost told of a peer that is lost, and why
     * @param suspected told of a peer that says nothing, while its system answers
     * @param watch asked to open a connection to a peer
     */
    public Liveness(
            int rank,
            Membership membership,
            Timing timing,
            BiConsumer<Integer, String> lost,
            Suspected suspected,
            IntConsumer watch) {
        this.rank = rank;
        this.membership = membership;
        this.timing = timing;
        this.lost = lost;
        this.suspected = suspected;
        this.watch = watch;
        this.quiet = new Quiet[membership.size()];
    }

    /** A pulse. */
    public void beat() {
        pulses++;
        long now = System.nanoTime();
        long sinceMillis = TimeUnit.NANOSECONDS.toMillis(now - lastBeat);
        lastBeat = now;
        for (Connection each : membership.connected()) {
            Wire wire = each.wire();
            if (wire == null || !wire.isWithinHost() || membership.isNeighbour(each.peer())) {
                listen(each, now, sinceMillis); // before the next beat, which nobody can have answered yet
                each.out().beat();
            } else {
                each.out().flush(); // what the socket had no room for
            }
        }
        int next = membership.successor();
        if (pulses >= WATCH_AFTER && next != rank && !membership.isStopped()) {
            watch.accept(next);
        }
    }

    private void listen(Connection connection, long now, long sinceMillis) {
        Inbound in = connection.in();
        Wire wire = connection.wire();
        if (in == null || wire == null) {
            return;
        }
        int peer = connection.peer();
        Quiet known = quiet[peer];
        if (known == null) {
            known = new Quiet(now);
            quiet[peer] = known;
        }
        boolean looked = in.takeLooked();
        if (in.takeHeard()) {
            known.heard = now;
            known.silent = 0;
            known.unanswered = 0;
            return;
        }
        Optional<SystemAnswers> answers = wire.answers();
        if (looked) { // what a busy rank has not read may be a sign of life
            known.silent++;
        }
        if (answers.isPresent() && isAnswer(answers.get(), sinceMillis)) {
            known.unanswered = 0;
        } else if (answers.isPresent() || looked) {
            known.unanswered++;
        }
        if (known.unanswered >= timing.silentPulses()) {
            lost.accept(
                    peer,
                    "nothing was heard of it, or of its host, for " + TimeUnit.NANOSECONDS.toMillis(timing.peerNanos())
                            + " ms");
        } else if (looked && known.silent == timing.silentPulses()) { // once, however rarely somebody looks
            suspected.accept(peer, now - known.heard);
        }
    }

    /** Whether a system has answered since the last pulse, or owes no answer. */
    private static boolean isAnswer(SystemAnswers answers, long sinceMillis) {
        return answers.unanswered() < LEAST_UNANSWERED || answers.quietMillis() <= sinceMillis;
    }
}
