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
 * First bytes of regions that come before they are asked for: they are those of that region, whatever is asked for then; and
 * who has announced a region is told once that it has been read.
 */
class EarlyBytesTest {
    private static final FrameHandler NOTHING = NoFrames.INSTANCE;
    private static final int LONG = 6 * TransferLayout.CHUNK + 5;
    private static final int EARLY = TransferLayout.EARLY_MOST;
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

        /** As a sender that is about to tell the receiver; the bytes are written when it polls. */
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

        void put() {
            open.incrementAndGet();
            receiver.rma().put(0, Descriptor.of(region), 0, MemorySegment.ofArray(bytes.clone()), failure -> {
                assertThat(failure).isNull();
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

    /** What the owner copies when it polls and nobody has asked for anything. */
    private long early() {
        long before = owner.copiedForPeers();
        owner.poll(told, 1);
        owner.poll(told, 1);
        return owner.copiedForPeers() - before;
    }

    @Test
    void theFirstBytesAreThereBeforeTheyAreAskedFor() {
        try (Message message = new Message(2, LONG).anticipate();
                Message small = new Message(3, 100)) {
            assertThat(early()).isEqualTo(EARLY);
            message.get(LONG);
            finish();
            small.anticipate();
            assertThat(early()).isEqualTo(100);
            small.get(100);
            assertThat(open).as("it needs nobody any more").hasValue(0);
            finish(); // and the owner is told when it polls
        }
    }

    @Test
    void theyWaitWhileSomethingElseIsAskedFor() {
        try (Message message = new Message(4, LONG).anticipate();
                Message other = new Message(5, LONG);
                Message third = new Message(6, LONG)) {
            assertThat(early()).isEqualTo(EARLY);
            other.get(LONG);
            third.anticipate();
            assertThat(early()).as("one at a time").isEqualTo(LONG); // of the other one
            third.put();
            third.get(7, 1000);
            finish();
            message.get(LONG);
            third.get(LONG);
            finish();
            assertThat(message.got).hasSize(1);
        }
    }

    @Test
    void asManyAreTakenAsAreAskedFor() {
        for (int length : new int[] {0, 1, 100, 4096, 4097, 20_000, EARLY - 1, EARLY, EARLY + 1, LONG}) {
            for (boolean written : new boolean[] {true, false}) {
                try (Message message = new Message(length, LONG).anticipate();
                        Message next = new Message(length + 1L, LONG)) {
                    if (written) {
                        early();
                    }
                    message.get(length);
                    next.get(LONG);
                    finish();
                    next.anticipate();
                    early();
                    next.get(LONG);
                    finish();
                }
            }
        }
    }

    @Test
    void thoseOfAMessageThatIsNeverAskedForMakeRoomWhenItIsClosed() {
        try (Message other = new Message(7, LONG)) {
            new Message(8, LONG).anticipate().close(); // before they are written
            assertThat(early()).isZero();
            try (Message unwanted = new Message(9, LONG).anticipate()) {
                assertThat(early()).isEqualTo(EARLY);
                assertThat(unwanted.got).isEmpty();
            }
            other.anticipate();
            assertThat(early()).isEqualTo(EARLY);
            other.get(LONG);
            finish();
        }
    }

    @Test
    void whoHasGotAllBytesEarlyMayLeaveAtOnce() {
        told.losesPeers = true;
        try (Message message = new Message(10, EARLY).anticipate()) {
            assertThat(early()).isEqualTo(EARLY);
            message.get(EARLY);
            assertThat(open).hasValue(0);
            receiver.close();
            Deadline.after(RankThreads.LIMIT).await("the receiver is lost", () -> {
                owner.poll(told, 1);
                return told.hasLost;
            });
        } // which looks whether the owner was told
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
