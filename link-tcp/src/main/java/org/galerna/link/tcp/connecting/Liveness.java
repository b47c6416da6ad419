package org.galerna.link.tcp.connecting;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.galerna.link.Wireup;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.Inbound;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.memory.Cpus;
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
 * process that is stopped that it is: a rank that has a thousand peers would do nothing else. Where many ranks share the processors of one host, neighbours
 * say so more rarely, and open their connections later: all of these are work that keeps the ranks from what they do. Whatever has
 * started the job may know sooner that the process of the next rank has ended.
 */
public final class Liveness {
    static {
        EarlyClasses.initialize(SystemAnswers.class); // first needed when a peer has been silent
    }

    /** Pulses after which a rank that has not talked to its successor opens a connection to it. */
    private static final int WATCH_AFTER = 2;

    /** In addition, for each pulse from one beat to the next: so long a start may take where many ranks share processors. */
    private static final int WATCH_LATER = 7;

    /** Ranks of a processor for whom a pulse more is between two beats. */
    private static final int CROWD = 4;

    private static final int MOST_SPACING = 4;

    /** A single packet may get lost, and so may its answer. */
    private static final int LEAST_UNANSWERED = 2;

    private final int rank;
    private final Membership membership;
    private final Timing timing;
    private final BiConsumer<Integer, String> lost;
    private final Suspected suspected;
    private final IntPredicate hasAddress;
    private final IntConsumer watch;
    private final IntFunction<Optional<String>> endOf;
    private final int spacing; // pulses from one beat to the next
    private final int watchAfter;
    private final int mostSilent; // beats
    private final @Nullable Quiet[] quiet; // made for peers that there are connections to
    private int pulses;
    private long lastBeat = System.nanoTime();

    /** How long a peer has been quiet. */
    private static final class Quiet {
        private long heard; // when it was heard of, by System.nanoTime
        private int silent; // beats since then, before which somebody has looked
        private int unanswered; // beats since its system has answered

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
     * @param hasAddress whether a connection to a peer can be opened already
     * @param watch asked to open a connection to a peer
     */
    public Liveness(
            Wireup wireup,
            Membership membership,
            Timing timing,
            BiConsumer<Integer, String> lost,
            Suspected suspected,
            IntPredicate hasAddress,
            IntConsumer watch) {
        this.rank = wireup.rank();
        this.endOf = wireup::endOf;
        this.membership = membership;
        this.timing = timing;
        this.lost = lost;
        this.suspected = suspected;
        this.hasAddress = hasAddress;
        this.watch = watch;
        this.spacing = wireup.isOneHost() ? spacing(wireup.size(), Cpus.ofMachine()) : 1;
        this.watchAfter = pulsesUntilWatch(spacing);
        this.mostSilent = Math.ceilDiv(timing.silentPulses(), spacing);
        this.quiet = new Quiet[membership.size()];
    }

    /** Pulses from one beat to the next, where all ranks are on a host with so many processors. */
    static int spacing(int ranks, int processors) {
        return Math.clamp(ranks / processors / CROWD, 1, MOST_SPACING);
    }

    /** Pulses until a rank opens a connection to its successor. */
    static int pulsesUntilWatch(int spacing) {
        return WATCH_AFTER + WATCH_LATER * (spacing - 1);
    }

    /** A pulse. */
    public void pulse() {
        pulses++;
        if (pulses % spacing == 0) {
            beat();
        } else {
            for (Connection each : membership.connected()) {
                each.out().flush(); // what the socket had no room for
            }
        }
        int next = membership.successor();
        if (next == rank || membership.isStopped()) {
            return;
        }
        Optional<String> end = endOf.apply(next);
        if (end.isPresent() && !membership.reads(next)) { // otherwise what is left to read says so
            lost.accept(next, end.get());
        } else if (pulses >= watchAfter && hasAddress.test(next)) {
            watch.accept(next);
        }
    }

    private void beat() {
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
        if (known.unanswered >= mostSilent) {
            lost.accept(
                    peer,
                    "nothing was heard of it, or of its host, for " + TimeUnit.NANOSECONDS.toMillis(timing.peerNanos())
                            + " ms");
        } else if (looked && known.silent == mostSilent) { // once, however rarely somebody looks
            suspected.accept(peer, now - known.heard);
        }
    }

    /** Whether a system has answered since the last pulse, or owes no answer. */
    private static boolean isAnswer(SystemAnswers answers, long sinceMillis) {
        return answers.unanswered() < LEAST_UNANSWERED || answers.quietMillis() <= sinceMillis;
    }
}
