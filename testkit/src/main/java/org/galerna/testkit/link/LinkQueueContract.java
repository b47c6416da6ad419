package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.Wireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What links keep in jobs of many ranks, which write to a receive queue, with and without rings for busy pairs. They keep {@link
 * LinkContract} too.
 */
public abstract class LinkQueueContract implements LinkSubject {
    /** System property with the number of rings of busy pairs that each rank has room for. */
    protected static final String RINGS = "galerna.private.rings";

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final AtomicInteger moves = new AtomicInteger();
    private final AtomicInteger releases = new AtomicInteger();

    /** For subclasses. */
    protected LinkQueueContract() {}

    @BeforeEach
    final void onlyTheQueue() {
        System.setProperty(RINGS, "0");
    }

    @AfterEach
    final void asUsual() {
        System.clearProperty(RINGS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void framesOfASenderKeepTheirOrderWhenItsChannelMoves(int rings) {
        System.setProperty(RINGS, String.valueOf(rings));
        long seed = Seeds.next("framesOfASenderKeepTheirOrderWhenItsChannelMoves");
        int ranks = 5;
        int frames = 20_000;
        AtomicInteger ready = new AtomicInteger();
        List<? extends Wireup> job = newJob(ranks);
        RankThreads.run(ranks, rank -> {
            Wireup wireup = job.get(rank);
            try (Link link = provider().open(wireup, LinkOptions.DEFAULT)) {
                wireup.fence();
                Talker talker = new Talker(link, wireup.rank(), ranks, new Random(seed + wireup.rank()));
                for (int frame = 0; frame < frames; frame++) {
                    talker.send(frame);
                }
                talker.finish();
                ready.incrementAndGet();
                Deadline.after(RankThreads.LIMIT).await("all have everything", () -> {
                    talker.poll();
                    return ready.get() == ranks;
                });
            }
        });
        assertThat(moves).as("channels that got a ring").hasPositiveValue();
        if (rings < ranks - 1) {
            assertThat(releases).as("rings given back").hasPositiveValue();
        }
    }

    /** Sends numbered frames to others, in phases to one of them more than to the rest, and checks the numbers that come. */
    private final class Talker implements FrameHandler {
        private static final int PHASE = 4000;
        private static final int HEADER = 2 * Long.BYTES;

        private final Link link;
        private final int rank;
        private final Random random;
        private final long[] sent;
        private final long[] received;
        private final long[] total;
        private final boolean[] asked;
        private int favourite;

        Talker(Link link, int rank, int ranks, Random random) {
            this.link = link;
            this.rank = rank;
            this.random = random;
            this.sent = new long[ranks];
            this.received = new long[ranks];
            this.total = IntStream.range(0, ranks).mapToLong(_ -> -1).toArray();
            this.asked = new boolean[ranks];
        }

        void send(int frame) {
            if (frame % PHASE == 0) {
                favourite = random.nextInt(sent.length);
            }
            // the others hear nothing in some phases, so that their rings fall silent
            int peer = frame / PHASE % 2 == 0 || random.nextInt(10) < 8 ? favourite : random.nextInt(sent.length);
            int length = HEADER + (random.nextInt(20) == 0 ? random.nextInt(8000) : random.nextInt(80));
            write(peer, length, -1);
            sent[peer]++;
            if (random.nextInt(4) == 0) {
                poll();
            }
        }

        void sendTo(int peer) {
            write(peer, HEADER, -1);
            sent[peer]++;
        }

        void awaitFromAllOthers(int frames) {
            Deadline.after(RankThreads.LIMIT).await(frames + " frames of each", () -> {
                poll();
                return IntStream.range(0, received.length).allMatch(peer -> peer == rank || received[peer] >= frames);
            });
        }

        void finish() {
            for (int peer = 0; peer < sent.length; peer++) {
                write(peer, HEADER, sent[peer]);
            }
            Deadline.after(RankThreads.LIMIT).await("the last frames for rank " + rank, () -> {
                poll();
                return IntStream.range(0, total.length).allMatch(peer -> received[peer] == total[peer]);
            });
        }

        private void write(int peer, int length, long last) {
            Deadline deadline = Deadline.after(RankThreads.LIMIT);
            Channel channel = link.connect(peer);
            if (asked[peer]) {
                asked[peer] = false;
                channel.release();
                releases.incrementAndGet();
            }
            long claim;
            while ((claim = channel.claim(length)) < 0) {
                if (claim == Channel.MOVED) {
                    channel = link.connect(peer);
                    moves.addAndGet(channel.early() == null ? 0 : 1);
                } else {
                    assertThat(claim).isEqualTo(Channel.BACK_PRESSURE);
                    poll();
                    deadline.check("room for a frame to rank " + peer);
                }
            }
            MemorySegment memory = channel.memory();
            long at = Channel.offset(claim);
            memory.set(LONG, at, sent[peer]);
            memory.set(LONG, at + Long.BYTES, last);
            memory.asSlice(at + HEADER, length - HEADER).fill((byte) sent[peer]);
            channel.commit(claim, length);
            channel.flush();
        }

        void poll() {
            int handled = link.poll(this, 1 + random.nextInt(64));
            if (handled == 0) {
                Thread.yield();
            }
        }

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int length) {
            long number = memory.get(LONG, offset);
            assertThat(number).as("number of the next frame from rank %s", peer).isEqualTo(received[peer]);
            for (int at = HEADER; at < length; at++) {
                if (memory.get(ValueLayout.JAVA_BYTE, offset + at) != (byte) number) {
                    throw new AssertionError("byte " + at + " of frame " + number + " from rank " + peer);
                }
            }
            long last = memory.get(LONG, offset + Long.BYTES);
            if (last >= 0) {
                total[peer] = last;
            } else {
                received[peer]++;
            }
        }

        @Override
        public void onReleaseAsked(int peer) {
            asked[peer] = true;
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            assertThat(received[peer])
                    .as("frames of rank %s when it left", peer)
                    .isEqualTo(total[peer]);
        }
    }

    /** All ranks send to one in step, so each pair is as busy as the others. */
    @Test
    void ringsOfEqualSendersStay() {
        System.setProperty(RINGS, "2");
        int ranks = 20;
        int rounds = 500;
        AtomicInteger round = new AtomicInteger();
        List<? extends Wireup> job = newJob(ranks);
        RankThreads.run(ranks, rank -> {
            Wireup wireup = job.get(rank);
            try (Link link = provider().open(wireup, LinkOptions.DEFAULT)) {
                wireup.fence();
                Talker talker = new Talker(link, wireup.rank(), ranks, new Random(rank));
                for (int number = 0; number < rounds; number++) {
                    if (rank == 0) {
                        talker.awaitFromAllOthers(number + 1);
                        round.incrementAndGet();
                    } else {
                        talker.sendTo(0);
                        int sent = number + 1;
                        Deadline.after(RankThreads.LIMIT).await("round " + sent, () -> {
                            talker.poll();
                            return round.get() >= sent;
                        });
                    }
                }
                talker.finish();
            }
        });
        assertThat(releases).as("rings given back").hasValue(0);
    }

    @Test
    void aPeerIsReportedAfterTheLastFrameOfItsRing() {
        System.setProperty(RINGS, "1");
        for (int frames : new int[] {1, 16, 17, 100}) {
            runJob(3, rank -> {
                if (rank.rank() == 0) {
                    for (int number = 0; number < frames; number++) {
                        rank.expect(1, 24, number);
                        rank.expect(2, 24, number);
                    }
                    rank.pollUntil("both have left", () -> rank.lost().size() == 2);
                } else {
                    for (int number = 0; number < frames; number++) {
                        rank.send(0, 24, number);
                    }
                }
            });
        }
    }
}
