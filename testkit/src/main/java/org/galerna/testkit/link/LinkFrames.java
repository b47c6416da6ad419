package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.Channel;
import org.galerna.link.EarlyChannel;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkTraits;
import org.galerna.testkit.AllocatedBytes;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every link keeps about frames. */
interface LinkFrames extends LinkSubject {
    @Test
    default void carriesFramesOfEverySizeBothWays() {
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            List<Integer> sizes = sizes(rank.link().traits());
            for (int number = 0; number < sizes.size(); number++) {
                rank.send(peer, sizes.get(number), Payload.seed(rank.rank(), number));
                rank.expect(peer, sizes.get(number), Payload.seed(peer, number));
            }
        });
    }

    /** Lengths about each limit, twice each. */
    static List<Integer> sizes(LinkTraits link) {
        TreeSet<Integer> sizes = new TreeSet<>(List.of(0, 1, 2, 3, 7, 8, 9, 15, 16, 31, 63, 64, 65, 100, 1000, 4096));
        int inline = link.inlineFrame();
        int maximum = link.maximumFrame();
        sizes.addAll(List.of(inline - 1, inline, inline + 1, maximum / 2, maximum / 2 + 1, maximum - 1, maximum));
        return sizes.stream()
                .filter(size -> size >= 0 && size <= maximum)
                .<Integer>mapMulti((size, each) -> {
                    each.accept(size);
                    each.accept(size);
                })
                .toList();
    }

    @Test
    default void keepsTheOrderOfEachPeer() {
        long seed = Seeds.next("keepsTheOrderOfEachPeer");
        int frames = 5000;
        runJob(4, rank -> {
            int longest = Math.min(3000, rank.link().traits().maximumFrame());
            if (rank.rank() != 0) {
                Random random = new Random(seed + rank.rank());
                for (int number = 0; number < frames; number++) {
                    rank.put(0, random.nextInt(longest + 1), Payload.seed(rank.rank(), number));
                    if (random.nextInt(4) == 0) {
                        rank.link().connect(0).flush();
                    }
                }
                rank.link().connect(0).flush();
                rank.receiveLong(0);
                return;
            }
            for (int peer = 1; peer < rank.size(); peer++) {
                Random random = new Random(seed + peer);
                for (int number = 0; number < frames; number++) {
                    rank.expect(peer, random.nextInt(longest + 1), Payload.seed(peer, number));
                    random.nextInt(4);
                }
            }
            for (int peer = 1; peer < rank.size(); peer++) {
                assertThat(rank.inbox(peer)).as("frames that nobody sent").isEmpty();
                rank.sendLong(peer, 0);
            }
        });
    }

    /** Where frames can be shown before they are complete, who has nothing else to read sees each part at once, and all later. */
    @Test
    default void showsFramesThatAreStillWritten() {
        int parts = 20;
        int part = 16;
        int whole = parts * part;
        AtomicInteger seen = new AtomicInteger();
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            rank.sendLong(peer, 1);
            rank.receiveLong(peer);
            EarlyChannel early = rank.link().connect(peer).early();
            boolean shows = early != null;
            for (int frame = 0; frame < 5; frame++) {
                int before = frame * parts;
                if (rank.rank() == 0) {
                    Channel channel = rank.link().connect(1);
                    long claim = rank.claim(1, whole);
                    Payload.fill(channel.memory(), Channel.offset(claim), whole, frame);
                    for (int number = 1; number <= parts && early != null; number++) {
                        early.show(claim, number * part);
                        channel.flush();
                        int all = before + number;
                        Deadline.after(RankThreads.LIMIT).await("part " + number, () -> seen.get() == all);
                    }
                    channel.commit(claim, whole);
                    channel.flush();
                    rank.receiveLong(1);
                } else {
                    for (int number = 1; number <= parts && shows; number++) {
                        int length = number * part;
                        rank.pollUntil("part " + number, () -> rank.open(0).length == length);
                        assertThat(Payload.difference(MemorySegment.ofArray(rank.open(0)), 0, length, frame))
                                .isEmpty();
                        assertThat(rank.inbox(0)).as("complete frames").isEmpty();
                        seen.incrementAndGet();
                    }
                    rank.expect(0, whole, frame);
                    rank.sendLong(0, 2);
                }
            }
        });
    }

    /** Where heads can be shown, the peer is told the head while the contents are still written, and everything in order. */
    @Test
    default void showsHeadsOfFramesThatAreStillWritten() {
        int length = 1000;
        AtomicInteger seen = new AtomicInteger();
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            rank.sendLong(peer, 1);
            rank.receiveLong(peer);
            EarlyChannel early = rank.link().connect(peer).early();
            if (early == null) {
                return;
            }
            for (int frame = 1; frame <= 5; frame++) {
                int number = frame;
                if (rank.rank() == 0) {
                    Channel channel = rank.link().connect(1);
                    rank.put(1, 10, frame);
                    long claim = rank.claimWithHead(1, length, -frame);
                    channel.flush();
                    Deadline.after(RankThreads.LIMIT).await("head " + frame, () -> seen.get() == number);
                    Payload.fill(channel.memory(), Channel.offset(claim) + EarlyChannel.CONTENTS, length, frame);
                    early.commitContents(claim);
                    rank.send(1, 2000, frame);
                    rank.receiveLong(1);
                } else {
                    rank.expect(0, 10, frame);
                    rank.pollUntil("head " + frame, () -> !rank.heads(0).isEmpty());
                    assertThat(rank.heads(0).remove()).isEqualTo(-frame);
                    for (int poll = 0; poll < 10; poll++) {
                        rank.poll();
                    }
                    assertThat(rank.inbox(0)).as("complete frames").isEmpty();
                    seen.incrementAndGet();
                    rank.expect(0, length, frame);
                    rank.expect(0, 2000, frame);
                    assertThat(rank.heads(0)).as("heads told again").isEmpty();
                    rank.sendLong(0, 2);
                }
            }
        });
    }

    @Test
    @Fault(3)
    default void refusesFramesLongerThanTheMaximumAndGoesOn() {
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            int maximum = rank.link().traits().maximumFrame();
            assertThat(rank.claim(peer, maximum + 1)).isEqualTo(Channel.TOO_LONG);
            assertThat(rank.claim(peer, Integer.MAX_VALUE)).isEqualTo(Channel.TOO_LONG);
            rank.send(peer, maximum, 7);
            rank.expect(peer, maximum, 7);
        });
    }

    @Test
    @Fault({5, 21})
    default void pressesBackWhileThePeerDoesNotPollAndLosesNothing() {
        for (int length : new int[] {0, 40, 5000}) {
            AtomicInteger sent = new AtomicInteger(-1);
            runJob(2, rank -> {
                if (rank.rank() == 0) {
                    Channel channel = rank.link().connect(1);
                    int frames = 0;
                    long claim;
                    Deadline deadline = Deadline.after(RankThreads.LIMIT);
                    while ((claim = channel.claim(length)) >= 0) {
                        Payload.fill(channel.memory(), Channel.offset(claim), length, Payload.seed(0, frames));
                        channel.commit(claim, length);
                        channel.flush();
                        frames++;
                        deadline.check("back-pressure of a peer that does not poll");
                    }
                    // how long it lasts is not said: a network may find room on its way without the peer
                    assertThat(claim).isEqualTo(Channel.BACK_PRESSURE);
                    sent.set(frames);
                    rank.send(1, length, Payload.seed(0, frames));
                    rank.receiveLong(1);
                } else {
                    Deadline.after(RankThreads.LIMIT).await("the peer presses back", () -> sent.get() >= 0);
                    for (int number = 0; number <= sent.get(); number++) {
                        rank.expect(0, length, Payload.seed(0, number));
                    }
                    rank.sendLong(0, 0);
                }
            });
        }
    }

    /** First to a peer that does not poll, so that the link has no room in the middle of a frame, then to one that does. */
    @Test
    default void framesMayEndInArraysWhichAreTheCallersAgainAtOnce() {
        long seed = Seeds.next("framesMayEndInArraysWhichAreTheCallersAgainAtOnce");
        AtomicInteger unread = new AtomicInteger(-1);
        int frames = 200;
        runJob(2, rank -> {
            Random random = new Random(seed);
            int range = rank.link().traits().maximumFrame() - Long.BYTES + 1;
            rank.send(1 - rank.rank(), 0, 0); // connects
            rank.expect(1 - rank.rank(), 0, 0);
            if (rank.rank() == 1) {
                Deadline.after(RankThreads.LIMIT).await("the peer presses back", () -> unread.get() >= 0);
                for (int number = 0; number < unread.get() + frames; number++) {
                    rank.expect(0, Long.BYTES + random.nextInt(range), Payload.seed(0, number));
                }
                rank.sendLong(0, 0);
                return;
            }
            Channel channel = rank.link().connect(1);
            int sent = 0;
            int length = Long.BYTES + random.nextInt(range);
            long claim;
            while ((claim = channel.claim(length)) >= 0) {
                commitFromArray(channel, claim, length, sent++);
                length = Long.BYTES + random.nextInt(range);
            }
            assertThat(claim).isEqualTo(Channel.BACK_PRESSURE);
            unread.set(sent);
            for (int last = sent + frames; sent < last; sent++) {
                commitFromArray(channel, rank.claim(1, length), length, sent);
                length = Long.BYTES + random.nextInt(range);
            }
            rank.receiveLong(1);
        });
    }

    private static void commitFromArray(Channel channel, long claim, int length, int number) {
        double[] array = new double[length / Double.BYTES + 3]; // the frame begins in its middle
        MemorySegment bytes = MemorySegment.ofArray(array);
        Payload.fill(bytes, Double.BYTES, length, Payload.seed(0, number));
        MemorySegment.copy(bytes, Double.BYTES, channel.memory(), Channel.offset(claim), Long.BYTES);
        channel.commit(claim, Long.BYTES, array, 2L * Double.BYTES, length - Long.BYTES);
        Arrays.fill(array, Math.E);
        channel.flush();
    }

    @Test
    default void commitsMayBeShorterThanTheirClaimsAndClaimsMayBeAborted() {
        runJob(2, rank -> {
            int peer = 1 - rank.rank();
            Channel channel = rank.link().connect(peer);
            int claimed = Math.min(2000, rank.link().traits().maximumFrame());
            for (int number = 0; number < 300; number++) {
                int length = number * 7 % claimed;
                channel.abort(rank.claim(peer, number % 2 == 0 ? 8 : claimed));
                long claim = rank.claim(peer, claimed);
                Payload.fill(channel.memory(), Channel.offset(claim), length, number);
                channel.commit(claim, length);
                channel.flush();
                rank.expect(peer, length, number);
            }
        });
    }

    @Test
    default void framesLieAlignedToEightBytes() {
        runJob(1, rank -> {
            Channel channel = rank.link().connect(0);
            for (int length = 0; length < 200; length++) {
                long claim = rank.claim(0, length);
                assertThat(Channel.offset(claim) % 8)
                        .as("claim of %s bytes", length)
                        .isZero();
                channel.commit(claim, length);
                channel.flush();
                assertThat(rank.receive(0)).hasSize(length); // the inbox checks the alignment of what arrives
            }
        });
    }

    @Test
    default void oneFlushServesManyCommits() {
        runJob(2, rank -> {
            if (rank.rank() == 0) {
                for (int number = 0; number < 20; number++) {
                    rank.put(1, 24, number);
                }
                rank.link().connect(1).flush();
                rank.receiveLong(1);
            } else {
                for (int number = 0; number < 20; number++) {
                    rank.expect(0, 24, number);
                }
                rank.sendLong(0, 0);
            }
        });
    }

    @Test
    @Fault(21)
    default void takesNoMoreFramesFromAPeerThanAsked() {
        runJob(3, rank -> {
            if (rank.rank() != 0) {
                for (int number = 0; number < 10; number++) {
                    rank.put(0, 16, number);
                }
                rank.sendLong(0, 1);
                rank.receiveLong(0);
                return;
            }
            assertThat(rank.link().poll(rank, 0))
                    .as("frames handled at limit 0")
                    .isZero();
            for (int received = 0; received < 22; ) {
                int before1 = rank.inbox(1).size();
                int before2 = rank.inbox(2).size();
                int handled = rank.link().poll(rank, 3);
                int from1 = rank.inbox(1).size() - before1;
                int from2 = rank.inbox(2).size() - before2;
                assertThat(from1).isLessThanOrEqualTo(3);
                assertThat(from2).isLessThanOrEqualTo(3);
                assertThat(handled).as("frames that poll says it has handled").isEqualTo(from1 + from2);
                received += handled;
            }
            rank.sendLong(1, 0);
            rank.sendLong(2, 0);
        });
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void manyThreadsMayClaimAtOnceWhereThatWasAskedFor() {
        long seed = Seeds.next("manyThreadsMayClaimAtOnceWhereThatWasAskedFor");
        int threads = 4;
        int frames = 4000;
        runJob(2, new LinkOptions(0, 0, true), rank -> {
            if (rank.rank() == 0) {
                Channel channel = rank.link().connect(1);
                RankThreads.run(threads, producer -> {
                    Random random = new Random(seed + producer);
                    for (int number = 0; number < frames; number++) {
                        ConcurrentClaims.send(channel, producer, number, random.nextInt(1500));
                    }
                });
                rank.receiveLong(1);
                return;
            }
            int[] next = new int[threads];
            for (int frame = 0; frame < threads * frames; frame++) {
                ConcurrentClaims.check(rank.receive(0), next);
            }
            assertThat(next).containsOnly(frames);
            rank.sendLong(0, 0);
        });
    }

    @Test
    default void framesAllocateNothing() {
        runJob(1, rank -> {
            Channel channel = rank.link().connect(0);
            CountingHandler handler = new CountingHandler((peer, length) -> {});
            Runnable frames = () -> {
                for (int number = 0; number < 20_000; number++) {
                    int length = number % 1000;
                    long claim = channel.claim(length);
                    while (claim == Channel.BACK_PRESSURE) {
                        rank.link().poll(handler, 10);
                        claim = channel.claim(length);
                    }
                    channel.commit(claim, length);
                    channel.flush();
                    rank.link().poll(handler, 10);
                }
            };
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least >= 20_000; round++) {
                least = Math.min(least, AllocatedBytes.during(frames)); // before it is compiled it may allocate
            }
            assertThat(least).as("bytes allocated by 20,000 frames").isLessThan(20_000);
        });
    }
}
