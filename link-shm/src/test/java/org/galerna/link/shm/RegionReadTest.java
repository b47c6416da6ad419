package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.LinkOptions;
import org.galerna.link.Region;
import org.galerna.link.shm.transfer.TransferLayout;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The owner of a region that it has announced is told once that the peer has read it, and the peer gets the right bytes in whatever
 * order it asks.
 */
class RegionReadTest {
    private static final FrameHandler NOTHING = NoFrames.INSTANCE;
    private static final int LONG = 6 * TransferLayout.CHUNK + 5;
    private static final int ROUNDS = 2000;

    private SharedFolder folder;
    private ShmLink owner;
    private ShmLink receiver;
    private final AtomicInteger open = new AtomicInteger(); // transfers
    private final Told told = new Told();
    private long tokens;

    @BeforeEach
    void openTwoRanksThatHaveTalked() throws IOException {
        folder = new SharedFolder();
        List<InProcessWireup> job = SharedFolder.newJob(2);
        owner = (ShmLink) new ShmLinkProvider().open(job.get(0), LinkOptions.DEFAULT);
        receiver = (ShmLink) new ShmLinkProvider().open(job.get(1), LinkOptions.DEFAULT);
        try (Message first = new Message(1, 10)) {
            first.get(10);
            finish();
        }
    }

    @AfterEach
    void closeThem() throws IOException {
        owner.close();
        receiver.close();
        folder.close();
    }

    /** What the owner is told of its regions. */
    private static final class Told implements FrameHandler {
        private final Map<Long, Integer> times = new HashMap<>();
        private boolean losesPeers;
        private boolean hasLost;

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            NOTHING.onFrame(peer, memory, offset, length);
        }

        @Override
        public void onRegionRead(int peer, long token) {
            assertThat(hasLost).as("told after the peer was lost").isFalse();
            assertThat(peer).isEqualTo(1);
            times.merge(token, 1, Integer::sum);
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            hasLost = true;
            if (!losesPeers) {
                NOTHING.onPeerLost(peer, reason);
            }
        }
    }

    /** A region of the owner, with bytes of its own. */
    private final class Message implements AutoCloseable {
        final byte[] bytes;
        private final Region region;
        private final List<byte[]> got = new ArrayList<>();
        private final long token = tokens++;
        private boolean anticipated;

        Message(long seed, int length) {
            bytes = new byte[length];
            new Random(seed).nextBytes(bytes);
            region = owner.rma().register(MemorySegment.ofArray(bytes));
        }

        /** As a sender that is about to tell the receiver. */
        Message anticipate() {
            assertThat(owner.rma().anticipate(1, region, token)).isTrue();
            anticipated = true;
            return this;
        }

        void get(int length) {
            get(0, length);
        }

        void get(int offset, int length) {
            byte[] local = new byte[length];
            open.incrementAndGet();
            receiver.rma().get(0, Descriptor.of(region), offset, MemorySegment.ofArray(local), failure -> {
                assertThat(failure).isNull();
                assertThat(local).isEqualTo(Arrays.copyOfRange(bytes, offset, offset + length));
                got.add(local);
                open.decrementAndGet();
            });
        }

        @Override
        public void close() {
            assertThat(told.times.getOrDefault(token, 0))
                    .as("times that the owner was told of a region that was got %s times", got.size())
                    .isEqualTo(anticipated && !got.isEmpty() ? 1 : 0);
            region.close();
        }
    }

    private void finish() {
        Deadline.after(RankThreads.LIMIT).await("the transfers are over", () -> {
            receiver.poll(NOTHING, 1);
            owner.poll(told, 1);
            return open.get() == 0;
        });
    }

    @Test
    void asManyAreTakenAsAreAskedFor() {
        for (int length : new int[] {0, 1, 100, 4096, 4097, 20_000, TransferLayout.CHUNK, LONG - 1, LONG}) {
            try (Message message = new Message(length, LONG).anticipate();
                    Message next = new Message(length + 1L, LONG)) {
                message.get(length);
                next.get(LONG);
                finish();
                next.anticipate();
                next.get(LONG);
                finish();
            }
        }
    }

    @Test
    void whoHasBeenToldThatAllIsReadMayLeaveAtOnce() {
        told.losesPeers = true;
        Told lost = new Told();
        lost.losesPeers = true;
        try (Message message = new Message(11, LONG).anticipate()) {
            message.get(LONG);
            Deadline.after(RankThreads.LIMIT).await("the owner is told", () -> {
                owner.poll(told, 1);
                return told.times.containsKey(message.token);
            });
            assertThat(open).as("the bytes lie in the ring").hasValue(1);
            owner.close();
            Deadline.after(RankThreads.LIMIT).await("the owner is lost", () -> {
                receiver.poll(lost, 1);
                return lost.hasLost;
            });
            assertThat(message.got).hasSize(1);
        }
    }

    @Test
    void allOrdersOfAskingGetTheRightBytes() {
        long seed = Seeds.next("allOrdersOfAskingGetTheRightBytes");
        Random random = new Random(seed);
        Deque<Message> messages = new ArrayDeque<>();
        for (int round = 0; round < ROUNDS; round++) {
            switch (random.nextInt(6)) {
                case 0, 1 -> {
                    Message made = new Message(random.nextLong(), random.nextInt(LONG));
                    messages.add(random.nextInt(4) > 0 ? made.anticipate() : made);
                }
                case 2 -> owner.poll(told, 1);
                case 3 -> receiver.poll(NOTHING, 1);
                default -> {
                    Message any = random.nextBoolean() ? messages.peekFirst() : messages.peekLast();
                    if (any != null && random.nextInt(3) > 0) {
                        any.get(random.nextBoolean() ? any.bytes.length : random.nextInt(any.bytes.length + 1));
                    }
                    if (any != null && random.nextInt(3) > 0) {
                        finish();
                        messages.remove(any);
                        any.close();
                    }
                }
            }
        }
        finish();
        messages.forEach(Message::close);
    }
}
