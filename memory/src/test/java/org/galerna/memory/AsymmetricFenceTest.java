package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsymmetricFenceTest {
    private static final int BATCH = 500;
    private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final VarHandle FLAG = MethodHandles.arrayElementVarHandle(int[].class);

    /** Flags of one batch of Dekker games, each on a line of its own. */
    private static final class Games {
        final int[] first = new int[BATCH * 16];
        final int[] second = new int[BATCH * 16];
        final int[] seenByFirst = new int[BATCH];
        final int[] seenBySecond = new int[BATCH];
    }

    @FunctionalInterface
    private interface Side {
        void between();
    }

    @ParameterizedTest
    @EnumSource(FenceMode.class)
    void oneOfTwoAlwaysSeesTheOther(FenceMode mode) throws Exception {
        AsymmetricFence fence = mode.fence();
        assertThat(play(fence::light, fence::heavy))
                .as("games in which neither saw the other")
                .isZero();
    }

    @Test
    void runsTheProcessBarrierOnTheHeavySideOnly() {
        AtomicInteger barriers = new AtomicInteger();
        AsymmetricFence fence = new AsymmetricFence(barriers::incrementAndGet);
        fence.light();
        assertThat(barriers).hasValue(0);
        fence.heavy();
        assertThat(barriers).hasValue(1);
    }

    /** Plays Dekker's game again and again; returns how often both sides loaded zero. */
    private static int play(Side one, Side other) throws Exception {
        long end = System.nanoTime() + RUN_NANOS;
        int neither = 0;
        int games = 0;
        while (System.nanoTime() < end || games <= BATCH) {
            Games batch = new Games();
            AtomicInteger ready = new AtomicInteger();
            Teams.run(Teams.Kind.PLATFORM, 2, me -> {
                ready.incrementAndGet();
                while (ready.get() < 2) {
                    Thread.onSpinWait();
                }
                for (int game = 0; game < BATCH; game++) {
                    if (me == 0) {
                        FLAG.setOpaque(batch.first, game * 16, 1);
                        one.between();
                        batch.seenByFirst[game] = (int) FLAG.getOpaque(batch.second, game * 16);
                    } else {
                        FLAG.setOpaque(batch.second, game * 16, 1);
                        other.between();
                        batch.seenBySecond[game] = (int) FLAG.getOpaque(batch.first, game * 16);
                    }
                }
            });
            for (int game = 0; game < BATCH; game++) {
                if (batch.seenByFirst[game] == 0 && batch.seenBySecond[game] == 0) {
                    neither++;
                }
            }
            games += BATCH;
        }
        return neither;
    }
}
