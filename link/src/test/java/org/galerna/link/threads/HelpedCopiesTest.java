package org.galerna.link.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HelpedCopiesTest {
    private static final int COPIES = 1500;
    private static final int LONGEST = 64 * 1024;
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /**
     * Every byte of every copy is compared: a helper that comes late would write into a later message. On a busy machine helpers
     * may get no processor for a while, so copies are made until one of them has helped.
     */
    @ParameterizedTest
    @CsvSource({"1, 1", "1, 3", "2, 2"})
    void lateHelpersLeaveTheNextMessageAlone(int initiators, int helpers) throws Exception {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("HelpedCopiesTest: repeat with -Dtest.seed=" + seed);
        HelpedCopies copies = new HelpedCopies();
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong helped = new AtomicLong();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int helper = 0; helper < helpers; helper++) {
                threads.execute(() -> {
                    while (!over.get()) {
                        if (copies.assist()) {
                            helped.incrementAndGet();
                        }
                        Thread.yield();
                    }
                });
            }
            List<Future<?>> initiating = new ArrayList<>();
            for (int initiator = 0; initiator < initiators; initiator++) {
                Random random = new Random(seed + initiator);
                initiating.add(threads.submit(() -> copyAndCompare(copies, random, helped)));
            }
            try {
                for (Future<?> each : initiating) {
                    each.get();
                }
            } finally {
                over.set(true);
            }
        }
        assertThat(helped.get()).as("pieces that helpers copied").isPositive();
    }

    private static void copyAndCompare(HelpedCopies copies, Random random, AtomicLong helped) {
        byte[] bytes = new byte[LONGEST];
        long end = System.nanoTime() + PATIENCE_NANOS;
        for (int number = 0; number < COPIES || (helped.get() == 0 && System.nanoTime() - end < 0); number++) {
            random.nextBytes(bytes);
            int length = 1 + random.nextInt(LONGEST);
            byte[] target = new byte[LONGEST];
            copies.copy(MemorySegment.ofArray(bytes), MemorySegment.ofArray(target), length, number % 2 == 0);
            int same = Arrays.mismatch(bytes, 0, length, target, 0, length);
            assertThat(same).as("first wrong byte of copy %s", number).isEqualTo(-1);
            for (int beyond = length; beyond < LONGEST; beyond++) {
                if (target[beyond] != 0) {
                    throw new AssertionError("copy " + number + " of " + length + " bytes wrote byte " + beyond);
                }
            }
        }
    }
}
