package org.galerna.link.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CooperativeCopyTest {
    private static final int CHUNK = (int) CooperativeCopy.CHUNK;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 5 * CHUNK, 7 * CHUNK + 13})
    void copiesEverythingAlone(int length) {
        byte[] source = random(length);
        byte[] target = new byte[length];
        CooperativeCopy copy = new CooperativeCopy(MemorySegment.ofArray(source), MemorySegment.ofArray(target));
        copy.complete();
        assertThat(target).isEqualTo(source);
        assertThat(copy.work()).as("work left for a helper").isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void isCompleteWhenTheInitiatorReturnsWhoeverHelped(int helpers) throws Exception {
        byte[] source = random(20 * CHUNK + 5);
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int round = 0; round < 200; round++) {
                byte[] target = new byte[source.length];
                CooperativeCopy copy =
                        new CooperativeCopy(MemorySegment.ofArray(source), MemorySegment.ofArray(target));
                List<Future<Boolean>> helping = new ArrayList<>();
                for (int helper = 0; helper < helpers; helper++) {
                    helping.add(threads.submit(copy::work));
                }
                copy.complete();
                assertThat(target).as("round %s", round).isEqualTo(source);
                for (Future<Boolean> each : helping) {
                    each.get();
                }
            }
        }
    }

    @Test
    void throwsToTheInitiatorWhatAHelperMet() throws Exception {
        byte[] source = random(3 * CHUNK);
        try (Arena arena = Arena.ofConfined();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            MemorySegment target = arena.allocate(source.length);
            CooperativeCopy copy = new CooperativeCopy(MemorySegment.ofArray(source), target);
            assertThat(CooperativeCopy.isPossible(MemorySegment.ofArray(source), target))
                    .isFalse();
            assertThat(threads.submit(copy::work).get()).isTrue();
            assertThatThrownBy(copy::complete).isInstanceOf(WrongThreadException.class);
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
