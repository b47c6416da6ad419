package org.galerna.link.verbs.connecting;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.verbs.wire.ControlMessage;

/**
 * Control messages on their way out, in order for each peer; those that there is no room for wait. The manager's thread, but for
 * {@link #isClosed}.
 */
final class ControlOutbox {
    private final Link control;
    private final BiConsumer<Integer, String> unreachable;
    private final Runnable closed;
    private final Deque<Outgoing> outgoing = new ArrayDeque<>();
    private volatile State state = State.OPEN;

    /** Each follows the one before. */
    private enum State {
        OPEN,
        /** Only goodbyes are sent any more. */
        LEAVING,
        /** Everything is sent, and the control link is stopped. */
        CLOSED
    }

    private record Outgoing(int peer, ControlMessage message) {}

    /**
     * An empty one.
     *
     * @param unreachable is told of a peer that no message can be sent to, and why
     * @param closed is told when this rank has left and everything is sent
     */
    ControlOutbox(Link control, BiConsumer<Integer, String> unreachable, Runnable closed) {
        this.control = control;
        this.unreachable = unreachable;
        this.closed = closed;
    }

    /** Sends a message, now or as soon as there is room. */
    void send(int peer, ControlMessage message) {
        outgoing.add(new Outgoing(peer, message));
        flush();
    }

    /** As {@link #send}, with the next {@link #flush}; nothing while this rank leaves. */
    void sendLater(int peer, ControlMessage message) {
        if (state == State.OPEN) {
            outgoing.add(new Outgoing(peer, message));
        }
    }

    /** Sends what there is room for. */
    void flush() {
        List<Outgoing> later = new ArrayList<>();
        while (!outgoing.isEmpty()) {
            Outgoing each = outgoing.removeFirst();
            boolean waits = later.stream().anyMatch(other -> other.peer == each.peer);
            if (waits || !trySend(each)) {
                later.add(each);
            }
        }
        outgoing.addAll(later);
        if (state == State.LEAVING && outgoing.isEmpty()) {
            control.stop();
            state = State.CLOSED;
            closed.run();
        }
    }

    private boolean trySend(Outgoing each) {
        Channel channel;
        try {
            channel = control.connect(each.peer);
        } catch (CommunicationException unknown) {
            unreachable.accept(each.peer, String.valueOf(unknown.getMessage()));
            return true;
        }
        long claim = channel.claim(ControlMessage.BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED; // nobody is left to care
        }
        each.message.write(channel.memory(), Channel.offset(claim));
        channel.commit(claim, ControlMessage.BYTES);
        channel.flush();
        return true;
    }

    /** From now on only goodbyes are sent; false if that was so before. */
    boolean leave() {
        if (state != State.OPEN) {
            return false;
        }
        state = State.LEAVING;
        outgoing.removeIf(each -> each.message.kind() != ControlMessage.LEAVING);
        return true;
    }

    /** Says goodbye, with the next {@link #flush}. */
    void goodbye(int peer, long messages) {
        outgoing.add(new Outgoing(peer, ControlMessage.leaving(messages)));
    }

    /** Whether everybody has been told that this rank leaves, or cannot be; any thread. */
    boolean isClosed() {
        return state == State.CLOSED;
    }
}
