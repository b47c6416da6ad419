package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.galerna.link.shm.board.FutexEvent;
import org.galerna.link.shm.board.ShmFence;
import org.galerna.link.shm.board.Waiter;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.memory.AsymmetricFence;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Threads at full speed look for a wake-up that gets lost; one that does costs more than the test may take. */
class WaiterTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(200);
    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final int TURNS = 20_000;

    /** The end of one side: what it is told, and what it sleeps on. */
    private static final class Side {
        final MemorySegment memory = Arena.ofAuto().allocate(128, 64);
        final FutexEvent bell;
        final Waiter sleepers;

        Side(AsymmetricFence ringer, AsymmetricFence sleeper) {
            bell = new FutexEvent(memory, 0, ringer);
            sleepers = new Waiter(new FutexEvent(memory, 0, sleeper), sleeper);
        }

        long told() {
            return (long) ControlPageLayout.LONGS.getAcquire(memory, 64L);
        }

        void tell(long value) {
            ControlPageLayout.LONGS.setRelease(memory, 64L, value);
            bell.ring();
        }

        void await(long value) {
            while (told() < value) {
                sleepers.prepare();
                if (told() < value) {
                    sleepers.await(LONG_NANOS);
                } else {
                    sleepers.cancel();
                }
            }
        }
    }

    @ParameterizedTest
    @Fault(26)
    @CsvSource({"true,false", "false,false", "true,true"})
    void noWakeUpIsLost(boolean barriers, boolean virtual) {
        AsymmetricFence fence = barriers ? ShmFence.INSTANCE : ShmFence.FULL;
        Side[] sides = {new Side(fence, ShmFence.INSTANCE), new Side(fence, ShmFence.INSTANCE)};
        int turns = virtual ? TURNS / 10 : TURNS;
        RankThreads.run(
                virtual
                        ? Thread.ofVirtual().factory()
                        : Thread.ofPlatform().daemon().factory(),
                2,
                LIMIT,
                me -> {
                    for (int turn = 1; turn <= turns; turn++) {
                        if (me == 0) {
                            sides[1].tell(turn);
                        }
                        sides[me].await(turn);
                        if (me == 1) {
                            sides[0].tell(turn);
                        }
                    }
                });
        assertThat(sides[0].told()).isEqualTo(turns);
    }
}
