package org.galerna.link.verbs;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.galerna.link.Channel;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.Region;
import org.galerna.link.Wireup;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.transfer.RemoteRegion;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.ReceivePool;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connecting.PeerAddress;
import org.galerna.link.verbs.connection.Connection;
import org.galerna.link.verbs.connection.Inbound;
import org.galerna.link.verbs.wire.ControlMessage;
import org.galerna.link.verbs.wire.PeerInfo;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.QueuePairAddress;
import org.galerna.nativeaccess.verbs.SendRequest;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever a peer publishes, says about a connection, or sends by its queue pair: it is understood, or that peer is lost. */
class VerbsFuzzTest extends ImitatedVerbs {
    private static final int MOST = 4000;
    private static final int REGION_BYTES = 4096;

    /** That the imitation takes at once, which needs no registered memory. */
    private static final int LONGEST = 256;

    VerbsFuzzTest() {
        super("exchange");
    }

    @Test
    @Fault({8, 10})
    void whateverIsPublishedIsAnAddressOrRefused() {
        List<byte[]> genuine = List.of(
                "roce\nmlx5_0 port 1\n-".getBytes(UTF_8),
                "infiniband\nmlx5_0 port 1\n10.0.0.1 4711".getBytes(UTF_8),
                "iwarp\nsiw0 port 1\nfe80:0:0:0:5054:ff:fe12:3456 65535".getBytes(UTF_8));
        PeerAddress own = PeerAddress.decode(genuine.getFirst());
        new Fuzzer(genuine).shortRun("whateverIsPublishedIsAnAddressOrRefused", MOST, bytes -> {
            try {
                PeerAddress read = PeerAddress.decode(bytes);
                own.against(read);
                assertThat(PeerAddress.decode(read.encode())).isEqualTo(read);
            } catch (IllegalArgumentException refused) {
                assertThat(refused).hasMessageContaining("no address of an adapter");
            }
        });
    }

    @Test
    @Fault(10)
    void whateverIsSaidAboutAConnectionIsReadOrRefused() {
        MemorySegment memory = Arena.ofAuto().allocate(1024, 8);
        byte[] gid = "0123456789abcdef".getBytes(ISO_8859_1);
        PeerInfo info = new PeerInfo(16384, 64, 1024, 0x1122334455667788L, -7, new QueuePairAddress(17, 99, 3, gid));
        List<byte[]> genuine = new ArrayList<>();
        for (ControlMessage each : List.of(
                ControlMessage.of(ControlMessage.WANT),
                new ControlMessage(ControlMessage.INVITE, info, gid, 0),
                ControlMessage.leaving(12),
                ControlMessage.of(ControlMessage.ROUSE))) {
            each.write(memory, 0);
            genuine.add(memory.asSlice(0, ControlMessage.BYTES).toArray(ValueLayout.JAVA_BYTE));
        }
        new Fuzzer(genuine).shortRun("whateverIsSaidAboutAConnectionIsReadOrRefused", MOST, bytes -> {
            int length = Math.min(bytes.length, 1024);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, length);
            try {
                ControlMessage read = ControlMessage.read(memory, 0, length);
                assertThat(read.kind()).isBetween(ControlMessage.WANT, ControlMessage.ROUSE);
                assertThat(read.messages()).isNotNegative();
            } catch (ProtocolException refused) {
                assertThat(refused).hasMessageContaining("control message");
            }
        });
    }

    @Test
    @Fault(10)
    void whateverFramesAMessageHasTheyAreServedOrRefused() throws VerbsException {
        try (Target target = new Target()) {
            new Fuzzer(target.genuine())
                    .shortRun("whateverFramesAMessageHasTheyAreServedOrRefused", MOST, target::deliver);
        }
    }

    @Test
    @Fault(10)
    @Tag("slow")
    void whateverFramesAMessageHasForLongTheyAreServedOrRefused() throws VerbsException {
        try (Target target = new Target()) {
            new Fuzzer(target.genuine())
                    .longRun("whateverFramesAMessageHasForLongTheyAreServedOrRefused", target::deliver);
        }
    }

    /** Through a queue pair, which has to be made anew for each message that is refused. */
    @Test
    @Fault(10)
    @Tag("slow")
    void whateverMessageComesForLongIsServedOrLosesThatPeerAlone() throws VerbsException {
        try (Target target = new Target()) {
            new Fuzzer(target.genuine())
                    .longRun("whateverMessageComesForLongIsServedOrLosesThatPeerAlone", target::receive);
            assertThat(target.jobs).isGreaterThan(1);
        }
    }

    /**
     * Rank 0 of three, to which rank 1 sends what is made up and rank 2 what is right. When rank 1 is lost, all begin anew. One
     * thread makes the calls of all of them.
     */
    private final class Target implements FrameHandler, AutoCloseable {
        private final FrameHandler uninterested = new FrameHandler() {
            @Override
            public void onFrame(int peer, MemorySegment memory, long offset, int length) {
                // only answers come here
            }

            @Override
            public void onPeerLost(int peer, String reason) {
                // it deserves it
            }
        };
        private final byte[] array = new byte[REGION_BYTES];
        private final SendRequest request = new SendRequest();
        private final MemorySegment outgoing = Arena.ofAuto().allocate(LONGEST, 8);
        private final Sizes sizes = Sizes.of(LinkOptions.DEFAULT, VerbsOptions.of(0), 3);
        private final Attachment attachment;
        private final ReceivePool pool;
        private final List<VerbsLink> ranks = new ArrayList<>();
        private List<? extends Wireup> wireups = List.of();
        private Region region;
        private int jobs;
        private long bytesTaken;
        private int fromTheOther;
        private boolean lost;

        Target() throws VerbsException {
            attachment = Attachment.open(VerbsOptions.of(0), sizes, 3);
            pool = attachment.keep(new ReceivePool(attachment, sizes, reason -> {}));
            pool.admit();
            begin();
        }

        private void begin() {
            jobs++;
            lost = false;
            wireups = newJob(3);
            for (Wireup each : wireups) {
                ranks.add((VerbsLink) provider().open(each, LinkOptions.DEFAULT));
            }
            region = ranks.getFirst().rma().register(MemorySegment.ofArray(array));
            for (int peer = 1; peer < 3; peer++) {
                Connection here = ranks.getFirst().connections().to(peer);
                Connection there = ranks.get(peer).connections().to(0);
                ranks.getFirst().connect(peer);
                await("the connections", () -> here.isUp() && there.isUp());
            }
        }

        private void await(String what, BooleanSupplier condition) {
            Deadline.after(RankThreads.LIMIT).await(what, () -> {
                poll();
                return condition.getAsBoolean();
            });
        }

        private void poll() {
            ranks.getFirst().poll(this, 64);
            ranks.get(1).poll(uninterested, 64);
            ranks.get(2).poll(uninterested, 64);
        }

        /** The immediate word and the message. */
        private static byte[] message(int word, long... contents) {
            ByteBuffer bytes = ByteBuffer.allocate(4 + 8 * contents.length).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(word);
            for (long each : contents) {
                bytes.putLong(each);
            }
            return bytes.array();
        }

        List<byte[]> genuine() {
            int word = Word.of(Word.FRAMES, 1, 0);
            long transfer = Frames.header(Frames.TRANSFER, TransferFrame.BYTES);
            PeerInfo attacker = ranks.getFirst().connections().to(1).info();
            long rkey = attacker.flushKey();
            long key = RemoteRegion.read(Descriptor.of(region)).key();
            return List.of(
                    message(word, Frames.header(Frames.FRAME, 8), 5),
                    message(word, Frames.header(Frames.FRAME, 0), Frames.header(Frames.FRAME, 20), 1, 2, 3),
                    message(Word.of(Word.CREDIT, 1, 1)),
                    message(word, transfer, TransferFrame.GET, 1, key, 8, 64, attacker.flushAddress(), rkey),
                    message(word, transfer, TransferFrame.PUT, 2, key, 0, 4096, attacker.flushAddress(), rkey),
                    message(word, transfer, TransferFrame.OVER, 3, 0, 0, 0, 0, 0));
        }

        /** Has the frames read that follow the immediate word, as if they had come. */
        void deliver(byte[] bytes) {
            int skipped = Math.min(bytes.length, Integer.BYTES);
            int length = Math.min(bytes.length - skipped, sizes.slotBytes());
            MemorySegment.copy(bytes, skipped, pool.memory(0), ValueLayout.JAVA_BYTE, pool.offset(0), length);
            Connection attacked = ranks.getFirst().connections().to(1);
            Inbound inbound = new Inbound(1, pool, sizes);
            assertThat(inbound.add(0, length)).isTrue();
            bytesTaken = 0;
            try {
                while (inbound.hasMore()) {
                    inbound.deliver(this, ranks.getFirst().transfers(), attacked, 3);
                }
            } catch (ProtocolException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
            goOn(length);
        }

        /** Sends it, and looks at what comes of it. */
        void receive(byte[] bytes) {
            ByteBuffer input = ByteBuffer.wrap(Arrays.copyOf(bytes, Math.clamp(bytes.length, 4, LONGEST)))
                    .order(ByteOrder.LITTLE_ENDIAN);
            int word = input.getInt();
            int length = input.remaining();
            outgoing.asByteBuffer().put(input);
            QueuePair pair = ranks.get(1).connections().to(0).pair();
            if (pair != null) {
                request.send(0, outgoing.address(), length, 0, true, false).withImmediate(word);
                assertThat(pair.post(request)).isZero();
            }
            bytesTaken = 0;
            goOn(length);
        }

        private void goOn(int length) {
            for (int look = 0; look < 3; look++) {
                poll();
            }
            assertThat(bytesTaken).isLessThanOrEqualTo(length);
            Connection attacked = ranks.getFirst().connections().to(1);
            if (lost
                    || attacked.hasInbound()
                    || !attacked.isUp()
                    || !ranks.get(1).connections().to(0).isUp()) {
                othersAreServed();
                end();
                begin();
            }
        }

        private void othersAreServed() {
            int before = fromTheOther;
            Channel channel = ranks.get(2).connect(0);
            long claim = channel.claim(8);
            assertThat(claim).isNotNegative();
            channel.commit(claim, 8);
            channel.flush();
            await("a frame of rank 2", () -> fromTheOther > before);
        }

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            assertThat(memory.asSlice(offset, length).byteSize()).isEqualTo(length); // it lies where there is memory
            if (peer == 2) {
                fromTheOther++;
            } else {
                bytesTaken += length;
            }
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            assertThat(peer).as("whoever is lost because %s", reason).isNotEqualTo(2);
            lost = true;
        }

        private void end() {
            region.close();
            ranks.forEach(VerbsLink::close);
            ranks.clear();
            wireups.forEach(Wireup::close);
        }

        @Override
        public void close() {
            end();
            attachment.close();
        }
    }
}
