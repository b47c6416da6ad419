package org.galerna.messaging.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.messaging.connection.SentFrames.CONCURRENT;
import static org.galerna.messaging.connection.SentFrames.LONG;
import static org.galerna.messaging.connection.SentFrames.ORDERED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.galerna.link.Channel;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.FuzzTarget;
import org.galerna.messaging.Handling;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.connection.SentFrames.Text;
import org.galerna.messaging.counters.NodeCounters;
import org.galerna.messaging.dispatch.BatchPool;
import org.galerna.messaging.dispatch.Deliverer;
import org.galerna.messaging.dispatch.Dispatcher;
import org.galerna.messaging.dispatch.LateRequests;
import org.galerna.messaging.dispatch.ReceiverTable;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.dispatch.VirtualDeliveries;
import org.galerna.messaging.dispatch.WorkItem;
import org.galerna.messaging.events.NodeEvents;
import org.galerna.messaging.flow.Advance;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.pending.Completions;
import org.galerna.messaging.pending.PendingRequest;
import org.galerna.messaging.pending.PendingRequests;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.support.CoarseClock;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.support.NodeLife;
import org.galerna.messaging.support.TimeLimit;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.galerna.messaging.waiting.ResponseWaiters;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.testkit.Fuzzer;
import org.galerna.testkit.Seeds;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever frames come, in whatever order: each is handled and counted as the sender counts it, or ends its connection for a
 * reason that says what is wrong with it.
 */
class FrameDecodersTest {
    private static final int INPUTS = DecoderInputs.NUMBER;
    private static final int PEER = 2;
    private static final int WINDOW = 1 << 20;
    private static final int LONGEST_MESSAGE = 1 << 20;
    private static final int MOST_FRAMES = 8;

    /** Each of many messages that cannot be read is reported. */
    private static final Logger REPORTS = Logger.getLogger(MessagingNode.class.getName());

    private int received;
    private int answered;
    private final Random random = new Random(Seeds.next("frames"));
    private final SentFrames sent = new SentFrames(random);
    private final NodeCounters counters = new NodeCounters();
    private final HandlerWakeup wakeup = new HandlerWakeup();
    private final FailureLog failures = new FailureLog(1);
    private final NodeEvents events = new NodeEvents(1, null, failures);
    private final PendingRequests requests = new PendingRequests(0, counters, events);
    private final Dispatcher dispatcher = new Dispatcher(2, new ResponseWaiters(new CoarseClock(), wakeup), wakeup);
    private final Completions completions = new Completions("frames", failures, wakeup);
    private final TypeTable types = new TypeTable(List.of(ORDERED));

    private final ReceiverTable receivers = new ReceiverTable(List.of(
            new Registration<>(ORDERED, Handling.ORDERED, (text, from) -> {
                received++;
                if (from.isRequest()) {
                    from.respond(text);
                }
            }),
            new Registration<>(CONCURRENT, Handling.CONCURRENT, (_, _) -> received++)));

    private final Deliverer deliverer = new Deliverer(
            receivers, types, new NodeLife(), counters, failures, events, new VirtualDeliveries("frames"));

    private final ReceiveContext context = new ReceiveContext(
            types, receivers, LONGEST_MESSAGE, new BatchPool(), dispatcher, requests, completions, counters);

    private Link out;
    private Link in;
    private Channel channel;

    @BeforeEach
    void open() {
        REPORTS.setLevel(Level.OFF);
        List<InProcessWireup> wireups = InProcessWireup.create(2, (_, _, _) -> {});
        LinkOptions options = new LinkOptions(1024, 256 * 1024, true);
        in = LinkProvider.named("threads").open(wireups.get(0), options);
        out = LinkProvider.named("threads").open(wireups.get(1), options);
        channel = out.connect(0);
    }

    @AfterEach
    void close() {
        out.close();
        in.close();
        REPORTS.setLevel(null);
    }

    /** A connection as far as frames see it. */
    private final class Session implements Inbound.Owner {
        private final Advance advance = new Advance();
        private final LateRequests late = new LateRequests(4);
        private final Credit credit = new Credit(WINDOW);
        private final Farewell farewell = new Farewell(new Farewell.Side() {
            @Override
            public boolean pause() {
                return true;
            }

            @Override
            public void resume() {
                // nothing is sent
            }

            @Override
            public boolean say(int kind) {
                return true;
            }
        });
        private final Inbound inbound = new Inbound(this, context, in, credit, WINDOW);
        private final PendingRequest request =
                requests.begin(PEER, LONG, TimeLimit.deadline(LONG), Text.class, null, new CompletableFuture<>());
        private long expected;
        private long handled;
        private @Nullable String lost;

        Session(boolean hasSent, boolean leaves) {
            request.goesBy(this);
            if (hasSent) {
                int ignored = credit.take(64, 2, false, false);
            }
            if (leaves) {
                farewell.propose();
            }
        }

        /** Takes a frame, and handles what is complete. */
        void take(byte[] frame) {
            long claim = channel.claim(frame.length);
            assertThat(claim).isNotNegative();
            MemorySegment.copy(MemorySegment.ofArray(frame), 0, channel.memory(), Channel.offset(claim), frame.length);
            channel.commit(claim, frame.length);
            channel.flush();
            int ignored = inbound.poll(1);
            handle();
            if (lost != null) {
                if (!lost.startsWith("it does not keep to the protocol: ") || lost.endsWith("null")) {
                    throw new AssertionError(lost + ": " + Arrays.toString(frame));
                }
                return;
            }
            expected += cost(frame);
            if (handled != expected) {
                throw new AssertionError(
                        "handled " + handled + " bytes of " + expected + " after " + Arrays.toString(frame));
            }
        }

        /** What the sender counts. */
        private static long cost(byte[] frame) {
            return switch (Frames.kind(Frames.word(frame, 0))) {
                case Frames.MANY -> frame.length - Frames.HEADER_BYTES;
                case Frames.GOODBYE, Frames.STAY, Frames.CONFIRM -> 0;
                default -> Credit.cost(frame.length);
            };
        }

        private void handle() {
            WorkItem item;
            while ((item = dispatcher.take()) != null) {
                item.open(deliverer);
                dispatcher.done(item);
                item.discard();
            }
            completions.runDue();
            if (farewell.isDue() && farewell.answer()) {
                lose("it does not keep to the protocol: both have said goodbye");
            }
        }

        void end() {
            inbound.close();
            handle();
            if (requests.takeAll(this).isEmpty()) {
                answered++;
            }
        }

        @Override
        public int peer() {
            return PEER;
        }

        @Override
        public Dispatcher.Lane lane() {
            return dispatcher.lane(PEER);
        }

        @Override
        public Advance advance() {
            return advance;
        }

        @Override
        public LateRequests late() {
            return late;
        }

        @Override
        public void processed(int messages, int bytes) {
            handled += bytes;
        }

        @Override
        public void respond(long number, Object response) {
            assertThat(response).isInstanceOf(Text.class);
        }

        /** A message that cannot be read is malformed, or of no type that is received; everything else is a fault. */
        @Override
        public void respondFailure(long number, MessagingException.Reason kind, String text) {
            if (kind != MessagingException.Reason.OVERLOADED
                    && !text.startsWith(MalformedMessageException.class.getName() + ": ")
                    && !text.contains("no receiver is registered for messages of type")) {
                throw new AssertionError(text);
            }
        }

        @Override
        public void lose(String reason) {
            lost = reason;
        }

        @Override
        public boolean isLost() {
            return lost != null;
        }

        @Override
        public long handledBytes() {
            return handled;
        }

        @Override
        public void goodbyeHeard() {
            farewell.hearGoodbye();
        }

        @Override
        public void stayHeard() {
            farewell.hearStay();
        }
    }

    @Test
    void framesAreHandledAndCountedOrEndTheirConnection() {
        int ended = 0;
        int sessions = 0;
        for (int frames = 0; frames < INPUTS; sessions++) {
            Session session = new Session(random.nextBoolean(), random.nextInt(4) == 0);
            for (int each = 0; each < MOST_FRAMES && session.lost == null; each++) {
                for (byte[] frame : sent.plausible(session.request.id())) {
                    if (session.lost == null) {
                        byte[] bytes =
                                random.nextInt(8) == 0 ? new Fuzzer(List.of(frame)).input(random.nextLong()) : frame;
                        session.take(bytes.length == 0 ? new byte[1] : bytes);
                        frames++;
                    }
                }
            }
            ended += session.lost == null ? 0 : 1;
            session.end();
        }
        assertThat(ended).isBetween(sessions / 4, sessions - sessions / 20);
        assertThat(received).isGreaterThan(INPUTS / 4);
        assertThat(answered).isGreaterThan(sessions / 10);
        assertThat(requests.size()).isZero();
        assertThat(dispatcher.messages()).isZero();
    }

    /** A byte of what has happened, and frames, each behind a byte of its length. */
    public static final class Target implements FuzzTarget {
        /** Stands for the request that there is. */
        private static final long REQUEST = 4711;

        private final FrameDecodersTest test = new FrameDecodersTest();

        public Target() {
            test.open();
        }

        @Override
        public List<byte[]> seeds() {
            return Stream.generate(() -> test.sent.plausible(REQUEST))
                    .limit(100)
                    .map(Target::seed)
                    .toList();
        }

        private static byte[] seed(List<byte[]> frames) {
            ByteBuffer seed = ByteBuffer.allocate(
                    1 + frames.stream().mapToInt(each -> 256).sum());
            seed.put((byte) 1);
            for (byte[] each : frames) {
                int length = Math.min(each.length, 255);
                seed.put((byte) length).put(each, 0, length);
            }
            return Arrays.copyOf(seed.array(), seed.position());
        }

        @Override
        public void read(byte[] bytes) {
            if (bytes.length == 0) {
                return;
            }
            Session session = test.new Session((bytes[0] & 1) != 0, (bytes[0] & 2) != 0);
            for (int at = 1; at < bytes.length && session.lost == null; ) {
                int end = Math.min(bytes.length, at + 1 + Math.max(1, bytes[at] & 0xff));
                byte[] frame = Arrays.copyOfRange(bytes, Math.min(at + 1, end - 1), end);
                if (frame.length >= 2 * Long.BYTES && Frames.word(frame, Long.BYTES) == REQUEST) {
                    Frames.setWord(frame, Long.BYTES, session.request.id());
                }
                session.take(frame);
                at = end;
            }
            session.end();
        }
    }
}
