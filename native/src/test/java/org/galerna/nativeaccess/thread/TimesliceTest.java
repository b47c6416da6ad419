package org.galerna.nativeaccess.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class TimesliceTest {
    private static final long MILLISECOND = 1_000_000;

    private Timeslice slice;

    @BeforeEach
    void findTheCall() {
        slice = Timeslice.instance().orElseThrow();
    }

    private void assumeTheSystemHasSlices() {
        assumeTrue(slice.get() > 0, "threads have no slices; Linux has them since 6.12");
    }

    /** What is done to a thread must not outlive the test. */
    private static <T> T inThreadOfItsOwn(Callable<T> what) throws Exception {
        FutureTask<T> task = new FutureTask<>(what);
        Thread.ofPlatform().start(task);
        return task.get();
    }

    @Test
    void isSetForTheCallingThreadAndThoseThatItStarts() throws Exception {
        assumeTheSystemHasSlices();
        long before = slice.get();
        long inherited = inThreadOfItsOwn(() -> {
            assertThat(slice.set(MILLISECOND)).isTrue();
            assertThat(slice.get()).isEqualTo(MILLISECOND);
            return inThreadOfItsOwn(slice::get);
        });
        assertThat(inherited).isEqualTo(MILLISECOND);
        assertThat(slice.get()).isEqualTo(before);
    }

    @Test
    void isNeverShorterThanTheSystemsShortest() throws Exception {
        assumeTheSystemHasSlices();
        long shortest = inThreadOfItsOwn(() -> {
            assertThat(slice.set(1)).isTrue();
            return slice.get();
        });
        assertThat(shortest).isEqualTo(Timeslice.SHORTEST_NANOS);
    }
}
