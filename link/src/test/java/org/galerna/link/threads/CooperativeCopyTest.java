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
    private static final int PIECE = (int) CooperativeCopy.LEAST_PIECE;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE, 70 * PIECE + 13})
    void copiesEverythingAlone(int length) {
        byte[] source = random(length);
        for (boolean inFront : new boolean[] {true, false}) {
            byte[] target = new byte[length];
            CooperativeCopy copy = copy(source, target, inFront);
            copy.complete();
            assertThat(target).isEqualTo(source);
            assertThat(copy.help()).as("work left for a helper").isFalse();
        }
    }

    private static CooperativeCopy copy(byte[] source, byte[] target, boolean initiatorInFront) {
        return new CooperativeCopy()
                .begin(MemorySegment.ofArray(source), MemorySegment.ofArray(target), source.length, initiatorInFront);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void isCompleteWhenTheInitiatorReturnsWhoeverHelped(int helpers) throws Exception {
        byte[] source = random(80 * PIECE + 5);
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            for (int round = 0; round < 200; round++) {
                byte[] target = new byte[source.length];
                CooperativeCopy copy = copy(source, target, round % 2 == 0);
                List<Future<Boolean>> helping = new ArrayList<>();
                for (int helper = 0; helper < helpers; helper++) {
                    helping.add(threads.submit(copy::help));
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
        byte[] source = random(3 * PIECE);
        try (Arena arena = Arena.ofConfined();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            MemorySegment target = arena.allocate(source.length);
            CooperativeCopy copy =
                    new CooperativeCopy().begin(MemorySegment.ofArray(source), target, source.length, true);
            assertThat(CooperativeCopy.isPossible(MemorySegment.ofArray(source), target))
                    .isFalse();
            assertThat(threads.submit(copy::help).get()).isTrue();
            assertThatThrownBy(copy::complete).isInstanceOf(WrongThreadException.class);
        }
    }

    @Test
    void servesTheNextMessageUnlessAHelperIsStillInside() throws Exception {
        byte[] source = random(20 * PIECE);
        byte[] target = new byte[source.length];
        CooperativeCopy copy = copy(source, target, true);
        copy.complete();
        copy.enter();
        assertThat(copy.end()).as("with a helper inside").isFalse();
        copy.leave();
        assertThat(copy.end()).as("with nobody inside").isTrue();
        byte[] other = random(source.length - 1);
        byte[] next = new byte[other.length];
        copy.begin(MemorySegment.ofArray(other), MemorySegment.ofArray(next), other.length, false);
        copy.complete();
        assertThat(next).isEqualTo(other);
        assertThat(target).isEqualTo(source);
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
