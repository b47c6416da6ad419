package org.galerna.link.shm;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.link.shm.transfer.AdaptiveCopy;
import org.galerna.link.shm.transfer.CopyChoice;
import org.galerna.memory.RecordConsumer;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.RecordRing;
import org.galerna.memory.SpscProducer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class AdaptiveCopyTest {
    private static final int RECORDS = 40_000;
    private static final int LONGEST = 32 * 1024;
    private static final int AREA = 256 * 1024;
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** All words of a record are its number, so that one that is shown too early has words of an older one. */
    @Test
    @Tag("slow")
    void whatIsCopiedInAnyWayIsThereWhenTheRecordIs() throws Exception {
        long seed = System.nanoTime();
        RecordRing ring = RecordRing.create(Arena.ofAuto().allocate(RecordRing.bytes(64, AREA), 128), 64, AREA);
        AtomicBoolean read = new AtomicBoolean();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(
                () -> write(ring, seed, read),
                task -> Thread.ofPlatform().daemon().start(task));
        try {
            read(ring, seed);
        } finally {
            read.set(true); // a reader that has failed makes no more room
        }
        writing.get(1, TimeUnit.MINUTES);
    }

    private static void read(RecordRing ring, long seed) {
        Random random = new Random(~seed);
        RecordConsumer consumer = new RecordConsumer(ring);
        MemorySegment target = MemorySegment.ofArray(new byte[LONGEST]);
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (long number = 1; number <= RECORDS; number++) {
            int length = consumer.poll();
            while (length == RecordConsumer.EMPTY) {
                assertThat(System.nanoTime())
                        .as("seed %d, record %d of %d does not come", seed, number, RECORDS)
                        .isLessThan(deadline);
                Thread.yield();
                length = consumer.poll();
            }
            AdaptiveCopy.copy(anyWay(random), ring.memory(), consumer.offset(), target, 0, length);
            consumer.release();
            for (long at = 0; at < length; at += Long.BYTES) {
                if (target.get(JAVA_LONG_UNALIGNED, at) != number) {
                    throw new AssertionError("seed " + seed + ", record " + number + " of " + length + " bytes has "
                            + target.get(JAVA_LONG_UNALIGNED, at) + " at " + at);
                }
            }
        }
    }

    private static void write(RecordRing ring, long seed, AtomicBoolean read) {
        Random random = new Random(seed);
        SpscProducer producer = new SpscProducer(ring);
        MemorySegment source = MemorySegment.ofArray(new byte[LONGEST + Long.BYTES]);
        for (long number = 1; number <= RECORDS; number++) {
            int length = Long.BYTES * (1 + random.nextInt(LONGEST / Long.BYTES));
            int start = random.nextInt(Long.BYTES); // sources are not aligned
            for (long at = 0; at < length; at += Long.BYTES) {
                source.set(JAVA_LONG_UNALIGNED, start + at, number);
            }
            long claim = producer.claim(length);
            while (claim < 0) {
                if (read.get()) {
                    return;
                }
                Thread.yield();
                claim = producer.claim(length);
            }
            AdaptiveCopy.copy(anyWay(random), source, start, ring.memory(), RecordProducer.offset(claim), length);
            producer.commit(claim, length);
        }
    }

    private static AdaptiveCopy.Way anyWay(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> AdaptiveCopy.Way.LIBRARY;
            case 1 -> AdaptiveCopy.Way.STORES;
            default -> AdaptiveCopy.Way.STREAMING;
        };
    }

    @Test
    void copiesRightWhileItTriesWays() {
        AdaptiveCopy in = AdaptiveCopy.toRing(AREA);
        AdaptiveCopy out = AdaptiveCopy.fromRing();
        byte[] bytes = new byte[LONGEST];
        new Random(20261125).nextBytes(bytes);
        MemorySegment source = MemorySegment.ofArray(bytes);
        MemorySegment target = MemorySegment.ofArray(new byte[LONGEST]);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment area = arena.allocate(AREA, 64);
            long end = System.nanoTime() + 4 * CopyChoice.PERIOD_NANOS; // every way has been tried by then
            for (int each = 0; System.nanoTime() < end; each++) {
                int length = LONGEST - each % LONGEST;
                long at = (long) each * LONGEST % AREA;
                in.copy(source, 0, area, at, length);
                out.copy(area, at, target, 0, length);
                assertThat(target.asSlice(0, length).mismatch(source.asSlice(0, length)))
                        .as("first byte that differs in copy %d, of %d bytes", each, length)
                        .isEqualTo(-1);
                target.asSlice(0, length).fill((byte) 0);
            }
        }
    }
}
