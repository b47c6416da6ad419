package org.galerna.link.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.galerna.link.LinkOptions;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.adapter.VerbsOptions;
import org.galerna.link.verbs.connecting.PeerAddress;
import org.galerna.link.verbs.wire.ControlMessage;
import org.galerna.link.verbs.wire.PeerInfo;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.QueuePairAddress;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What travels between ranks, and what is made of it when it is something else. */
class FormatsTest {
    @AfterEach
    void forgetOptions() {
        System.getProperties().keySet().removeIf(key -> key.toString().startsWith(VerbsOptions.PREFIX));
    }

    @Test
    void theWordHoldsWhatWasPutIn() {
        int word = Word.of(Word.FRAMES, 65_535, Word.MOST_CREDITS);
        assertThat(Word.kind(word)).isEqualTo(Word.FRAMES);
        assertThat(Word.rank(word)).isEqualTo(65_535);
        assertThat(Word.credits(word)).isEqualTo(Word.MOST_CREDITS);
        long header = Frames.withWord(Frames.header(Frames.TRANSFER, 56), word);
        assertThat(Frames.word(header)).isEqualTo(word);
        assertThat(Frames.type(header)).isEqualTo(Frames.TRANSFER);
        assertThat(Frames.length(header)).isEqualTo(56);
    }

    @Test
    void controlMessagesArriveAsTheyWereSent() throws ProtocolException {
        MemorySegment memory = Arena.ofAuto().allocate(256, 8);
        byte[] gid = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
        byte[] token = {-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16};
        PeerInfo info = new PeerInfo(16384, 64, 1024, 0x1122334455667788L, -7, new QueuePairAddress(17, 99, 3, gid));
        new ControlMessage(ControlMessage.INVITE, info, token, 5).write(memory, 8);
        ControlMessage read = ControlMessage.read(memory, 8, ControlMessage.BYTES);
        assertThat(read)
                .usingRecursiveComparison()
                .isEqualTo(new ControlMessage(ControlMessage.INVITE, info, token, 5));
    }

    @Test
    @Fault({3, 6})
    void garbageInControlMessagesAndTransferFramesIsFound() {
        Random random = new Random(7);
        MemorySegment memory = Arena.ofAuto().allocate(256, 8);
        for (int length : new int[] {0, 1, 55, 57, 79, 81, 200}) {
            assertThatThrownBy(() -> ControlMessage.read(memory, 0, length)).isInstanceOf(ProtocolException.class);
            assertThatThrownBy(() -> TransferFrame.read(memory, 0, length)).isInstanceOf(ProtocolException.class);
        }
        for (int round = 0; round < 100; round++) {
            int kind = random.nextInt() | 0x100;
            memory.set(Frames.INT, 0, kind);
            assertThatThrownBy(() -> ControlMessage.read(memory, 0, ControlMessage.BYTES))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining(String.valueOf(kind));
            assertThatThrownBy(() -> TransferFrame.read(memory, 0, TransferFrame.BYTES))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining(String.valueOf(kind));
        }
    }

    @Test
    @Fault(8)
    void addressesArePublishedAndCompared() throws Exception {
        InetSocketAddress listener = new InetSocketAddress(InetAddress.getByName("10.77.0.1"), 4711);
        PeerAddress roce = new PeerAddress("roce", "rxe0 port 1", listener);
        assertThat(PeerAddress.decode(roce.encode())).isEqualTo(roce);
        PeerAddress without = new PeerAddress("roce", "rxe0 port 1", null);
        assertThat(PeerAddress.decode(without.encode())).isEqualTo(without);
        assertThat(roce.against(roce)).isEmpty();
        assertThat(roce.against(without))
                .hasValueSatisfying(reason -> assertThat(reason).contains("exchange"));
        assertThat(roce.against(new PeerAddress("iwarp", "siw0 port 1", listener)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("iwarp", "siw0"));
        for (String wrong : new String[] {"", "roce", "roce\nx\ny", "roce\nx\n10.0.0.1", "roce\nx\n10.0.0.1 x"}) {
            assertThatThrownBy(() -> PeerAddress.decode(wrong.getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @Fault(8)
    void optionsAreReadAndWrongOnesAreNamed() {
        System.setProperty("galerna.verbs.adapter", "mlx5_1, mlx5_0");
        System.setProperty("galerna.verbs.gid.index", "3,4,5");
        System.setProperty("galerna.verbs.connect", "exchange");
        System.setProperty("galerna.verbs.receive.depth", "2");
        System.setProperty("galerna.verbs.send.depth", "1");
        assertThat(VerbsOptions.of(1).adapter()).isEqualTo("mlx5_0");
        assertThat(VerbsOptions.of(5).gidIndex()).isEqualTo(5);
        VerbsOptions options = VerbsOptions.of(2);
        assertThat(options.adapter()).isEqualTo("mlx5_1");
        assertThat(options.gidIndex()).isEqualTo(5);
        assertThat(options.connect()).isEqualTo(VerbsOptions.Connect.EXCHANGE);
        assertThat(options.mtu()).isZero();
        Sizes sizes = Sizes.of(LinkOptions.DEFAULT, options, 4);
        assertThat(sizes.credits()).isEqualTo(2);
        assertThat(sizes.sends()).isOne();
        assertThat(sizes.creditThreshold()).isOne();
        for (String wrong : new String[] {
            "mtu=1000", "mtu=many", "port=-1", "connect=somehow", "send.depth=0", "adapter=a,,b", "gid.index=1,x,2"
        }) {
            String[] parts = wrong.split("=");
            System.setProperty(VerbsOptions.PREFIX + parts[0], parts[1]);
            assertThatThrownBy(() -> VerbsOptions.of(1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(VerbsOptions.PREFIX + parts[0]);
            System.clearProperty(VerbsOptions.PREFIX + parts[0]);
        }
    }

    @Test
    void everyFrameFitsIntoTheRingBesideWhatNobodyHasAskedACompletionFor() {
        for (int ranks : new int[] {1, 8, 9, 32, 33, 1000}) {
            for (int ring : new int[] {0, 4096, 65536}) {
                Sizes sizes = Sizes.of(new LinkOptions(0, ring, false), VerbsOptions.of(0), ranks);
                assertThat(sizes.maximumFrame()).isGreaterThanOrEqualTo(1024);
                assertThat(sizes.slotBytes() % 8).isZero();
                assertThat(2 * sizes.slotBytes() + sizes.ringBytes() / 4).isLessThanOrEqualTo(sizes.ringBytes());
            }
        }
    }
}
