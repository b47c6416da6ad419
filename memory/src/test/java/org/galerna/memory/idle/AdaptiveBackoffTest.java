package org.galerna.memory.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AdaptiveBackoffTest {
    private static final int LOOK = 7;

    private final AdaptiveBackoff backoff = new AdaptiveBackoff();

    /** Waits for an answer that comes so many steps after the wait has begun. */
    private void await(int steps) {
        backoff.pass();
        backoff.over(Math.ceilDiv(Math.max(0, steps - backoff.steps()), LOOK));
    }

    @Test
    void isAsLongAsAnswersTakeThatComeAtTheSameTime() {
        assertThat(backoff.steps()).isZero();
        IntStream.range(0, 100).forEach(wait -> await(60));
        for (int wait = 0; wait < 100; wait++) {
            await(60 + wait % 3);
            assertThat(backoff.steps()).isBetween(55, 67);
        }
    }

    @Test
    void hasALimit() {
        IntStream.range(0, 1000).forEach(wait -> await(100_000));
        int longest = backoff.steps();
        assertThat(longest).isBetween(100, 200);
        await(100_000);
        assertThat(backoff.steps()).isEqualTo(longest);
    }

    @Test
    void isForgottenSoonWhenAnswersComeAtOnce() {
        IntStream.range(0, 1000).forEach(wait -> await(100_000));
        IntStream.range(0, 250).forEach(wait -> await(0));
        assertThat(backoff.steps()).isZero();
    }

    @Test
    void isShortWhereAnswersComeAtAnyTime() {
        Random random = new Random(1);
        double late = 0;
        for (int wait = 0; wait < 10_000; wait++) {
            int steps = random.nextInt(400);
            late += Math.max(0, backoff.steps() - steps);
            await(steps);
        }
        assertThat(late / 10_000).isLessThan(5);
    }
}
