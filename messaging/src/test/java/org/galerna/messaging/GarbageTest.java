package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.messaging.connection.Connection;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Node;
import org.galerna.messaging.wire.Frames;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A peer whose frames are not what they should be: it is given up, and nobody else suffers. */
class GarbageTest {
    private static final int PEER = 2;
    private static final long LONGEST_MESSAGE = 1 << 20;

    record Text(String text) {}

    private static final MessageType<Text> TEXT = MessageType.record(1, 0, Text.class);

    /** Each of thousands of messages that cannot be read is reported. */
    private static final Logger REPORTS = Logger.getLogger(MessagingNode.class.getName());

    private static final String SERVED = "friend";

    private final Semaphore hold = new Semaphore(1);
    private final AtomicInteger received = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private final AtomicReference<String> ended = new AtomicReference<>();
    private Node inside;

    @BeforeEach
    void start() throws IOException {
        REPORTS.setLevel(Level.OFF);
        NodeConfig config = new NodeConfig(
                1,
                Map.of(1, Cluster.anyPort()),
                List.of(),
                null,
                new byte[16],
                List.of("threads"),
                1,
                1 << 20,
                LONGEST_MESSAGE,
                1000,
                1 << 20,
                1000,
                100,
                1024,
                256 * 1024,
                Cluster.PATIENCE,
                Cluster.PATIENCE,
                Duration.ofMillis(10));
        Registration<Text> registration = new Registration<>(TEXT.wire(), Handling.ORDERED, (text, _) -> {
            hold.acquire();
            hold.release();
            received.incrementAndGet();
            if (SERVED.equals(text.text())) { // and none of the messages before, which may still be waiting
                served.incrementAndGet();
            }
        });
        inside = new Node(config, List.of(TEXT.wire()), List.of(registration), new ConnectionListener() {
            @Override
            public void onDisconnected(int node, String reason, long unconfirmed) {
                ended.set(reason);
            }
        });
        inside.startThreads();
    }

    @AfterEach
    void stop() {
        inside.close();
        REPORTS.setLevel(null);
    }

    /** A connection of the node under test, and the other end of its link. */
    private final class Attack implements AutoCloseable {
        private final Link link;
        private final Channel channel;

        Attack() {
            ended.set(null);
            List<InProcessWireup> wireups = InProcessWireup.create(2, (_, _, _) -> {});
            LinkOptions options = new LinkOptions(1024, 256 * 1024, true);
            Link attacked = LinkProvider.named("threads").open(wireups.get(0), options);
            link = LinkProvider.named("threads").open(wireups.get(1), options);
            Connection connection = new Connection(inside.parts().connections(), PEER, 1, attacked, 1);
            channel = link.connect(0);
            inside.events().connected(connection);
        }

        void frame(long... words) {
            byte[] bytes = new byte[words.length * Long.BYTES];
            for (int word = 0; word < words.length; word++) {
                MemorySegment.ofArray(bytes)
                        .set(Frames.LONG.withByteAlignment(1), (long) word * Long.BYTES, words[word]);
            }
            frame(bytes, bytes.length);
        }

        /** False if the node does not take frames any more. */
        boolean frame(byte[] bytes, int length) {
            long claim;
            while ((claim = channel.claim(length)) == Channel.BACK_PRESSURE) {
                if (ended.get() != null) {
                    return false;
                }
                Thread.yield();
            }
            if (claim < 0) {
                return false;
            }
            MemorySegment.copy(MemorySegment.ofArray(bytes), 0, channel.memory(), Channel.offset(claim), length);
            channel.commit(claim, length);
            channel.flush();
            return true;
        }

        String awaitEnd() {
            Deadline.after(Cluster.PATIENCE).await("the end of the connection", () -> ended.get() != null);
            return ended.get();
        }

        @Override
        public void close() {
            link.close();
            Deadline.after(Cluster.PATIENCE).await("the end of the connection", () -> ended.get() != null);
        }
    }

    private static long header(int kind) {
        return Frames.header(kind, 0, TEXT.id());
    }

    @Fault(
            value = {3, 5, 6},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0      | a frame is of kind 0
            77     | a frame is of kind 77
            2      | a frame has 8 bytes
            3      | a frame has 8 bytes
            5      | a message in pieces is longer than it said
            7      | a frame has 8 bytes
            4294967304 | a frame of 1 messages has 0
            """)
    void aFrameOfEightBytesThatMeansNothingEndsItsConnection(long word, String reason) {
        try (Attack attack = new Attack()) {
            attack.frame(word == Frames.PIECE ? new long[] {word, 0} : new long[] {word});
            assertThat(attack.awaitEnd())
                    .contains("does not keep to the protocol")
                    .contains(reason);
        }
    }

    /** Its only handler has nothing to do with that: what has come and is not handled would take all memory. */
    @Fault(
            value = {3},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @Test
    void whoeverSendsMoreThanTheWindowLosesItsConnection() throws InterruptedException {
        hold.acquire();
        try (Attack attack = new Attack()) {
            byte[] text = new byte[32 * 1024];
            MemorySegment.ofArray(text)
                    .set(Frames.LONG.withByteAlignment(1), 0, Frames.withLength(header(Frames.MESSAGE), text.length));
            int frames = 0;
            while (attack.frame(text, text.length)) {
                frames++;
                assertThat(frames).isLessThan(1000); // the window has place for 32, the ring for 8
            }
            assertThat(attack.awaitEnd())
                    .contains("does not keep to the protocol")
                    .contains("bytes that are not handled, and " + (1 << 20) + " may be");
        } finally {
            hold.release();
        }
    }

    @Fault(
            value = {3},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @Test
    void lengthsAmongManyAreChecked() {
        for (int length : new int[] {-1, 0, 7, 17, 24, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            try (Attack attack = new Attack()) {
                attack.frame(Frames.MANY | 1L << 32, Frames.withLength(header(Frames.MESSAGE), length), 0);
                assertThat(attack.awaitEnd()).contains("a message among many has " + length + " bytes");
            }
        }
        try (Attack attack = new Attack()) {
            attack.frame(
                    Frames.MANY | 2L << 32,
                    Frames.withLength(header(Frames.MESSAGE), 8),
                    Frames.withLength(header(Frames.REQUEST), 8));
            assertThat(attack.awaitEnd()).contains("one of many is of kind 2");
        }
        assertThat(received).hasValue(0);
    }

    @Fault(
            value = {3},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @Test
    void aMessageInPiecesIsNotAllocatedBeforeItsLengthIsChecked() {
        for (long length : new long[] {-1, 0, LONGEST_MESSAGE + 1, 1L << 40, Long.MAX_VALUE}) {
            try (Attack attack = new Attack()) {
                attack.frame(Frames.header(Frames.PIECE, Frames.FIRST, 0), length, header(Frames.MESSAGE), 0);
                assertThat(attack.awaitEnd()).contains("a message in pieces has " + length + " bytes");
            }
        }
    }

    @Fault(
            value = {3, 6},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @Test
    void confirmationsOfWhatWasNotSentEndTheConnection() {
        try (Attack attack = new Attack()) {
            attack.frame(Frames.CONFIRM, 5 | 100L << 32);
            assertThat(attack.awaitEnd()).contains("it confirms more than was sent");
        }
    }

    @Test
    void aResponseThatNobodyHasAskedForIsCountedAndForgotten() {
        try (Attack attack = new Attack()) {
            attack.frame(header(Frames.RESPONSE), 4711, 0);
            Deadline.after(Cluster.PATIENCE)
                    .await("the response", () -> inside.statistics().lateResponses() == 1);
            assertThat(ended.get()).isNull();
        }
    }

    @Fault(
            value = {6, 10},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @Test
    void randomFramesHarmNobody() {
        fuzz(300);
    }

    @Fault(
            value = {6, 10},
            on = {Fault.Where.SHM, Fault.Where.TCP})
    @Tag("slow")
    @Test
    void manyRandomFramesHarmNobody() {
        fuzz(5_000);
    }

    private void fuzz(int attacks) {
        Random random = new Random(Seeds.next("garbage"));
        for (int each = 0; each < attacks; each++) {
            try (Attack attack = new Attack()) {
                boolean open = true;
                for (int frame = 0; frame < 8 && open; frame++) {
                    byte[] bytes = plausible(random);
                    open = attack.frame(
                            bytes, random.nextInt(3) == 0 ? random.nextInt(bytes.length + 1) : bytes.length);
                }
            }
        }
        // and it still serves
        try (Attack friend = new Attack()) {
            friend.frame(header(Frames.MESSAGE), textWord(SERVED));
            Deadline.after(Cluster.PATIENCE).await("a message", () -> served.get() == 1);
        }
    }

    /** A text of up to seven characters as it is written: its length and one, then its bytes. */
    private static long textWord(String text) {
        long word = text.length() + 1L;
        for (int at = 0; at < text.length(); at++) {
            word |= (long) text.charAt(at) << ((at + 1) * Byte.SIZE);
        }
        return word;
    }

    /** Random bytes behind a header that is often right. */
    private static byte[] plausible(Random random) {
        byte[] bytes = new byte[8 * (1 + random.nextInt(20))];
        random.nextBytes(bytes);
        MemorySegment words = MemorySegment.ofArray(bytes);
        if (random.nextInt(8) != 0) {
            words.set(Frames.LONG.withByteAlignment(1), 0, header(random.nextInt(11)) | (long) random.nextInt(4) << 32);
        }
        for (int word = 1; word < bytes.length / 8; word++) {
            if (random.nextBoolean()) {
                words.set(
                        Frames.LONG.withByteAlignment(1),
                        8L * word,
                        random.nextBoolean() ? random.nextInt(200) : header(random.nextInt(4)));
            }
        }
        return bytes;
    }
}
