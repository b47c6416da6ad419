package org.galerna.nativeaccess.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class AffinityTest {
    private static final int NO_THREAD = Integer.MAX_VALUE;

    private Affinity affinity;

    @BeforeEach
    void findTheBinding() {
        assertThat(Affinity.unavailable()).isEmpty();
        affinity = Affinity.instance().orElseThrow();
    }

    /** What is done to a thread's binding must not outlive the test. */
    private static <T> T inThreadOfItsOwn(Callable<T> what) throws Exception {
        FutureTask<T> task = new FutureTask<>(what);
        Thread.ofPlatform().start(task);
        return task.get();
    }

    private static BitSet only(int cpu) {
        BitSet mask = new BitSet();
        mask.set(cpu);
        return mask;
    }

    @Test
    void readsTheSameMaskAsTheSystemShows() throws Exception {
        BitSet mask = affinity.get(Affinity.CALLER);
        assertThat(mask.cardinality())
                .isGreaterThanOrEqualTo(Runtime.getRuntime().availableProcessors());
        String status = Files.readString(Path.of("/proc/thread-self/status"));
        String shown = status.lines()
                .filter(line -> line.startsWith("Cpus_allowed:"))
                .findFirst()
                .orElseThrow()
                .replaceAll("Cpus_allowed:|,|\\s", "");
        byte[] digits = new BigInteger(shown, 16).toByteArray();
        BitSet expected = new BitSet();
        for (int cpu = 0; cpu < 8 * digits.length; cpu++) {
            expected.set(cpu, (digits[digits.length - 1 - cpu / 8] >> cpu % 8 & 1) != 0);
        }
        assertThat(mask).isEqualTo(expected);
    }

    @Test
    void keepsTheCallingThreadOnOneProcessor() throws Exception {
        for (int cpu : affinity.get(Affinity.CALLER).stream().toArray()) {
            assertThat(inThreadOfItsOwn(() -> {
                        assertThat(affinity.set(Affinity.CALLER, only(cpu))).isTrue();
                        return Processor.current();
                    }))
                    .isEqualTo(cpu);
        }
    }

    @Test
    void bindsAnotherThreadByItsNumber() throws Exception {
        int number = affinity.currentThread();
        BitSet before = affinity.get(number);
        BitSet first = only(before.nextSetBit(0));
        try {
            assertThat(inThreadOfItsOwn(() -> affinity.set(number, first))).isTrue();
            assertThat(affinity.get(Affinity.CALLER)).isEqualTo(first);
        } finally {
            affinity.set(Affinity.CALLER, before);
        }
    }

    @Test
    void refusesWhatCannotBe() {
        BitSet before = affinity.get(Affinity.CALLER);
        assertThat(affinity.set(Affinity.CALLER, new BitSet())).isFalse();
        assertThat(affinity.set(Affinity.CALLER, only(40_000))).isFalse();
        assertThat(affinity.set(NO_THREAD, before)).isFalse();
        assertThat(affinity.get(NO_THREAD).isEmpty()).isTrue();
        assertThat(affinity.get(Affinity.CALLER)).isEqualTo(before);
    }

    @Test
    void masksMayNameProcessorsBeyondThoseOfTheMachine() throws Exception {
        BitSet mask = affinity.get(Affinity.CALLER);
        BitSet wide = (BitSet) mask.clone();
        wide.set(1500);
        assertThat(inThreadOfItsOwn(() -> {
                    assertThat(affinity.set(Affinity.CALLER, wide)).isTrue();
                    return affinity.get(Affinity.CALLER);
                }))
                .isEqualTo(mask);
    }
}
