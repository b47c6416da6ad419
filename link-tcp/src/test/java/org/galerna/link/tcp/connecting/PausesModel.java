package org.galerna.link.tcp.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.RegionTable;
import org.galerna.link.tcp.handshake.Handshake;
import org.galerna.link.tcp.handshake.Hello;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.stream.LinkBuffers;
import org.galerna.link.tcp.stream.Outbound;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Two ranks that send, look, pause their connection and open it again, in any order: calls that cross each other, that are late or
 * break, bytes that take any time. Memberships and connections are the real ones; the wires and the managers are the model's.
 */
final class PausesModel {
    private static final int RING_BYTES = 1024;

    private PausesModel() {}

    enum What {
        SEND,
        LOOK,
        PAUSE,
        DIAL,
        BREAK,
        ADMIT,
        ANSWER
    }

    /** Something that a rank does or that happens to its call. */
    record Event(What what, int rank) {}

    /** How much may happen. */
    record Bounds(int sends, int pauses, int breaks) {}

    /** One direction of a wire. */
    static final class Pipe {
        private final Deque<Byte> bytes = new ArrayDeque<>();
        private boolean ended;
    }

    /** One end of a wire. */
    static final class PipeWire implements Wire {
        private final int number;
        private final Pipe in;
        private final Pipe out;

        PipeWire(int number, Pipe in, Pipe out) {
            this.number = number;
            this.in = in;
            this.out = out;
        }

        @Override
        public int read(ByteBuffer target) {
            int count = 0;
            while (target.hasRemaining() && !in.bytes.isEmpty()) {
                target.put(in.bytes.remove());
                count++;
            }
            return count == 0 && in.ended ? -1 : count;
        }

        @Override
        public long read(ByteBuffer[] targets) {
            throw new IllegalStateException("nothing large is sent");
        }

        @Override
        public int write(ByteBuffer source) {
            int count = source.remaining();
            while (source.hasRemaining()) {
                out.bytes.add(source.get());
            }
            return count;
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int count) {
            long total = 0;
            for (int each = offset; each < offset + count; each++) {
                total += write(sources[each]);
            }
            return total;
        }

        @Override
        public void select(Selector selector, Object attachment, boolean reading, boolean writing) {
            // the model looks
        }

        @Override
        public boolean isSelectable() {
            return false;
        }

        @Override
        public void close() {
            assertThat(in.bytes).as("what is unread in a wire that is closed").isEmpty();
            out.ended = true;
        }
    }

    /** A call of a rank: the greeting, then the verdict. */
    static final class Call {
        @Nullable
        Hello hello;

        boolean broken;

        @Nullable
        PipeWire mine;

        boolean answered;
        int verdict;
    }

    static final class Side implements FrameHandler {
        final int rank;
        final Membership membership;
        final Connection connection;
        int sent;
        int received;
        int pauses;

        @Nullable
        Call call;

        Side(int rank) {
            this.rank = rank;
            this.membership = new Membership(rank, 2, peer -> peer < rank, this::make);
            this.connection = membership.connection(1 - rank);
        }

        private Connection make(int peer) {
            Outbound.Events events = new Outbound.Events() {
                @Override
                public void onFull() {
                    throw new AssertionError("there is room");
                }

                @Override
                public void onUnusable(String reason) {
                    throw new AssertionError(reason);
                }

                @Override
                public void onLeft(Wire left) {
                    membership.left(peer);
                    membership.connection(peer).end(left);
                }

                @Override
                public void onWireWanted() {
                    begin();
                }
            };
            return new Connection(
                    rank,
                    peer,
                    2,
                    new RegionTable(),
                    lost -> {},
                    events,
                    () -> membership.read(peer),
                    new LinkBuffers(RING_BYTES, false));
        }

        void begin() {
            if (membership.call(1 - rank)) {
                call = new Call();
            }
        }

        void send() {
            var ring = connection.out().ring();
            long claim = ring.claim(Long.BYTES);
            ring.memory().set(ValueLayout.JAVA_LONG, Channel.offset(claim), sent++);
            ring.commit(claim, Long.BYTES);
            connection.out().flush();
        }

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            assertThat(memory.get(ValueLayout.JAVA_LONG, offset)).isEqualTo(received++);
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            throw new AssertionError("rank " + peer + " is lost: " + reason);
        }
    }

    /** All there is. */
    static final class World {
        final Bounds bounds;
        final Side[] sides = {new Side(0), new Side(1)};
        int wires;
        int breaks;

        World(Bounds bounds) {
            this.bounds = bounds;
        }

        Side other(Side side) {
            return sides[1 - side.rank];
        }

        List<Event> possible() {
            List<Event> events = new ArrayList<>();
            for (Side each : sides) {
                Call call = each.call;
                if (each.sent < bounds.sends) {
                    events.add(new Event(What.SEND, each.rank));
                }
                if (each.pauses < bounds.pauses && each.connection.wire() != null) {
                    events.add(new Event(What.PAUSE, each.rank));
                }
                Wire wire = each.connection.wire();
                if (wire instanceof PipeWire pipe && !pipe.in.bytes.isEmpty()) {
                    events.add(new Event(What.LOOK, each.rank));
                }
                if (call != null) {
                    events.add(new Event(
                            call.hello == null ? What.DIAL : call.answered ? What.ANSWER : What.ADMIT, each.rank));
                    if (call.hello != null && !call.answered && !call.broken && breaks < bounds.breaks) {
                        events.add(new Event(What.BREAK, each.rank));
                    }
                }
            }
            return events;
        }

        void happen(Event event) throws IOException {
            Side side = sides[event.rank];
            int peer = 1 - event.rank;
            switch (event.what) {
                case SEND -> side.send();
                case LOOK -> side.connection.poll(side, Integer.MAX_VALUE);
                case PAUSE -> {
                    side.pauses++;
                    boolean ignored = side.connection.pause(true);
                }
                case DIAL -> dial(side, peer);
                case BREAK -> {
                    breaks++;
                    call(side).broken = true;
                }
                case ADMIT -> admit(side, call(side));
                case ANSWER -> answer(side, call(side));
            }
        }

        private static Call call(Side side) {
            Call call = side.call;
            if (call == null) {
                throw new IllegalStateException("there is no call");
            }
            return call;
        }

        private void dial(Side side, int peer) {
            if (side.membership.isCalling(peer)) {
                side.membership.dialled(peer);
                call(side).hello = new Hello(Hello.CONNECT, 0, side.rank, peer, 2, side.membership.nextWire(peer));
            } else {
                side.call = null; // the peer has called
            }
        }

        private void admit(Side caller, Call call) {
            Side callee = other(caller);
            Hello hello = call.hello;
            if (hello == null) {
                throw new IllegalStateException("a call without a greeting");
            }
            call.verdict = callee.membership.admit(hello, false);
            call.answered = true;
            if (call.verdict != Handshake.ACCEPTED) {
                return;
            }
            if (call.broken) { // found when the verdict is written
                if (callee.membership.dismiss(caller.rank) && callee.call == null) {
                    callee.call = new Call();
                }
                return;
            }
            Call own = callee.call;
            if (own != null && own.hello != null && !own.answered) {
                own.broken = true; // its socket is closed, and its greeting may be there all the same
            }
            Pipe there = new Pipe();
            Pipe back = new Pipe();
            int number = wires++;
            call.mine = new PipeWire(number, back, there);
            assertThat(callee.membership.establish(caller.rank, true)).isTrue();
            callee.connection.connect(new PipeWire(number, there, back));
        }

        private static void answer(Side side, Call call) throws IOException {
            int peer = 1 - side.rank;
            PipeWire wire = call.mine;
            if (wire != null) {
                assertThat(side.membership.establish(peer, false))
                        .as("a connection that the peer uses is wanted")
                        .isTrue();
                side.call = null;
                side.connection.connect(wire);
            } else {
                side.call = side.membership.isCalling(peer) ? new Call() : null;
            }
        }

        /** Whatever has happened, everything arrives. */
        void finish() throws IOException {
            for (int step = 0; step < 100; step++) {
                for (Event each : possible()) {
                    if (each.what != What.SEND && each.what != What.PAUSE && each.what != What.BREAK) {
                        if (possible().contains(each)) {
                            happen(each);
                        }
                    }
                }
            }
            assertThat(sides[1].received).as("frames from rank 0").isEqualTo(sides[0].sent);
            assertThat(sides[0].received).as("frames from rank 1").isEqualTo(sides[1].sent);
            for (Side each : sides) {
                assertThat(each.call).as("a call that nobody answers").isNull();
                assertThat(each.connection.hasNext()).isFalse();
                assertThat(each.connection.wire())
                        .as("both directions")
                        .isSameAs(each.connection.out().wire());
            }
        }

        String signature() {
            StringBuilder text = new StringBuilder();
            for (Side each : sides) {
                int peer = 1 - each.rank;
                Call call = each.call;
                text.append(each.sent)
                        .append(each.received)
                        .append(each.pauses)
                        .append(each.membership.isCalling(peer))
                        .append(each.membership.nextWire(peer))
                        .append(each.connection.hasNext())
                        .append(name(each.connection.wire()))
                        .append(name(each.connection.out().wire()))
                        .append(
                                call == null
                                        ? "-"
                                        : call.hello + " " + call.broken + call.answered + call.verdict
                                                + name(call.mine))
                        .append('|');
            }
            return text.append(breaks).toString();
        }

        private static String name(@Nullable Wire wire) {
            return wire instanceof PipeWire pipe
                    ? pipe.number + ":" + pipe.in.bytes.size() + "," + pipe.out.bytes.size() + ";"
                    : "-";
        }
    }
}
