package org.galerna.link.support;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.galerna.link.Channel;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;

/**
 * Control messages on their way out, in order for each peer; those that there is no room for wait. The manager's thread, but for
 * {@link #isClosed}.
 */
public final class ControlOutbox {
    private final Link control;
    private final BiConsumer<Integer, String> unreachable;
    private final BooleanSupplier mayClose;
    private final Runnable closed;
    private final Deque<Outgoing> outgoing = new ArrayDeque<>();
    private volatile State state = State.OPEN;

    /** Each follows the one before. */
    private enum State {
        OPEN,
        /** Nothing more is begun. */
        LEAVING,
        /** Everything is sent, and the control link is stopped. */
        CLOSED
    }

    /** What a manager says to another one, in a frame of the control link. */
    public interface Message {
        int bytes();

        void write(MemorySegment memory, long at);
    }

    private record Outgoing(int peer, Message message) {}

    /**
     * An empty one.
     *
     * @param unreachable is told of a peer that no message can be sent to, and why
     * @param mayClose whether a rank that leaves has nothing more to hear
     * @param closed is told when this rank has left and everything is sent
     */
    public ControlOutbox(
            Link control, BiConsumer<Integer, String> unreachable, BooleanSupplier mayClose, Runnable closed) {
        this.control = control;
        this.unreachable = unreachable;
        this.mayClose = mayClose;
        this.closed = closed;
    }

    /** Sends a message, now or as soon as there is room. */
    public void send(int peer, Message message) {
        add(peer, message);
        flush();
    }

    /** As {@link #send}, with the next {@link #flush}; nothing while this rank leaves. */
    public void sendLater(int peer, Message message) {
        if (state == State.OPEN) {
            add(peer, message);
        }
    }

    /** Sends what there is room for. */
    public void flush() {
        List<Outgoing> later = new ArrayList<>();
        while (!outgoing.isEmpty()) {
            Outgoing each = outgoing.removeFirst();
            boolean waits = later.stream().anyMatch(other -> other.peer == each.peer);
            if (waits || !trySend(each)) {
                later.add(each);
            }
        }
        outgoing.addAll(later);
        if (state == State.LEAVING && outgoing.isEmpty() && mayClose.getAsBoolean()) {
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
        long claim = channel.claim(each.message.bytes());
        if (claim < 0) {
            return claim == Channel.CLOSED; // nobody is left to care
        }
        each.message.write(channel.memory(), Channel.offset(claim));
        channel.commit(claim, each.message.bytes());
        channel.flush();
        return true;
    }

    /**
     * This rank leaves; false if that was so before.
     *
     * @param needless messages that need not be sent any more
     */
    public boolean leave(Predicate<Message> needless) {
        if (state != State.OPEN) {
            return false;
        }
        state = State.LEAVING;
        outgoing.removeIf(each -> needless.test(each.message));
        return true;
    }

    /** Says something also while this rank leaves, with the next {@link #flush}. */
    public void add(int peer, Message message) {
        outgoing.add(new Outgoing(peer, message));
    }

    /** Whether everybody has been told that this rank leaves, or cannot be; any thread. */
    public boolean isClosed() {
        return state == State.CLOSED;
    }
}
