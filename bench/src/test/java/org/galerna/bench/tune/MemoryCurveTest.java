package org.galerna.bench.tune;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.galerna.bench.model.HostMemory;
import org.junit.jupiter.api.Test;

final class MemoryCurveTest {
    @Test
    void theCacheEndsWhereCopiesBecomeSlow() {
        TreeMap<Long, Double> curve = new TreeMap<>(
                Map.of(1L << 20, 2e-11, 16L << 20, 3e-11, 32L << 20, 4e-11, 64L << 20, 19e-11, 128L << 20, 20e-11));
        assertThat(MemoryCurve.of(curve)).isEqualTo(new HostMemory(20e-11, 32L << 20));
    }

    @Test
    void memoryThatIsAsFastAsTheCacheLimitsNothing() {
        assertThat(MemoryCurve.of(new TreeMap<>(Map.of(1L << 20, 2e-11, 64L << 20, 2.5e-11))))
                .isEqualTo(HostMemory.FREE);
        assertThat(MemoryCurve.of(new TreeMap<>())).isEqualTo(HostMemory.FREE);
    }

    @Test
    void thisHostIsMeasured() throws InterruptedException {
        HostMemory memory = MemoryCurve.measure(2);
        assertThat(memory.perByte()).isBetween(0.0, 1e-6);
        assertThat(memory.cache()).isBetween(0L, 256L << 20);
    }
}
