package org.galerna.link.tcp;

import java.lang.System.Logger;
import java.util.BitSet;
import org.galerna.link.Wireup;
import org.galerna.link.process.OwnLog;
import org.galerna.link.process.Silence;
import org.galerna.link.tcp.connecting.ConnectionManager;
import org.galerna.link.tcp.connecting.Membership;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.network.Directory;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.wire.Frames;

/**
 * What ranks tell each other of those that are lost or leave, and how this one leaves. Of a loss one rank tells for all: the one before the lost rank in the
 * circle of those that are left. Safe for use by many threads.
 */
final class Departures {
    private static final Logger LOGGER = OwnLog.of("org.galerna.link.tcp");

    /** How long a peer that has everything is given for closing its side, which is the cleaner end. */
    private static final long GOODBYE_NANOS = 1_000_000_000;

    private final Wireup wireup;
    private final Directory directory;
    private final Membership membership;
    private final Runnable wakeUp;
    private final ConnectionManager manager;
    private final Strangers strangers;
    private final LeavingTree tree;
    private final Farewell farewell;
    private volatile long leaving; // since when
    private volatile int endsSeen = -1; // at which all strangers of that time were told goodbye

    /**
     * Nobody has gone yet.
     *
     * @param apart whether every rank is told by a call of its own, as if it had a process of its own
     * @param wakeUp has those who wait for frames look for departures
     */
    Departures(
            Wireup wireup,
            Directory directory,
            Membership membership,
            ConnectionManager manager,
            boolean apart,
            Runnable wakeUp) {
        this.wireup = wireup;
        this.directory = directory;
        this.membership = membership;
        this.manager = manager;
        this.wakeUp = wakeUp;
        this.strangers = new Strangers(wireup, directory, membership, manager, apart, this::hear);
        this.tree = new LeavingTree(
                wireup.rank(), wireup.size(), (peer, purpose) -> manager.call(peer, purpose, 0), this::hearStaying);
        this.farewell = new Farewell(wireup, directory.name(), this::leaveWithAllBut, tree::leave);
    }

    /** Ranks that there is no connection to. */
    Strangers strangers() {
        return strangers;
    }

    // ---- losses

    /** This rank has lost a peer. */
    void onLost(int peer, String reason) {
        if (membership.gone(peer, reason, true)) {
            wakeUp.run();
            if (membership.precedes(peer) && !membership.isStopped()) {
                tellOthers(peer);
            }
        }
    }

    /** Those that have no connection to the lost rank would never know. */
    private void tellOthers(int lost) {
        for (Connection each : membership.connected()) {
            each.out().send(Frames.LOST, lost);
            each.out().flush();
        }
        strangers.tellOfLoss(lost);
    }

    /** A peer exists, and says nothing. One rank says so for all. */
    void onSuspected(int peer, long nanos) {
        if (membership.precedes(peer)) {
            Silence.report(LOGGER, wireup, peer, directory.hostName(peer), nanos);
        }
    }

    /** A peer says that it has lost another one. */
    void onHearsay(int peer) {
        if (membership.goneUnlessConnected(peer, "another rank has lost the connection to it", true)) {
            wakeUp.run();
        }
    }

    /** Another rank has called. */
    void hearCall(Hello hello) {
        if (Hello.isOfAll(hello.purpose())) {
            tree.hear(hello);
        } else {
            strangers.tellBeside(hello);
        }
    }

    /** A rank was told what it was called for, or cannot be reached. */
    void told(int peer, int purpose, int subject, boolean reached) {
        if (Hello.isOfAll(purpose)) {
            tree.told(purpose);
        } else {
            strangers.told(peer, purpose, subject, reached);
        }
    }

    /** Another rank of this process has heard something that is meant for all. */
    private void hear(Hello news) {
        boolean heard = news.purpose() == Hello.GOODBYE
                ? membership.leaves(news.from())
                : membership.goneUnlessConnected(
                        news.subject(), "rank " + news.from() + " has lost the connection to it", true);
        if (heard) {
            manager.tellNewsSoon(); // others are likely to follow
        }
    }

    // ---- leaving

    private void hearStaying(BitSet staying) {
        farewell.hear(staying);
    }

    private void leaveWithAllBut(BitSet staying) {
        strangers.leaveWithAllBut(staying);
        wakeUp.run();
    }

    /** This rank leaves: nobody is let in any more, and those that there are connections to are told. */
    void leave() {
        boolean unused = membership.stop();
        leaving = System.nanoTime();
        manager.leave();
        for (Connection each : membership.connected()) {
            each.out().sayGoodbye();
        }
    }

    /** Whether nobody needs this rank any more, which leaves. Tells those that have not been told. */
    boolean isDrained() {
        sayGoodbyeToStrangers();
        if (tree.isBusy()) {
            return false;
        }
        if (System.nanoTime() - leaving < GOODBYE_NANOS) {
            return membership.isDrained();
        }
        // a peer that computes does not answer, but what its system has this one need not keep
        return membership.isDrained(Connection::isDelivered);
    }

    /** Tells ranks without a connection that this one leaves, when nothing is left to be sent: they would take it for lost. */
    void sayGoodbyeToStrangers() {
        int now = membership.ends();
        if (now != endsSeen && !membership.owesAny() && farewell.mayCall()) {
            if (strangers.sayGoodbye(farewell.mostCalls())) {
                endsSeen = now; // racy: a thread that sees an old number says goodbye once more, which does no harm
            }
        }
    }
}
