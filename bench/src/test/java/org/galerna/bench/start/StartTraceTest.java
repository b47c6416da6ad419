package org.galerna.bench.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads what programs and compilers have printed. */
class StartTraceTest {
    private static final double EXACTLY = 1e-9;

    @Test
    void timesCountFromTheCommand() {
        StartTrace trace = StartTrace.parse(
                List.of("a launcher says something", "init 1300", "first 1350", "jvm 1100", "compilers 42"),
                1000,
                1500);

        assertThat(trace.initialized()).isEqualTo(300);
        assertThat(trace.first()).isEqualTo(350);
        assertThat(trace.jvm()).isEqualTo(100);
        assertThat(trace.compilers()).isEqualTo(42);
        assertThat(trace.total()).isEqualTo(500);
        assertThat(trace.seconds()).isNaN();
    }

    @Test
    void whatAProgramDoesNotSayIsNoNumber() {
        StartTrace trace = StartTrace.parse(List.of(), 1000, 1500);

        assertThat(trace.first()).isNaN();
        assertThat(trace.nanos(0, Long.MAX_VALUE)).isEmpty();
        assertThat(trace.slowdown(Long.MAX_VALUE, 20)).isEmpty();
    }

    @Test
    void aLoopHasTheMedianOfEachTime() {
        StartTrace trace = StartTrace.parse(
                List.of("batch 10 loop 900", "batch 20 loop 700", "batch 30 loop 800", "batch 100 loop 100"), 0, 1);

        assertThat(trace.nanos(0, 100)).hasValue(800);
        assertThat(trace.nanos(100, 200)).hasValue(100);
        assertThat(trace.seconds()).isCloseTo(1e-4, within(EXACTLY));
    }

    @Test
    void eachKindIsComparedWithItsOwnSteadyState() {
        List<String> lines = new ArrayList<>();
        // two kinds, two rounds of two batches: the first round takes four and two times as long
        lines.addAll(List.of("batch 10 a 400", "batch 20 a 400", "batch 30 b 20", "batch 40 b 20"));
        lines.addAll(List.of("batch 50 a 100", "batch 60 a 100", "batch 70 b 10", "batch 80 b 10"));
        StartTrace trace = StartTrace.parse(lines, 0, 1);

        assertThat(trace.kinds()).containsExactly("a", "b");
        assertThat(trace.steady("a", 2)).hasValue(100);
        assertThat(trace.steady("b", 2)).hasValue(10);
        assertThat(trace.slowdown(25, 2)).hasValue(4);
        assertThat(trace.slowdown(100, 2)).hasValue(2);
    }

    @Test
    void onlyMethodsWhoseAssumptionsFailedCountAsDiscarded() {
        CompilerLog log = new CompilerLog(
                Stream.of(
                        "[0.100s] 1430       2       java.lang.String::hashCode (60 bytes)",
                        "[0.200s] 1423 %     4       java.lang.StringLatin1::replace @ 56 (197 bytes)",
                        "[0.046s]    1     n 0       java.lang.invoke.MethodHandle::linkToSpecial(LLLLL)V (native)   (static)",
                        "[0.300s] 1430       2       java.lang.String::hashCode (60 bytes)   made not entrant: not used",
                        "[0.310s]  165 %     2       a.B::c @ 8 (36 bytes)   made not entrant: OSR invalidation of lower level",
                        "[0.900s] 1500       4       a.B::d (9 bytes)   made not entrant: uncommon trap",
                        "[2.000s] 1501       4       a.B::e (9 bytes)   made not entrant: uncommon trap"),
                1);

        assertThat(log.compiled()).isEqualTo(2);
        assertThat(log.discarded()).isEqualTo(Map.of("uncommon trap", 2));
        assertThat(log.discardedLater()).isEqualTo(1);
    }
}
