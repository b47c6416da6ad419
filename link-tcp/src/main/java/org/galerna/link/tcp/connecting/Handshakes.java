package org.galerna.link.tcp.connecting;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.galerna.link.CommunicationException;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.handshake.WrongProofException;
import org.galerna.link.tcp.wire.ChannelWire;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Wire;

/** Connections whose ends prove themselves to each other, before they are anything to the rank. The manager's thread's. */
public final class Handshakes {
    private static final int LEAST_STRANGERS = 256;

    private final ConnectionManager manager;
    private final ManagerContext context;
    private final Set<Handshaking> pending = new LinkedHashSet<>();
    private int outgoing; // of these

    Handshakes(ConnectionManager manager, ManagerContext context) {
        this.manager = manager;
        this.context = context;
    }

    boolean isBusy() {
        return !pending.isEmpty();
    }

    private List<Handshaking> all() {
        return List.copyOf(pending);
    }

    void close() {
        for (Handshaking each : all()) {
            each.wire.close();
        }
    }

    private long now() {
        return context.thread().clock().now();
    }

    // ---- who comes

    /** Answers somebody who has connected. */
    void greet(SocketChannel channel) {
        Handshaking incoming = new Handshaking(
                manager,
                channel,
                wire(channel, false),
                null,
                now() + context.timing().connectNanos());
        try {
            context.network().configure(channel);
            incoming.handshake = new Handshake.Acceptor(
                    context.directory().proof(),
                    context.rank(),
                    context.size(),
                    context.directory().round(),
                    this::admit);
            channel.register(manager.selector(), SelectionKey.OP_READ, incoming);
        } catch (IOException | CommunicationException failed) {
            refuse(incoming, Refusals.Kind.BROKEN, failed);
            return;
        }
        pending.add(incoming);
        if (pending.size() - outgoing > Math.max(LEAST_STRANGERS, 2 * context.size())) {
            pending.stream().filter(each -> each.call == null).findFirst().ifPresent(this::drop);
            context.refusals().add(Refusals.Kind.TOO_MANY, "too many are waiting to prove themselves");
        }
        proceed(incoming);
    }

    private int admit(Hello hello) {
        int connections = context.membership().others();
        if (connections >= context.limit().mostOthers() && hello.purpose() == Hello.CONNECT) {
            context.events().onRoomWanted();
        }
        boolean full = connections >= context.limit().mostAdmitted()
                && !context.membership().isNeighbour(hello.from());
        return context.membership().admit(hello, full);
    }

    private Wire wire(SocketChannel channel, boolean initiator) {
        return context.security().over(new ChannelWire(channel), initiator);
    }

    private void refuse(Handshaking handshaking, Refusals.Kind kind, Exception failure) {
        drop(handshaking);
        context.refusals().add(kind, String.valueOf(failure.getMessage()));
    }

    /** Ends one. */
    void drop(Handshaking handshaking) {
        if (remove(handshaking)
                && handshaking.handshake instanceof Handshake.Acceptor acceptor
                && acceptor.verdict() == Handshake.ACCEPTED
                && acceptor.hello().purpose() == Hello.CONNECT) {
            int peer = acceptor.hello().from();
            if (context.membership().dismiss(peer) && !manager.dialer().isCalling(peer)) {
                manager.call(peer, Hello.CONNECT, 0);
            }
        }
        handshaking.wire.close();
    }

    private boolean remove(Handshaking handshaking) {
        if (!pending.remove(handshaking)) {
            return false;
        }
        Call call = handshaking.call;
        if (call != null) {
            call.underWay = null;
            outgoing--;
        }
        return true;
    }

    // ---- who is called

    /** Number of those that this rank has begun. */
    int outgoing() {
        return outgoing;
    }

    /** Takes a channel that is to be connected for a call. */
    Handshaking begin(SocketChannel channel, Call call, long deadline) {
        Handshaking handshaking = new Handshaking(manager, channel, wire(channel, true), call, deadline);
        pending.add(handshaking);
        call.underWay = handshaking;
        outgoing++;
        return handshaking;
    }

    private Handshake introduce(Handshaking handshaking, Call call) throws IOException {
        ByteBuffer preamble =
                ByteBuffer.wrap(context.network().preamble(context.directory().name()));
        if (preamble.hasRemaining() && handshaking.channel.write(preamble) < preamble.capacity()) {
            throw new IOException("the system does not take the first " + preamble.capacity() + " bytes");
        }
        if (call.purpose == Hello.CONNECT && !context.membership().isCalling(call.peer)) {
            throw new IOException("it has called itself"); // a greeting now would ask for one wire more
        }
        int subject = call.purpose == Hello.CONNECT ? context.membership().nextWire(call.peer) : call.subject;
        Hello hello = new Hello(
                call.purpose, context.directory().round(), context.rank(), call.peer, context.size(), subject);
        Handshake handshake = new Handshake.Initiator(context.directory().proof(), hello);
        handshaking.handshake = handshake;
        handshaking.letIn = now();
        return handshake;
    }

    // ---- both

    /** Goes on with one whose channel is ready. */
    void proceed(Handshaking handshaking) {
        try {
            Call call = handshaking.call;
            Handshake handshake = handshaking.handshake;
            if (handshake == null && call != null) {
                if (!handshaking.channel.finishConnect()) {
                    return;
                }
                handshake = introduce(handshaking, call);
            }
            if (handshake == null) {
                return;
            }
            if (handshake.advance(handshaking.wire)) {
                conclude(handshaking, handshake);
            } else {
                handshaking.wire.select(manager.selector(), handshaking, true, handshake.wantsToWrite());
            }
        } catch (WrongProofException wrong) {
            failed(handshaking, Refusals.Kind.WRONG_PROOF, wrong);
        } catch (ProtocolException wrong) {
            failed(handshaking, Refusals.Kind.NO_HANDSHAKE, wrong);
        } catch (IOException broken) {
            failed(handshaking, Refusals.Kind.BROKEN, broken);
        }
    }

    private void failed(Handshaking handshaking, Refusals.Kind kind, IOException failure) {
        Call call = handshaking.call;
        if (call == null) {
            refuse(handshaking, kind, failure);
        } else {
            drop(handshaking);
            manager.dialer().failed(call, handshaking, failure);
        }
    }

    private void conclude(Handshaking handshaking, Handshake handshake) {
        boolean ignored = remove(handshaking);
        SelectionKey key = handshaking.channel.keyFor(manager.selector());
        if (key != null) {
            key.cancel();
        }
        if (handshake instanceof Handshake.Acceptor acceptor) { // no switch: it would make a class in each start
            accepted(handshaking, acceptor.hello(), acceptor.verdict());
        } else {
            answered(handshaking, ((Handshake.Initiator) handshake).verdict());
        }
    }

    private void accepted(Handshaking handshaking, Hello hello, int verdict) {
        if (verdict == Handshake.ACCEPTED && hello.purpose() == Hello.CONNECT) {
            // a call of one's own to the same peer is not needed any more
            manager.dialer().endConnecting(hello.from());
            establish(handshaking, hello.from(), true);
            return;
        }
        handshaking.wire.close();
        if (verdict == Handshake.ACCEPTED && hello.purpose() == Hello.ROUSE) {
            context.events().onRouse();
        } else if (verdict == Handshake.ACCEPTED) {
            context.events().onNewsOf(hello);
        }
        context.events().onNews();
    }

    private void answered(Handshaking handshaking, int verdict) {
        Call call = handshaking.call;
        if (call == null) {
            throw new IllegalStateException("a handshake that nobody has begun");
        }
        if (verdict == Handshake.ACCEPTED && call.purpose == Hello.CONNECT) {
            manager.dialer().succeeded(call);
            establish(handshaking, call.peer, false);
        } else {
            handshaking.wire.close();
            manager.dialer().answered(call, verdict);
        }
    }

    private void establish(Handshaking handshaking, int peer, boolean incoming) {
        if (context.membership().establish(peer, incoming)) {
            context.events().onConnected(peer, handshaking.channel, handshaking.wire);
        } else {
            handshaking.wire.close();
        }
        context.events().onNews();
    }

    /** Ends those whose time is over. */
    void expire(long now) {
        for (Handshaking each : all()) {
            if (now - each.deadline() >= 0 && !each.mayWait()) {
                drop(each);
                Call call = each.call;
                if (call == null) {
                    context.refusals().add(Refusals.Kind.TOO_SLOW, "it has not proved itself in time");
                } else {
                    if (each.isLetIn()) {
                        call.wasSilent();
                    }
                    call.advance();
                    call.due = now;
                }
            }
        }
    }
}
