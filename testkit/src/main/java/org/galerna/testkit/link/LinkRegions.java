package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every link keeps about regions: get, put, and refusals. */
interface LinkRegions extends LinkSubject {
    /** Bytes beside a transfer that must stay as they are. */
    int MARGIN = 64;

    @Test
    default void getsAndPutsRegionsOfEverySize() {
        runJob(2, rank -> {
            for (boolean inward : new boolean[] {true, false}) {
                for (int kinds = 0; kinds < 4; kinds++) {
                    for (long bytes : Transfers.SIZES) {
                        if (rank.rank() == 0) {
                            MemorySegment local = Transfers.memory(bytes, (kinds & 1) != 0);
                            Transfers.one(rank, inward, local, bytes);
                        } else {
                            MemorySegment memory = Transfers.memory(bytes + 2 * MARGIN, (kinds & 2) != 0);
                            Transfers.serveOne(rank, inward, memory, bytes);
                        }
                    }
                }
            }
        });
    }

    @Test
    @Fault(3)
    default void refusesRangesOutsideAndDescriptorsThatAreNoneOnceEach() {
        runJob(2, rank -> {
            if (rank.rank() == 1) {
                try (Region region = rank.link().rma().register(Transfers.memory(4096, false))) {
                    rank.sendRegion(0, region);
                    rank.receiveLong(0);
                }
                return;
            }
            Descriptor region = rank.receiveRegion(1);
            byte[] bytes = region.toArray();
            MemorySegment local = Transfers.memory(128, false);
            Payload.fill(local, 0, 128, 3);
            for (boolean inward : new boolean[] {true, false}) {
                for (long offset : new long[] {-1, -128, 4096 - 127, 4096, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    Transfers.refused(rank, inward, region, offset, local);
                }
                for (int length : new int[] {0, 1, bytes.length - 1, bytes.length + 1, Descriptor.MOST_BYTES}) {
                    Transfers.refused(rank, inward, LinkRank.descriptor(Arrays.copyOf(bytes, length)), 0, local);
                }
            }
            assertThat(Payload.difference(local, 0, 128, 3)).as("local memory").isEmpty();
            Transfers.succeeds(rank, false, 1, region, 4096 - 128, local);
            rank.sendLong(1, 0);
        });
    }

    @Test
    @Fault(3)
    default void refusesClosedRegionsAndForgedDescriptorsWhereItSaysSo() {
        runJob(2, rank -> {
            if (!refusesForgedDescriptors()) {
                return;
            }
            if (rank.rank() == 1) {
                Region region = rank.link().rma().register(Transfers.memory(4096, false));
                Region closed = rank.link().rma().register(Transfers.memory(4096, false));
                rank.sendRegion(0, region);
                rank.sendRegion(0, closed);
                closed.close();
                closed.close();
                rank.sendLong(0, 0);
                rank.receiveLong(0);
                region.close();
                return;
            }
            byte[] bytes = rank.receiveRegion(1).toArray();
            Descriptor closed = rank.receiveRegion(1);
            rank.receiveLong(1);
            MemorySegment local = Transfers.memory(128, false);
            for (boolean inward : new boolean[] {true, false}) {
                Transfers.refused(rank, inward, closed, 0, local);
                for (int bit = 0; bit < 8 * bytes.length; bit++) {
                    byte[] forged = bytes.clone();
                    forged[bit / 8] ^= (byte) (1 << bit % 8);
                    if (!Arrays.equals(forged, closed.toArray())) {
                        Transfers.refused(rank, inward, LinkRank.descriptor(forged), 0, local);
                    }
                }
            }
            rank.sendLong(1, 0);
        });
    }

    @Test
    default void aFlushEndsBehindAllPutsAndShowsTheOwnerWhatWasPut() {
        int puts = 50;
        int bytes = 20_000;
        runJob(2, rank -> {
            boolean heap = !movesWithoutTheOwner();
            if (rank.rank() == 1) {
                MemorySegment memory = Transfers.memory(puts * (long) bytes, heap);
                try (Region region = rank.link().rma().register(memory)) {
                    rank.sendRegion(0, region);
                    rank.receiveLong(0);
                    assertThat(Payload.difference(memory, 0, memory.byteSize(), 12))
                            .isEmpty();
                    rank.sendLong(0, 0);
                    rank.receiveLong(0);
                }
                return;
            }
            Descriptor region = rank.receiveRegion(1);
            MemorySegment local = Transfers.memory(puts * (long) bytes, heap);
            Payload.fill(local, 0, local.byteSize(), 12);
            List<Transfers.Once> completions = new ArrayList<>();
            for (int number = 0; number < puts; number++) {
                Transfers.Once once = new Transfers.Once();
                completions.add(once);
                long offset = (long) number * bytes;
                rank.link().rma().put(1, region, offset, local.asSlice(offset, bytes), once);
            }
            Transfers.Once flushed = new Transfers.Once();
            rank.link().rma().flush(1, flushed);
            rank.pollUntil("the flush", flushed::isDone);
            assertThat(flushed.failure()).isNull();
            assertThat(completions).allMatch(Transfers.Once::isDone);
            rank.sendLong(1, 0);
            rank.receiveLong(1);
            Transfers.Once another = new Transfers.Once();
            rank.link().rma().flush(1, another);
            rank.pollUntil("a flush of nothing", another::isDone);
            rank.sendLong(1, 0);
        });
    }

    @Test
    @Fault(3)
    default void aRangeLongerThanTheRegionIsRefused() {
        runJob(2, rank -> {
            if (rank.rank() == 1) {
                try (Region region = rank.link().rma().register(Transfers.memory(4096, false))) {
                    rank.sendRegion(0, region);
                    rank.receiveLong(0);
                }
                return;
            }
            Descriptor key = rank.receiveRegion(1);
            for (boolean inward : new boolean[] {true, false}) {
                Transfers.refused(rank, inward, key, 0, Transfers.memory(8192, false));
                Transfers.refused(rank, inward, key, 0, Transfers.memory(1 << 20, false));
            }
            rank.sendLong(1, 0);
        });
    }

    @Test
    default void manyTransfersMayBeUnderWayAndCompleteOnceEach() {
        int transfers = 200;
        int bytes = 64 * 1024;
        runJob(2, rank -> {
            if (rank.rank() == 1) {
                MemorySegment memory = Transfers.memory(transfers * (long) bytes, false);
                Payload.fill(memory, 0, memory.byteSize(), 9);
                try (Region region = rank.link().rma().register(memory)) {
                    rank.sendRegion(0, region);
                    rank.receiveLong(0);
                }
                return;
            }
            Descriptor key = rank.receiveRegion(1);
            MemorySegment local = Transfers.memory(transfers * (long) bytes, false);
            List<Transfers.Once> completions = new ArrayList<>();
            for (int number = 0; number < transfers; number++) {
                Transfers.Once once = new Transfers.Once();
                completions.add(once);
                long offset = (long) number * bytes;
                rank.link().rma().get(1, key, offset, local.asSlice(offset, bytes), once);
            }
            rank.pollUntil("all completions", () -> completions.stream().allMatch(Transfers.Once::isDone));
            assertThat(completions)
                    .allSatisfy(each -> assertThat(each.failure()).isNull());
            assertThat(Payload.difference(local, 0, local.byteSize(), 9)).isEmpty();
            rank.sendLong(1, 0);
        });
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void manyThreadsOfTheOwnerMayAssistSeveralPeersAtOnce() {
        int bytes = 3 << 20;
        int rounds = 15;
        runJob(4, rank -> {
            if (rank.rank() == 0) {
                MemorySegment memory = Transfers.memory(bytes, true);
                Payload.fill(memory, 0, bytes, 5);
                AtomicBoolean over = new AtomicBoolean();
                List<Thread> helpers = new ArrayList<>();
                for (int helper = 0; helper < 3; helper++) {
                    helpers.add(Thread.ofPlatform().start(() -> {
                        while (!over.get()) {
                            if (!rank.link().rma().assist()) {
                                Thread.yield();
                            }
                        }
                    }));
                }
                try (Region region = rank.link().rma().register(memory)) {
                    for (int peer = 1; peer < rank.size(); peer++) {
                        rank.sendRegion(peer, region);
                    }
                    for (int peer = 1; peer < rank.size(); peer++) {
                        rank.receiveLong(peer);
                    }
                } finally {
                    over.set(true);
                }
                for (Thread helper : helpers) {
                    helper.join();
                }
                return;
            }
            Descriptor key = rank.receiveRegion(0);
            for (int round = 0; round < rounds; round++) {
                MemorySegment local = Transfers.memory(bytes, true);
                Transfers.succeeds(rank, true, 0, key, 0, local);
                assertThat(Payload.difference(local, 0, bytes, 5))
                        .as("round %s", round)
                        .isEmpty();
            }
            rank.sendLong(0, 0);
        });
    }

    @Test
    default void goesOnWithoutThePeerWhereItSaysSo() {
        AtomicBoolean done = new AtomicBoolean();
        runJob(2, rank -> {
            if (!movesWithoutTheOwner()) {
                return;
            }
            if (rank.rank() == 1) {
                MemorySegment memory = Transfers.memory(1 << 20, false);
                Payload.fill(memory, 0, memory.byteSize(), 2);
                try (Region region = rank.link().rma().register(memory)) {
                    rank.sendRegion(0, region);
                    Deadline.after(RankThreads.LIMIT).await("the transfer, without a poll here", done::get);
                }
                return;
            }
            MemorySegment local = Transfers.memory(1 << 20, false);
            Transfers.succeeds(rank, true, 1, rank.receiveRegion(1), 0, local);
            assertThat(Payload.difference(local, 0, local.byteSize(), 2)).isEmpty();
            done.set(true);
        });
    }

    @Test
    default void transfersWithTheOwnRank() {
        runJob(1, rank -> {
            MemorySegment memory = Transfers.memory(200_000, false);
            Payload.fill(memory, 0, memory.byteSize(), 4);
            MemorySegment local = Transfers.memory(200_000, false);
            try (Region region = rank.link().rma().register(memory)) {
                Transfers.succeeds(rank, true, 0, Descriptor.of(region), 0, local);
                assertThat(Payload.difference(local, 0, local.byteSize(), 4)).isEmpty();
                Payload.fill(local, 0, local.byteSize(), 6);
                Transfers.succeeds(rank, false, 0, Descriptor.of(region), 0, local);
                assertThat(Payload.difference(memory, 0, memory.byteSize(), 6)).isEmpty();
            }
        });
    }

    @Test
    default void givesManyRegionsDescriptorsOfTheirOwn() {
        int regions = 5000;
        runJob(1, rank -> {
            MemorySegment memory = Transfers.memory(regions * 64L, false);
            List<Region> open = new ArrayList<>();
            Set<String> descriptors = new HashSet<>();
            for (int number = 0; number < regions; number++) {
                MemorySegment part = memory.asSlice(number * 64L, 64);
                Payload.fill(part, 0, 64, number);
                open.add(rank.link().rma().register(part));
                byte[] bytes = Descriptor.of(open.getLast()).toArray();
                assertThat(descriptors.add(HexFormat.of().formatHex(bytes))).isTrue();
            }
            MemorySegment local = Transfers.memory(64, false);
            for (int number = 0; number < regions; number += 97) {
                Transfers.succeeds(rank, true, 0, Descriptor.of(open.get(number)), 0, local);
                assertThat(Payload.difference(local, 0, 64, number)).isEmpty();
            }
            open.forEach(Region::close);
            Transfers.refused(rank, true, 0, Descriptor.of(open.getFirst()), 0, local);
        });
    }

    /** Memory that the link itself has allocated is reached as any other, and no longer than its region is open. */
    @Test
    default void regionsInMemoryOfTheLinkAreReachedLikeOthers() {
        int bytes = 300_000;
        runJob(3, rank -> {
            if (rank.link().rma().allocate(1, Arena.ofAuto()).isEmpty()) {
                return;
            }
            if (rank.rank() != 1) {
                Descriptor key = rank.receiveRegion(1);
                Descriptor closed = rank.receiveRegion(1);
                MemorySegment local = Transfers.memory(1000, rank.rank() == 0);
                Transfers.succeeds(rank, true, 1, key, 500, local);
                assertThat(Payload.difference(local, 0, 1000, 6)).isEmpty();
                Transfers.refused(rank, true, 1, closed, 0, local);
                for (long offset : new long[] {-1, bytes - 2 * MARGIN - 999, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    Transfers.refused(rank, false, 1, key, offset, local);
                }
                for (int bit : new int[] {0, 41, 50, 63}) {
                    byte[] forged = key.toArray();
                    forged[bit / 8] ^= (byte) (1 << bit % 8);
                    Transfers.refused(rank, true, 1, LinkRank.descriptor(forged), 0, local);
                }
                Payload.fill(local, 0, 1000, rank.rank());
                Transfers.succeeds(rank, false, 1, key, 10_000L * (1 + rank.rank()), local);
                rank.sendLong(1, 0);
                return;
            }
            MemorySegment memory =
                    rank.link().rma().allocate(bytes, Arena.ofAuto()).orElseThrow();
            assertThat(memory.byteSize()).isEqualTo(bytes);
            assertThat(memory.mismatch(Transfers.memory(bytes, false)))
                    .as("first byte that is not zero")
                    .isEqualTo(-1);
            Payload.fill(memory, MARGIN + 500, 1000, 6);
            Region closed = rank.link().rma().register(memory.asSlice(0, 1000));
            closed.close();
            closed.close();
            try (Region region = rank.link().rma().register(memory.asSlice(MARGIN, bytes - 2 * MARGIN))) {
                for (int peer : new int[] {0, 2}) {
                    rank.sendRegion(peer, region);
                    rank.sendRegion(peer, closed);
                }
                for (int peer : new int[] {0, 2}) {
                    rank.receiveLong(peer);
                    assertThat(Payload.difference(memory, MARGIN + 10_000L * (1 + peer), 1000, peer))
                            .isEmpty();
                }
            }
        });
    }

    /** Memory of a confined arena belongs to one thread; whether a link can use it or not, nobody hangs. */
    @Test
    default void localMemoryMayBeConfinedToTheThreadThatTransfers() {
        int bytes = 300_000;
        runJob(2, rank -> {
            if (rank.rank() == 1) {
                MemorySegment memory = Transfers.memory(bytes, false);
                Payload.fill(memory, 0, bytes, 8);
                try (Region region = rank.link().rma().register(memory)) {
                    rank.sendRegion(0, region);
                    rank.receiveLong(0);
                }
                return;
            }
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment local = arena.allocate(bytes, 64);
                Transfers.succeeds(rank, true, 1, rank.receiveRegion(1), 0, local);
                assertThat(Payload.difference(local, 0, bytes, 8)).isEmpty();
            }
            rank.sendLong(1, 0);
        });
    }
}
