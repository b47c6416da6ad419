package org.galerna.sockets.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AdaptiveBackoffTest {
    private final AdaptiveBackoff look = new AdaptiveBackoff();
    private int looked;
    private boolean shared;

    private boolean never() {
        looked++;
        return false;
    }

    private int looksOf(int waits) {
        looked = 0;
        for (int wait = 0; wait < waits; wait++) {
            assertThat(look.until(this::never, shared)).isFalse();
        }
        return looked;
    }

    @Test
    void whoFindsNothingSoonLooksNoMore() {
        assertThat(looksOf(1)).isPositive();
        looksOf(10);
        look.slept(TimeUnit.SECONDS.toNanos(1));
        assertThat(looksOf(1000)).isZero();
    }

    @Test
    void whileWaitsAreShortLongerLooksAreTriedAtOnceAndThenEverMoreRarely() {
        looksOf(10);
        look.slept(TimeUnit.MICROSECONDS.toNanos(80));
        List<Integer> trials = new ArrayList<>();
        for (int wait = 0; wait < 64; wait++) {
            if (looksOf(1) > 0) {
                trials.add(wait);
            }
        }
        assertThat(trials).containsExactly(0, 2, 6, 14, 30, 46, 62);
    }

    @Test
    void aTrialOutlastsTheWaitBeforeIt() {
        looksOf(10);
        look.slept(TimeUnit.MICROSECONDS.toNanos(80));
        long start = System.nanoTime();
        assertThat(look.until(() -> System.nanoTime() - start > TimeUnit.MICROSECONDS.toNanos(100), shared))
                .isTrue();
    }

    @Test
    void endsThatShareAProcessorRarelyLook() {
        shared = true;
        look.slept(TimeUnit.SECONDS.toNanos(1));
        assertThat(looksOf(1000)).isZero();
        look.slept(TimeUnit.MICROSECONDS.toNanos(80));
        assertThat(looksOf(63)).isZero();
        assertThat(looksOf(1)).isPositive();
        shared = false;
        assertThat(looksOf(1)).isPositive();
    }

    @Test
    void whatDoesNotPartThemIsTriedLessAndLess() {
        shared = true;
        look.slept(TimeUnit.MICROSECONDS.toNanos(5));
        looksOf(64); // the first trial, in vain
        assertThat(looksOf(127)).isZero();
        assertThat(looksOf(1)).isPositive();
        assertThat(looksOf(255)).isZero();
        assertThat(look.until(() -> true, shared)).isTrue();
        look.slept(TimeUnit.MICROSECONDS.toNanos(5));
        assertThat(looksOf(63)).isZero();
        assertThat(looksOf(1)).isPositive();
    }

    @Test
    void whoseTrialWasOfUseIsPatientUntilTheOtherEndTriesToo() {
        looksOf(10);
        look.slept(TimeUnit.MICROSECONDS.toNanos(80));
        boolean found = false;
        for (int wait = 0; wait < 16 && !found; wait++) {
            found = look.until(() -> true, shared);
        }
        assertThat(found).isTrue();
        for (int wait = 0; wait < 32; wait++) {
            assertThat(looksOf(1)).as("wait %d", wait).isPositive();
        }
        looksOf(10);
        assertThat(looksOf(1)).as("and then it learns again").isZero();
    }

    @Test
    void whoFindsSomethingLooksAgain() {
        looksOf(10);
        look.slept(TimeUnit.MICROSECONDS.toNanos(80));
        boolean found = false;
        for (int wait = 0; wait < 20 && !found; wait++) {
            found = look.until(() -> true, shared);
        }
        assertThat(found).isTrue();
        look.slept(TimeUnit.SECONDS.toNanos(1));
        assertThat(looksOf(1)).isPositive();
    }
}
