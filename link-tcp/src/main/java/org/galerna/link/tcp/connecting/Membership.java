package org.galerna.link.tcp.connecting;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.galerna.link.FrameHandler;
import org.galerna.link.tcp.connecting.Member.State;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.stream.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks of the job are there, and how far the connection to each has got. A {@link Member} holds what is known of one rank;
 * the {@link Circle} says which rank watches which. Safe for use by many threads; opens no wire while it holds its lock.
 */
public final class Membership {
    private final int rank;
    private final Circle circle;
    private final IntPredicate yields;
    private final IntFunction<Connection> maker;
    private final @Nullable Member[] members; // made when something happens with them
    private final List<Member> begun = new ArrayList<>(); // those that there is something to be used for
    private final BitSet told; // those that know that this rank leaves, or are gone
    private final BitSet undrained; // those that may need this rank when it leaves
    private final List<Departure> unreported = new ArrayList<>();
    private int ends; // of wires that this rank has left, and of those that came to nothing
    private volatile Connection[] connected = {};
    private volatile boolean stopped;

    /** Counts the peers that are gone; a change tells the polling thread to report. */
    public final AtomicInteger departures = new AtomicInteger();

    /**
     * Nobody is there yet.
     *
     * @param yields whether the connection that a peer has opened is used where both open one; both sides agree
     * @param maker makes what a connection to a peer will be used by
     */
    public Membership(int rank, int size, IntPredicate yields, IntFunction<Connection> maker) {
        this.rank = rank;
        this.circle = new Circle(rank, size, this::isGone);
        this.yields = yields;
        this.maker = maker;
        this.members = new Member[size];
        this.told = new BitSet(size);
        this.undrained = new BitSet(size);
        undrained.set(0, size);
        undrained.clear(rank);
    }

    /** Number of ranks of the job. */
    public int size() {
        return members.length;
    }

    private Member member(int peer) {
        Member known = members[peer];
        if (known == null) {
            known = new Member();
            members[peer] = known;
        }
        return known;
    }

    private Connection connection(Member member, int peer) {
        Connection used = member.connection;
        if (used == null) {
            used = maker.apply(peer);
            member.connection = used;
            begun.add(member);
            if (stopped || member.state == State.GONE) {
                used.close();
            }
        }
        return used;
    }

    private boolean isGone(int peer) {
        Member known = members[peer];
        return known != null && known.state == State.GONE;
    }

    public synchronized Connection connection(int peer) {
        return connection(member(peer), peer);
    }

    /** As {@link #connection}; null if nothing has been done with it. */
    public synchronized @Nullable Connection connectionIfAny(int peer) {
        Member known = members[peer];
        return known == null ? null : known.connection;
    }

    /** The connections to poll, until the peer's end was reported. */
    public Connection[] connected() {
        return connected;
    }

    public boolean isStopped() {
        return stopped;
    }

    // ---- coming

    /** Whether the caller is to open a wire to the peer: there is none to write to, and nobody has begun to. */
    public synchronized boolean call(int peer) {
        Member member = member(peer);
        if (member.state != State.QUIET || member.writes() || (stopped && !member.owes())) {
            return false;
        }
        member.state = State.CALLING;
        member.wanted = true;
        member.dialled = false;
        return true;
    }

    /** Whether the call to a peer is still wanted: it has not come the other way round. */
    public synchronized boolean isCalling(int peer) {
        return member(peer).state == State.CALLING;
    }

    /** A call has come to nothing; as long as the peer is not gone, there may be another one. */
    synchronized void endCall(int peer) {
        Member member = member(peer);
        if (member.state == State.CALLING) {
            member.state = State.QUIET;
            member.wanted = false;
        }
    }

    /** Ends a call that was begun when this rank leaves, unless it has something left to say. Returns whether it goes on. */
    synchronized boolean keepsCalling(int peer) {
        return !stopped || member(peer).owes();
    }

    /** Number of the next wire to a peer, from 0, which is that of those that were made; both sides agree. */
    public synchronized int nextWire(int peer) {
        return member(peer).made;
    }

    /** Whether there is a wire to write to or to read from. */
    public synchronized boolean isConnected(int peer) {
        Member known = members[peer];
        return known != null && known.state != State.GONE && known.isConnected();
    }

    /**
     * Decides about a connection of a peer that has proved itself.
     *
     * @param full whether there are too many
     */
    synchronized int admit(Hello hello, boolean full) {
        int peer = hello.from();
        Member member = member(peer);
        if (Hello.isGoodbye(hello.purpose())) {
            told.set(peer);
            leaves(peer);
            return Handshake.ACCEPTED;
        }
        if (hello.purpose() == Hello.LOST) {
            goneUnlessConnected(hello.subject(), "rank " + peer + " has lost the connection to it", true);
            return Handshake.ACCEPTED;
        }
        if (member.state == State.GONE) {
            return Handshake.GIVEN_UP;
        }
        if (stopped && !member.owes()) {
            if (!member.isConnected()) {
                told.set(peer);
            }
            return Handshake.LEAVING;
        }
        if (hello.purpose() == Hello.ROUSE) {
            return Handshake.ACCEPTED;
        }
        // one that was begun before the last one was made is late; one whose predecessor is not read yet waits behind
        // it
        boolean expected =
                hello.subject() == member.made && !connection(member, peer).hasNext();
        boolean mine = member.state == State.CALLING && member.dialled && !yields.test(peer);
        if (!expected
                || (full && member.state != State.CALLING && !member.isConnected())
                || mine
                || member.state == State.ADMITTED) {
            return Handshake.LATER;
        }
        member.state = State.ADMITTED;
        return Handshake.ACCEPTED;
    }

    /**
     * The connection that was let in has ended before the handshake has.
     *
     * @return true if the caller is to open one, because this rank had wanted to
     */
    synchronized boolean dismiss(int peer) {
        Member member = member(peer);
        if (member.state != State.ADMITTED) {
            return false;
        }
        boolean calls = member.wanted && !member.writes() && (!stopped || member.owes());
        member.state = calls ? State.CALLING : State.QUIET;
        ends++;
        if (member.leaves && !calls) {
            boolean ignored = goneUnlessConnected(peer, FrameHandler.LEFT, false);
        }
        return calls;
    }

    /**
     * The handshake with a peer is complete.
     *
     * @param incoming whether the peer has opened the connection
     * @return false if the connection is not wanted any more
     */
    synchronized boolean establish(int peer, boolean incoming) {
        Member member = member(peer);
        if (member.state != (incoming ? State.ADMITTED : State.CALLING)) {
            return false;
        }
        member.state = State.QUIET;
        member.wanted = false;
        boolean known = member.isConnected();
        member.made++;
        undrained.set(peer);
        if (!known) {
            Connection[] grown = Arrays.copyOf(connected, connected.length + 1);
            grown[grown.length - 1] = connection(member, peer);
            connected = grown;
        }
        return true;
    }

    // ---- pausing

    /** This rank has left a wire: everything that it has said there is written. */
    public synchronized void left(int peer) {
        Member member = member(peer);
        member.left++;
        ends++;
        endOfWire(member, peer);
    }

    /** This rank has read a wire to its end. */
    public synchronized void read(int peer) {
        Member member = member(peer);
        member.read++;
        endOfWire(member, peer);
    }

    private void endOfWire(Member member, int peer) {
        if (member.state == State.GONE) {
            return; // polled until that is reported
        }
        if (member.made == member.read && member.leaves) {
            gone(peer, FrameHandler.LEFT, false);
        } else if (member.isConnected()) {
            connected = connected.clone(); // a new array tells readers to look up their wires again
        } else {
            forget(peer);
        }
    }

    /** Number of connections, without those to neighbours. */
    synchronized int others() {
        int successor = circle.successor();
        int predecessor = circle.predecessor();
        int neighbours =
                (isConnected(successor) ? 1 : 0) + (predecessor != successor && isConnected(predecessor) ? 1 : 0);
        return connected.length - neighbours;
    }

    /** The call to a peer is on its way. */
    synchronized void dialled(int peer) {
        member(peer).dialled = true;
    }

    /** Whether this rank looks after the peer, or the peer after this rank, so that their connection stays. */
    public synchronized boolean isNeighbour(int peer) {
        return circle.successor() == peer || circle.isBefore(peer, rank);
    }

    // ---- going

    /** A peer is gone, for whatever reason; true if that is news. */
    public synchronized boolean gone(int peer, String reason, boolean isLost) {
        if (peer == rank || isGone(peer)) {
            return false;
        }
        Member member = member(peer);
        member.state = State.GONE;
        member.reason = member.leaves ? FrameHandler.LEFT : reason;
        member.lost = isLost && !member.leaves;
        told.set(peer);
        Connection used = member.connection;
        if (used != null) {
            used.close();
        }
        String why = member.reason;
        unreported.add(new Departure(peer, why == null ? FrameHandler.LEFT : why, member.lost));
        departures.incrementAndGet();
        return true;
    }

    /** As {@link #gone}, for what is known by hearsay: a wire that is still read from knows better. */
    public synchronized boolean goneUnlessConnected(int peer, String reason, boolean isLost) {
        return !reads(peer) && gone(peer, reason, isLost);
    }

    /** Whether there is a wire that is not read to its end. */
    synchronized boolean reads(int peer) {
        Member known = members[peer];
        return known != null && known.made > known.read;
    }

    /**
     * A peer has said by another way than its wire that it leaves; true if it is gone by that. A wire that is there or about
     * to be knows better.
     */
    public synchronized boolean leaves(int peer) {
        Member member = member(peer);
        member.leaves = true;
        return member.state == State.QUIET && goneUnlessConnected(peer, FrameHandler.LEFT, false);
    }

    /** Peers that are gone and were not asked for yet. */
    public synchronized List<Departure> unreported() {
        List<Departure> departed = List.copyOf(unreported);
        unreported.clear();
        return departed;
    }

    /** Ends the polling of a peer's connection. */
    public synchronized void forget(int peer) {
        connected = Arrays.stream(connected).filter(each -> each.peer() != peer).toArray(Connection[]::new);
    }

    /** The next rank, in a circle, that is not gone; this rank itself if nobody is left. */
    synchronized int successor() {
        return circle.successor();
    }

    /** Whether this rank is the one that tells the others: it comes before the peer in the circle of those that are left. */
    public synchronized boolean precedes(int peer) {
        return circle.isBefore(rank, peer);
    }

    /** Peers that have no wire from this rank, are not gone and will not be called any more. */
    public synchronized List<Integer> strangers() {
        List<Integer> peers = new ArrayList<>();
        for (int peer = 0; peer < members.length; peer++) {
            Member member = members[peer];
            if (peer != rank
                    && (member == null || (!member.writes() && member.state != State.GONE && !member.owes()))) {
                peers.add(peer);
            }
        }
        return peers;
    }

    /** For reports of what a rank waits for. */
    @Override
    public synchronized String toString() {
        StringBuilder text =
                new StringBuilder("rank " + rank + (stopped ? " leaves" : "") + ", " + connected.length + " connected");
        for (int peer = 0; peer < members.length; peer++) {
            Member member = members[peer];
            if (member != null && peer != rank) {
                text.append("; ").append(peer).append(' ').append(member).append(told.get(peer) ? " told" : "");
            }
        }
        return text.toString();
    }

    // ---- leaving

    /** Whether a peer is still to be sent something that there is no wire for. */
    public synchronized boolean owesAny() {
        for (Member each : begun) {
            if (each.owes()) {
                return true;
            }
        }
        return false;
    }

    /** A number that changes whenever there may be one {@linkplain #strangers stranger} more. */
    public synchronized int ends() {
        return ends;
    }

    /**
     * This rank leaves: nobody is let in any more.
     *
     * @return true at the first call
     */
    public synchronized boolean stop() {
        boolean first = !stopped;
        stopped = true;
        for (Member each : members) {
            Connection used = each == null ? null : each.connection;
            if (used != null) {
                used.close();
            }
        }
        return first;
    }

    /** The peer knows that this rank leaves, or cannot be told. */
    public synchronized void told(int peer) {
        told.set(peer);
    }

    /** Whether every peer knows that this rank leaves, and has taken what was sent to it. */
    public synchronized boolean isDrained() {
        return isDrained(_ -> false);
    }

    /** Whether every peer is gone, has been told that this rank leaves, or has what the connection to it was for. */
    public synchronized boolean isDrained(Predicate<Connection> delivered) {
        // one after the other, as most stay so: only one more wire makes a difference
        for (int peer = undrained.nextSetBit(0); peer >= 0; peer = undrained.nextSetBit(peer)) {
            if (!isDrained(peer, delivered)) {
                return false;
            }
            undrained.clear(peer);
        }
        return true;
    }

    private boolean isDrained(int peer, Predicate<Connection> delivered) {
        Member member = members[peer];
        if (member == null || member.state == State.GONE || !member.writes()) {
            return told.get(peer) && (member == null || !member.owes());
        }
        return delivered.test(connection(member, peer));
    }
}
