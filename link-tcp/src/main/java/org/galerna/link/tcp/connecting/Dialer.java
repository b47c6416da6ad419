package org.galerna.link.tcp.connecting;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.galerna.link.CommunicationException;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.wire.KeepAlive;
import org.galerna.link.tcp.wire.TlsRefusedException;

/** Calls peers, at one address after the other and again and again, until time is over. The manager's thread's. */
public final class Dialer {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int LONGEST_PUT_OFF = 8;

    /** A call waits this long for room. After that all connections are in use, or no rank looks that could close one. */
    private static final long ROOM_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ManagerContext context;
    private final Handshakes handshakes;
    private final Acceptor acceptor;
    private final Calls calls;
    private boolean makesCalls;

    Dialer(ManagerContext context, Handshakes handshakes, Acceptor acceptor) {
        this.context = context;
        this.handshakes = handshakes;
        this.acceptor = acceptor;
        this.calls = new Calls(context.rank());
    }

    boolean isBusy() {
        return !calls.isEmpty();
    }

    boolean isCalling(int peer) {
        return calls.connecting(peer) != null;
    }

    private long now() {
        return context.thread().clock().now();
    }

    private void lost(int peer, int purpose, int subject, String reason) {
        context.events().onTold(peer, purpose, subject, false);
        if (Hello.isGoodbye(purpose)) { // to a rank that has left at the same time, most likely
            context.membership().leaves(peer);
            return;
        }
        if (purpose == Hello.CONNECT) {
            context.membership().endCall(peer);
        }
        // what is left to read says so, if there is anything; if it says something else, there is another call
        if (!context.membership().reads(peer)) {
            context.events().onLost(peer, reason);
        }
    }

    /** Begins a call, for a purpose of {@link Hello}. */
    void begin(int peer, int purpose, int subject) {
        if (purpose == Hello.CONNECT && !context.membership().isCalling(peer)) {
            return; // it has called before this thread has come to it
        }
        try {
            boolean calledByPeer = context.network().isCalledBy(peer);
            if (purpose == Hello.ROUSE && (calledByPeer || calls.isRousing(peer))) {
                return; // it cannot be called, or is being called
            }
            if (calledByPeer) {
                await(peer, purpose);
                return;
            }
            List<SocketAddress> candidates = context.directory().candidates(peer);
            if (candidates.isEmpty() && purpose == Hello.ROUSE) {
                return;
            }
            if (candidates.isEmpty()) { // it has taken its files away
                lost(peer, purpose, subject, "nobody listens at its address any more");
                context.events().onNews();
                return;
            }
            if (purpose == Hello.CONNECT) {
                endConnecting(peer); // one of an earlier time
            }
            long now = now();
            Call call = new Call(
                    peer, purpose, subject, candidates, now, context.timing().connectNanos());
            calls.add(call);
            if (purpose != Hello.CONNECT || calls.takeTurn(call, now)) {
                dialIfRoom(call, now);
            }
        } catch (CommunicationException unknown) {
            lost(peer, purpose, subject, "its address is not known: " + unknown.getMessage());
        }
    }

    /** There may be room for connections now. */
    void resume() {
        long now = now();
        calls.connecting().stream().filter(call -> call.waitsSince >= 0).forEach(call -> dialIfRoom(call, now));
    }

    /** Makes the calls whose turn it is. */
    private void makeCalls() {
        if (makesCalls) {
            return; // this goes on
        }
        makesCalls = true;
        try {
            Call call;
            while ((call = calls.next(now())) != null) {
                if (context.membership().isCalling(call.peer)) {
                    call.begin(now());
                    dialIfRoom(call, now());
                } else {
                    calls.remove(call);
                }
            }
        } finally {
            makesCalls = false;
        }
    }

    private void remove(Call call) {
        calls.remove(call);
        makeCalls();
    }

    private void dialIfRoom(Call call, long now) {
        if (call.purpose == Hello.CONNECT && !context.membership().isCalling(call.peer)) {
            return; // removed at the next look
        }
        if (call.purpose == Hello.CONNECT
                && !call.hasWaited
                && !context.membership().isNeighbour(call.peer)) {
            boolean full = context.membership().others() + handshakes.outgoing()
                    >= context.limit().mostOthers();
            if (full && (call.waitsSince < 0 || now - call.waitsSince < ROOM_NANOS)) {
                call.waitsSince = call.waitsSince < 0 ? now : call.waitsSince;
                call.due = now + RETRY_NANOS;
                calls.endTurn(call);
                context.events().onRoomWanted();
                return;
            }
        }
        call.waitsSince = -1;
        call.hasWaited = true;
        if (call.purpose == Hello.CONNECT) {
            context.membership().dialled(call.peer);
        }
        dial(call, now);
    }

    private void await(int peer, int purpose) {
        if (purpose != Hello.CONNECT) {
            context.membership().told(peer); // as soon as it calls
            if (Hello.isOfAll(purpose)) {
                context.events().onTold(peer, purpose, 0, false);
            }
            context.events().onNews();
            return;
        }
        calls.add(Call.awaited(peer, purpose, now(), context.timing().connectNanos()));
        acceptor.expectArrivals();
    }

    private void dial(Call call, long now) {
        call.due = now + call.patience(now);
        SocketChannel channel;
        try {
            channel = context.network().open(call.candidate());
        } catch (IOException failed) { // no file descriptors left, most likely
            call.obstacle = String.valueOf(failed.getMessage());
            call.due = now + RETRY_NANOS;
            return;
        }
        Handshaking outgoing = handshakes.begin(channel, call, call.due);
        try {
            KeepAlive.set(channel, context.timing().peerNanos());
            boolean connected = channel.connect(call.candidate());
            channel.register(
                    context.thread().selector(), connected ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT, outgoing);
            if (connected) {
                handshakes.proceed(outgoing);
            }
        } catch (IOException failed) {
            handshakes.drop(outgoing);
            failed(call, outgoing, failed);
        }
    }

    /** A connection for a call has failed, and is dropped already. */
    void failed(Call call, Handshaking outgoing, IOException failure) {
        if (outgoing.isLetIn()) {
            call.broken(outgoing.letIn, now());
        }
        call.obstacle = String.valueOf(failure.getMessage());
        call.due = now() + RETRY_NANOS;
        boolean nobody = failure instanceof ConnectException;
        if (!nobody && !(failure instanceof TlsRefusedException)) {
            call.advance();
        } else if (!call.refuse()) {
            giveUp(call, nobody ? "nobody listens at its address any more" : call.obstacle);
        }
    }

    /** A peer has let a call in. */
    void succeeded(Call call) {
        remove(call);
    }

    /** A peer has answered a call that makes no connection. */
    void answered(Call call, int verdict) {
        if (verdict == Handshake.LATER && call.purpose != Hello.ROUSE) {
            long now = now();
            call.due = now + RETRY_NANOS * Math.min(LONGEST_PUT_OFF, call.putOff(now));
            calls.endTurn(call);
            makeCalls();
            return;
        }
        remove(call);
        if (call.purpose == Hello.ROUSE) { // if the peer is gone or leaves, its connection says so
            return;
        }
        context.events().onTold(call.peer, call.purpose, call.subject, true);
        if (verdict == Handshake.LEAVING) {
            if (call.purpose == Hello.CONNECT) {
                context.membership().endCall(call.peer);
            }
            context.membership().leaves(call.peer);
        } else if (verdict != Handshake.ACCEPTED) {
            context.events().onLost(call.peer, "it has taken this rank for lost");
        }
        context.events().onNews();
    }

    /** Ends all calls for connections. */
    void endConnecting() {
        calls.connecting().stream()
                .filter(call -> !context.membership().keepsCalling(call.peer))
                .forEach(this::end);
    }

    /** Ends the calls for a connection to one peer, which has called itself. */
    void endConnecting(int peer) {
        Call call = calls.connecting(peer);
        if (call != null) {
            end(call);
        }
    }

    private void end(Call call) {
        calls.remove(call);
        Handshaking underWay = call.underWay;
        if (underWay != null) {
            handshakes.drop(underWay);
        }
        makeCalls();
    }

    private void giveUp(Call call, String reason) {
        remove(call);
        if (call.purpose == Hello.ROUSE) {
            return; // not the way to find out whether the peer is there
        }
        lost(call.peer, call.purpose, call.subject, reason);
        context.events().onNews();
    }

    /** Ends calls whose time is over, and tries again where it is time for that. */
    void expire(long now) {
        calls.expire(now);
        for (Call call : calls.all()) {
            if (call.purpose == Hello.CONNECT && !context.membership().isCalling(call.peer)) {
                calls.remove(call);
            } else if (!call.isQueued) { // otherwise its time has not begun
                goOn(call, now);
            }
        }
        makeCalls();
    }

    private void goOn(Call call, long now) {
        if (now - call.deadline >= 0) {
            endRound(call, now);
        } else if (call.underWay == null && now - call.due >= 0) {
            dialIfRoom(call, now);
        }
    }

    /** Gives up, unless the peer may only be stopped. */
    private void endRound(Call call, long now) {
        Handshaking underWay = call.underWay;
        long patience = context.timing().connectNanos();
        if (call.beginAnew(underWay != null && underWay.isLetIn() && call.isKept(underWay.letIn, now), now)) {
            if (call.rounds() == 1) {
                context.events().onSuspected(call.peer, patience);
            }
            return;
        }
        if (underWay != null) {
            handshakes.drop(underWay);
        }
        giveUp(call, "no connection to it within " + TimeUnit.NANOSECONDS.toMillis(patience) + " ms: " + call.obstacle);
    }
}
