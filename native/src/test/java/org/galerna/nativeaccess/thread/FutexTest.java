package org.galerna.nativeaccess.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class FutexTest {
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(100);

    private final Futex futex = Futex.instance().orElseThrow();
    private final MemorySegment memory = Arena.ofAuto().allocate(64, 64);

    @Test
    void nobodySleepsOnAnotherValue() {
        memory.set(ValueLayout.JAVA_INT, 4, 7);
        futex.await(memory, 4, 6, LONG_NANOS);
        assertThat(memory.get(ValueLayout.JAVA_INT, 4)).isEqualTo(7);
    }

    @Test
    void sleepEndsWhenItsTimeIsOver() {
        futex.await(memory, 0, 0, 1_000_000);
        assertThat(memory.get(ValueLayout.JAVA_INT, 0)).isZero();
    }

    @Test
    void twoThreadsTakeTurnsWithoutLosingAWakeUp() throws InterruptedException {
        int turns = 2000;
        Thread other = Thread.ofPlatform().start(() -> play(1, turns));
        play(0, turns);
        other.join();
        assertThat((int) INT.getVolatile(memory, 0L)).isEqualTo(2 * turns);
    }

    private void play(int me, int turns) {
        for (int turn = me; turn < 2 * turns; turn += 2) {
            int word;
            while ((word = (int) INT.getVolatile(memory, 0L)) != turn) {
                futex.await(memory, 0, word, LONG_NANOS);
            }
            INT.setVolatile(memory, 0L, turn + 1);
            futex.wakeAll(memory, 0);
        }
    }
}
