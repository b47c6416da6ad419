package org.galerna.link.tcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.tcp.ScriptedWire;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.Wire;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutboundTest {
    private static final int CAPACITY = 1 << 16;
    private static final int HEAD = 16;
    private static final int TRANSFER = 5;

    /** Header of a piece and its transfer. */
    private static final int PIECE_HEAD = Frames.HEADER_BYTES + Frames.TRANSFER_BYTES;

    private final List<String> unusable = new ArrayList<>();
    private final LinkBuffers buffers = new LinkBuffers(CAPACITY, false);
    private final Outbound.Events events = new Outbound.Events() {
        @Override
        public void onFull() {
            // tests look themselves
        }

        @Override
        public void onUnusable(String reason) {
            outbound().flush(); // as somebody who tells others may do
            unusable.add(reason);
        }

        @Override
        public void onLeft(Wire left) {
            throw new AssertionError("nobody leaves " + left);
        }

        @Override
        public void onWireWanted() {
            // before the first one comes
        }
    };
    private Outbound outbound = new Outbound(buffers, events);

    private Outbound outbound() {
        return outbound;
    }

    @Test
    void aRingIsGivenBackWhenItIsEmptyAndAnotherOneIsTakenForTheNextFrame() {
        ScriptedWire wire = new ScriptedWire();
        OutboundRing ring = outbound.ring();
        long claim = ring.claim(8);
        ring.commit(claim, 8);
        assertThat(outbound.releaseRing()).as("before the frame is written").isFalse();
        outbound.connect(wire);
        assertThat(written(wire).remaining()).isEqualTo(Frames.bytes(8));
        assertThat(outbound.releaseRing()).isTrue();
        assertThat(outbound.releaseRing()).as("without a ring").isFalse();
        Outbound other = new Outbound(buffers, events);
        assertThat(other.ring()).as("it serves another connection").isSameAs(ring);
        long next = ring.claim(16);
        ring.commit(next, 16);
        outbound.send(Frames.DONE, 7);
        outbound.flush();
        assertThat(written(wire).remaining())
                .as("nothing of the other connection")
                .isEqualTo(Frames.bytes(8) + 16);
    }

    @Test
    void whatOthersAskForWhileAnArrayIsSentIsWritten() {
        List<Thread> others = new ArrayList<>();
        ScriptedWire wire = new ScriptedWire().reachingArrays().meanwhile(() -> {
            if (others.isEmpty()) {
                Thread other = Thread.ofPlatform().start(() -> {
                    outbound.send(Frames.DONE, 7);
                    outbound.flush();
                });
                others.add(other);
                join(other);
            }
        });
        outbound.connect(wire);
        OutboundRing ring = outbound.ring();
        byte[] bytes = new byte[1024];
        long claim = ring.claim(HEAD + bytes.length);
        assertThat(outbound.send(ring, claim, HEAD, bytes, 0, bytes.length)).isTrue();
        assertThat(others).hasSize(1);

        int frame = Frames.bytes(HEAD + bytes.length);
        ByteBuffer written = written(wire);
        assertThat(written.remaining()).isEqualTo(frame + 2 * Long.BYTES);
        assertThat(Frames.type(written.getLong(0))).isEqualTo(Frames.FRAME);
        assertThat(Frames.type(written.getLong(frame))).isEqualTo(Frames.DONE);
        assertThat(written.getLong(frame + Long.BYTES)).isEqualTo(7);
    }

    private static ByteBuffer written(ScriptedWire wire) {
        return ByteBuffer.wrap(wire.written()).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Frees memory of a transfer when the wire has taken so many bytes of its first piece, and lets the rest go. */
    private OutgoingTransfer freeWhileWriting(ScriptedWire wire, int type, int length, int room, AtomicInteger served) {
        outbound.connect(wire.room(room));
        OutgoingTransfer transfer;
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(length).fill((byte) 1);
            transfer = new OutgoingTransfer(type, TRANSFER, memory, served);
            outbound.add(transfer);
            outbound.flush();
            assertThat(outbound.isBlocked()).isTrue();
        }
        wire.room(Integer.MAX_VALUE);
        outbound.flush();
        return transfer;
    }

    @Fault(28)
    @ParameterizedTest
    @ValueSource(ints = {Frames.GET_DATA, Frames.PUT_DATA})
    void memoryThatIsFreedBeforeItsPieceIsWrittenFailsItsTransferAlone(int type) {
        ScriptedWire wire = new ScriptedWire();
        AtomicInteger served = new AtomicInteger(1);
        OutgoingTransfer transfer = freeWhileWriting(wire, type, 3 * Frames.DATA_BYTES, 0, served);
        assertThat(served).hasValue(0);
        assertThat(transfer.failure()).hasMessageContaining("closed");
        outbound.send(Frames.DONE, 7);
        outbound.flush();

        ByteBuffer written = written(wire);
        expectFailure(type, written);
        expectDone(written);
        assertThat(outbound.isBroken()).isFalse();
    }

    @Fault(28)
    @ParameterizedTest
    @ValueSource(ints = {Frames.GET_DATA, Frames.PUT_DATA})
    void memoryThatIsFreedInTheMiddleOfAPieceFailsItsTransferAlone(int type) {
        for (int room : new int[] {1, 8, PIECE_HEAD, PIECE_HEAD + 1000, PIECE_HEAD + Frames.DATA_BYTES - 1}) {
            outbound = new Outbound(buffers, events);
            ScriptedWire wire = new ScriptedWire();
            AtomicInteger served = new AtomicInteger(1);
            OutgoingTransfer transfer = freeWhileWriting(wire, type, 3 * Frames.DATA_BYTES, room, served);
            assertThat(served).hasValue(0);
            assertThat(transfer.failure()).isNotNull();
            outbound.send(Frames.DONE, 7);
            outbound.flush();

            ByteBuffer written = written(wire);
            expectPiece(type, Frames.DATA_BYTES, room, written);
            expectFailure(type, written);
            expectDone(written);
            assertThat(outbound.isBroken()).isFalse();
        }
    }

    /** The peer takes the last byte of a piece that it has announced itself for that of the whole. */
    @Fault(28)
    @Test
    void theLastPieceOfAPutThatIsFreedFailsHere() {
        ScriptedWire wire = new ScriptedWire();
        OutgoingTransfer transfer = freeWhileWriting(wire, Frames.PUT_DATA, 1024, PIECE_HEAD + 8, new AtomicInteger(1));
        assertThat(transfer.failure()).isNotNull();
        expectPiece(Frames.PUT_DATA, 1024, PIECE_HEAD + 8, written(wire));
        assertThat(unusable).isEmpty();
    }

    @Fault(28)
    @Test
    void theLastPieceOfAGetThatIsFreedIsNotCompletedWithWrongBytes() {
        ScriptedWire wire = new ScriptedWire();
        int room = PIECE_HEAD + 8;
        OutgoingTransfer ignored = freeWhileWriting(wire, Frames.GET_DATA, 1024, room, new AtomicInteger(1));
        assertThat(wire.written()).hasSize(room);
        assertThat(outbound.isBroken()).isTrue();
        assertThat(unusable).singleElement().asString().contains("memory that cannot be read any more");
    }

    /** A confined arena's memory is another thread's alone. */
    @Fault(28)
    @Test
    void memoryOfAnotherThreadFailsItsTransferAlone() throws InterruptedException {
        ScriptedWire wire = new ScriptedWire();
        outbound.connect(wire);
        try (Arena arena = Arena.ofConfined()) {
            outbound.add(new OutgoingTransfer(Frames.GET_DATA, TRANSFER, arena.allocate(4096)));
            Thread other = Thread.ofPlatform().start(outbound::flush);
            other.join();
        }
        outbound.send(Frames.DONE, 7);
        outbound.flush();
        ByteBuffer written = written(wire);
        expectFailure(Frames.GET_DATA, written);
        expectDone(written);
    }

    private static void expectPiece(int type, int length, int genuine, ByteBuffer written) {
        long header = written.getLong();
        assertThat(Frames.type(header)).isEqualTo(type);
        assertThat(Frames.length(header)).isEqualTo(Frames.TRANSFER_BYTES + length);
        assertThat(written.getLong()).isEqualTo(TRANSFER);
        for (int at = PIECE_HEAD; at < PIECE_HEAD + length; at++) {
            assertThat(written.get()).as("byte %s", at).isEqualTo((byte) (at < genuine ? 1 : 0));
        }
    }

    private static void expectFailure(int type, ByteBuffer written) {
        int expected = type == Frames.GET_DATA ? Frames.REFUSED : Frames.ABANDONED;
        assertThat(Frames.type(written.getLong())).isEqualTo(expected);
        assertThat(written.getLong()).isEqualTo(TRANSFER);
        if (type == Frames.GET_DATA) {
            assertThat(written.getLong()).isEqualTo(Frames.INACCESSIBLE);
        }
    }

    private static void expectDone(ByteBuffer written) {
        assertThat(Frames.type(written.getLong())).isEqualTo(Frames.DONE);
        assertThat(written.getLong()).isEqualTo(7);
        assertThat(written.hasRemaining()).isFalse();
    }
}
