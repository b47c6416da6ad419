package org.galerna.profile.record;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.LongStream;
import org.galerna.profile.CallKind;
import org.galerna.profile.file.RankFile;
import org.junit.jupiter.api.Test;

class SlicesTest {
    @Test
    void noTimeIsLostWhenSlicesAreFolded() {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        long origin = 1_000_000;
        Slices slices = new Slices(origin);
        long[] expected = new long[CallKind.values().length];
        long now = origin;
        for (int i = 0; i < 10_000; i++) {
            long begin = now + random.nextInt(1_000_000);
            long end = begin + random.nextInt(3_000_000);
            int kind = random.nextInt(expected.length);
            slices.add(kind, begin, end);
            expected[kind] += end - begin;
            now = end;
        }
        RankFile.Timeline timeline = slices.toFile();
        for (int kind = 0; kind < expected.length; kind++) {
            assertThat(LongStream.of(timeline.slices().get(kind)).sum())
                    .as("seed %d", seed)
                    .isEqualTo(expected[kind]);
            assertThat(LongStream.of(timeline.slices().get(kind)).max().orElse(0))
                    .isLessThanOrEqualTo(timeline.width());
        }
        assertThat(timeline.begin()).isEqualTo(origin);
    }
}
