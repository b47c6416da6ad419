package org.galerna.link.tcp.stream;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.galerna.link.FrameHandler;
import org.galerna.link.tcp.ScriptedWire;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.galerna.testkit.Payload;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InboundTest {
    private static final int RING_BYTES = 4096;
    private static final int MAXIMUM = OutboundRing.maximumFrame(RING_BYTES);
    private static final long GET = 11;
    private static final long PUT = 12;

    private final Recorder recorder = new Recorder();
    private final Inbound inbound = new Inbound(1, recorder, new LinkBuffers(RING_BYTES, false));

    /** Notes what it is told, one line each. */
    private static final class Recorder implements Inbound.Events, FrameHandler {
        final List<String> events = new ArrayList<>();
        final Map<Long, MemorySegment> targets = new HashMap<>();
        private final Map<Long, IncomingTransfer> transfers = new HashMap<>();

        void expect(long id, MemorySegment target) {
            targets.put(id, target);
            transfers.put(id, new IncomingTransfer(id, target));
        }

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            assertThat(offset % 8).as("alignment of a frame").isZero();
            assertThat(Payload.difference(memory, offset, length, length)).isEmpty();
            events.add("frame of " + length);
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            throw new AssertionError("the link tells that, not the decoder");
        }

        @Override
        public void onRequest(int type, long id, long key, long offset, long length) {
            events.add("request " + type + " " + id + " " + key + " " + offset + " " + length);
        }

        @Override
        public IncomingTransfer onData(int type, long id) {
            IncomingTransfer transfer = transfers.get(id);
            return transfer == null ? IncomingTransfer.discarding() : transfer;
        }

        @Override
        public void onPiece(int type, IncomingTransfer transfer) {
            if (transfer.missing() == 0) {
                events.add("transfer " + transfer.id);
            }
        }

        @Override
        public void onDone(long id) {
            events.add("done " + id);
        }

        @Override
        public void onRefused(long id, long reason) {
            events.add("refused " + id + " " + reason);
        }

        @Override
        public void onAbandoned(long id) {
            events.add("abandoned " + id);
        }

        @Override
        public void onLost(long rank) {
            events.add("lost " + rank);
        }
    }

    private static byte[] frame(int type, byte[] body) {
        ByteBuffer bytes = ByteBuffer.allocate(Frames.bytes(body.length)).order(LITTLE_ENDIAN);
        return bytes.putLong(Frames.header(type, body.length)).put(body).array();
    }

    private static byte[] words(int type, long... words) {
        ByteBuffer body = ByteBuffer.allocate(words.length * 8).order(LITTLE_ENDIAN);
        for (long word : words) {
            body.putLong(word);
        }
        return frame(type, body.array());
    }

    private static byte[] message(int length) {
        return frame(Frames.FRAME, Payload.of(length, length));
    }

    private static byte[] data(int type, long id, byte[] all, int from, int to) {
        ByteBuffer body = ByteBuffer.allocate(8 + to - from).order(LITTLE_ENDIAN);
        return frame(type, body.putLong(id).put(all, from, to - from).array());
    }

    /** A stream with everything in it; what it must give is in {@link #EXPECTED}. */
    private static byte[] everything(byte[] got, byte[] put) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        stream.writeBytes(message(0));
        stream.writeBytes(words(Frames.GET, 1, 2, 3, 4));
        stream.writeBytes(message(1));
        stream.writeBytes(data(Frames.GET_DATA, GET, got, 0, 1001));
        stream.writeBytes(words(Frames.ALIVE));
        stream.writeBytes(message(MAXIMUM));
        stream.writeBytes(data(Frames.PUT_DATA, PUT, put, 0, 8));
        stream.writeBytes(words(Frames.PUT, 5, -6, 7, 8));
        stream.writeBytes(data(Frames.GET_DATA, GET, got, 1001, got.length));
        stream.writeBytes(message(25));
        stream.writeBytes(data(Frames.PUT_DATA, 99, got, 0, 13));
        stream.writeBytes(data(Frames.PUT_DATA, PUT, put, 8, put.length));
        stream.writeBytes(words(Frames.DONE, 41));
        stream.writeBytes(words(Frames.REFUSED, 42, 1));
        stream.writeBytes(words(Frames.ABANDONED, 43));
        stream.writeBytes(words(Frames.LOST, 3));
        stream.writeBytes(words(Frames.GOODBYE));
        return stream.toByteArray();
    }

    private static final List<String> EXPECTED = List.of(
            "frame of 0",
            "request 4 1 2 3 4",
            "frame of 1",
            "frame of " + MAXIMUM,
            "request 5 5 -6 7 8",
            "transfer " + GET,
            "frame of 25",
            "transfer " + PUT,
            "done 41",
            "refused 42 1",
            "abandoned 43",
            "lost 3");

    private void pollAll(ScriptedWire wire, int limit) throws IOException {
        int idle = 0;
        while (!inbound.hasSaidGoodbye() && !inbound.hasEnded() && idle < 1000) {
            idle = inbound.poll(wire, recorder, limit) == 0 ? idle + 1 : 0;
        }
    }

    private static InboundTest fresh(MemorySegment gotTarget, MemorySegment putTarget) {
        InboundTest test = new InboundTest();
        test.recorder.expect(GET, gotTarget);
        test.recorder.expect(PUT, putTarget);
        return test;
    }

    @ParameterizedTest
    @Fault(4)
    @ValueSource(booleans = {true, false})
    void takesTheStreamApartWhereverItIsCut(boolean heap) throws IOException {
        long seed = Seeds.next("takesTheStreamApartWhereverItIsCut");
        byte[] got = Payload.of(77, 11_003);
        byte[] put = Payload.of(78, 3001);
        byte[] stream = everything(got, put);
        for (int round = 0; round < 400; round++) {
            Random random = new Random(seed + round);
            MemorySegment gotTarget = target(got.length, heap);
            MemorySegment putTarget = target(put.length, !heap);
            InboundTest test = fresh(gotTarget, putTarget);
            ScriptedWire wire = new ScriptedWire().add(stream);
            wire = random.nextBoolean() ? wire.reachingArrays() : wire;
            test.pollAll(round == 0 ? wire : wire.cutBy(random), 1 + random.nextInt(5));
            assertThat(test.recorder.events).containsExactlyElementsOf(EXPECTED);
            assertThat(gotTarget.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(got);
            assertThat(putTarget.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(put);
            assertThat(test.inbound.hasSaidGoodbye()).isTrue();
        }
    }

    private static MemorySegment target(int bytes, boolean heap) {
        return heap ? MemorySegment.ofArray(new byte[bytes]) : Arena.ofAuto().allocate(bytes);
    }

    @Test
    @Fault(4)
    void everyTruncationEndsWithoutTheFramesThatAreCutOff() throws IOException {
        byte[] got = Payload.of(77, 1203);
        byte[] put = Payload.of(78, 301);
        byte[] stream = everything(got, put);
        int complete = 0;
        for (int length = 0; length < stream.length; length++) {
            InboundTest test = fresh(target(got.length, true), target(put.length, false));
            test.pollAll(new ScriptedWire().add(Arrays.copyOf(stream, length)).end(), 100);
            assertThat(test.inbound.hasEnded()).as("end after %s bytes", length).isTrue();
            assertThat(test.inbound.hasSaidGoodbye()).isFalse();
            assertThat(test.recorder.events).isEqualTo(EXPECTED.subList(0, test.recorder.events.size()));
            complete = test.recorder.events.size();
        }
        assertThat(complete).isEqualTo(EXPECTED.size());
    }

    @Test
    void handsOutNoMoreFramesThanAskedAndKeepsTheRest() throws IOException {
        ScriptedWire wire = new ScriptedWire();
        for (int number = 0; number < 10; number++) {
            wire.add(message(number));
        }
        assertThat(inbound.poll(wire, recorder, 0)).isZero();
        int handled = 0;
        while (handled < 10) {
            int count = inbound.poll(wire, recorder, 3);
            assertThat(count).isBetween(1, 3);
            handled += count;
        }
        assertThat(recorder.events).hasSize(10);
    }

    @Test
    @Fault(5)
    void aFloodOfEmptyFramesIsTakenInPortions() throws IOException {
        byte[] flood = new byte[8 * 500_000];
        for (int at = 0; at < flood.length; at += 8) {
            flood[at + 4] = Frames.ALIVE;
        }
        ScriptedWire wire = new ScriptedWire().add(flood).add(message(5));
        int polls = 1;
        while (inbound.poll(wire, recorder, 1) == 0) {
            polls++;
        }
        assertThat(polls).isGreaterThan(2);
    }

    @Test
    void nothingIsHandledAfterTheStreamHasEnded() throws IOException {
        ScriptedWire wire = new ScriptedWire().add(words(Frames.GOODBYE)).add(message(5));
        assertThat(inbound.poll(wire, recorder, 10)).isZero();
        assertThat(inbound.poll(wire, recorder, 10)).isZero();
        assertThat(inbound.hasSaidGoodbye()).isTrue();
        assertThat(inbound.isOver()).isFalse();
        assertThat(inbound.hasEnded()).isFalse(); // in order
    }

    @Test
    void refusesWhatFollowsTheLastFrame() throws IOException {
        byte[] last = ByteBuffer.allocate(8)
                .order(LITTLE_ENDIAN)
                .putLong(Frames.header(Frames.LAST, 0))
                .array();
        inbound.poll(new ScriptedWire().add(last), recorder, 10);
        assertThat(inbound.isOver()).isTrue();
        Inbound other = new Inbound(1, recorder, new LinkBuffers(RING_BYTES, false));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> other.poll(new ScriptedWire().add(Arrays.copyOf(last, 16)), recorder, 10))
                .withMessageContaining("behind its last frame");
    }

    @ParameterizedTest
    @Fault({3, 6})
    @ValueSource(
            longs = {
                0x0000_0000_0000_0000L, // no type
                0x0000_0001_ffff_ffffL, // negative lengths
                0x0000_0001_8000_0000L,
                0x0000_0001_7fff_ffffL, // too long
                0x0000_0001_0000_07f9L,
                0x0000_0006_0000_0007L, // a transfer without its number, without a byte, with too many
                0x0000_0006_0000_0008L,
                0x0000_0006_0004_0009L,
                0x0000_0006_7fff_ffffL,
                0x0000_0007_ffff_ffffL,
                0x0000_0002_0000_0001L, // bodies of other lengths than theirs
                0x0000_0003_0000_0008L,
                0x0000_0004_0000_001fL,
                0x0000_0005_0000_0028L,
                0x0000_0008_0000_0000L,
                0x0000_0009_0000_0008L,
                0x0000_000a_0000_0010L,
                0x0000_000b_0000_0004L,
                0x0000_000c_0000_0008L,
                0x0000_000d_0000_0000L, // unknown types
                0x0000_007f_0000_0000L,
                0x0000_00ff_0000_0000L,
                0x0000_0101_0000_0008L, // bits that have no meaning
                0x8000_0001_0000_0008L,
                0x0800_0000_0100_0000L // the other order of bytes
            })
    void refusesHeadersThatNoneHas(long header) {
        byte[] bytes =
                ByteBuffer.allocate(4096).order(LITTLE_ENDIAN).putLong(header).array();
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> inbound.poll(new ScriptedWire().add(bytes), recorder, 10));
        assertThat(recorder.events).isEmpty();
    }

    @Test
    @Fault(3)
    void refusesMoreBytesThanATransferHas() {
        recorder.expect(GET, target(100, true));
        ScriptedWire wire = new ScriptedWire().add(data(Frames.GET_DATA, GET, new byte[101], 0, 101));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> inbound.poll(wire, recorder, 10))
                .withMessageContaining("101 bytes");
    }

    @Test
    void bytesForMemoryThatIsFreedArePassedOver() throws IOException {
        try (Arena arena = Arena.ofShared()) {
            recorder.expect(GET, arena.allocate(5003));
        }
        byte[] got = Payload.of(77, 11_003);
        ScriptedWire wire = new ScriptedWire()
                .add(data(Frames.GET_DATA, GET, got, 0, 1000))
                .add(data(Frames.GET_DATA, GET, got, 1000, 5003))
                .add(message(9));
        for (int poll = 0; poll < 5; poll++) {
            inbound.poll(wire, recorder, 10);
        }
        assertThat(recorder.events).containsExactly("transfer " + GET, "frame of 9");
    }

    private static Fuzzer fuzzer() {
        byte[] got = Payload.of(77, 1203);
        byte[] put = Payload.of(78, 301);
        return new Fuzzer(List.of(
                everything(got, put),
                message(0),
                message(MAXIMUM),
                words(Frames.GET, 1, 2, 3, 4),
                data(Frames.PUT_DATA, PUT, put, 0, put.length),
                words(Frames.REFUSED, 42, 1),
                words(Frames.GOODBYE)));
    }

    @Test
    @Fault(10)
    void whateverComesDoesNoMoreThanBreakTheConnection() {
        fuzzer().shortRun("whateverComesDoesNoMoreThanBreakTheConnection", 20_000, InboundTest::readFuzzed);
    }

    @Test
    @Tag("slow")
    @Fault(10)
    void whateverComesForLongDoesNoMoreThanBreakTheConnection() {
        fuzzer().longRun("whateverComesForLongDoesNoMoreThanBreakTheConnection", InboundTest::readFuzzed);
    }

    private static void readFuzzed(byte[] bytes) throws IOException {
        Inspector inspector = new Inspector();
        Inbound victim = new Inbound(1, inspector, new LinkBuffers(RING_BYTES, false));
        ScriptedWire wire = new ScriptedWire().add(bytes).end().cutBy(new Random(Arrays.hashCode(bytes)));
        try {
            int polls = 0;
            while (!victim.hasEnded() && !victim.hasSaidGoodbye() && !victim.isOver()) {
                victim.poll(wire, inspector, 10);
                assertThat(polls++).as("polls for %s bytes", bytes.length).isLessThan(10_000);
            }
        } catch (ProtocolException refused) {
            assertThat(refused).hasMessageContaining(" ");
        }
    }

    /** Reads what it is given, and believes nothing. */
    private static final class Inspector implements Inbound.Events, FrameHandler {
        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            assertThat(length).isBetween(0, MAXIMUM);
            memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            throw new AssertionError("the link tells that, not the decoder");
        }

        @Override
        public void onRequest(int type, long id, long key, long offset, long length) {
            assertThat(type).isIn(Frames.GET, Frames.PUT);
        }

        @Override
        public IncomingTransfer onData(int type, long id) {
            return new IncomingTransfer(id, MemorySegment.ofArray(new byte[600]));
        }

        @Override
        public void onPiece(int type, IncomingTransfer transfer) {
            assertThat(transfer.missing()).isNotNegative();
        }

        @Override
        public void onDone(long id) {}

        @Override
        public void onRefused(long id, long reason) {}

        @Override
        public void onAbandoned(long id) {}

        @Override
        public void onLost(long rank) {}
    }
}
