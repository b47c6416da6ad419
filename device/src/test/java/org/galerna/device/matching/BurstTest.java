package org.galerna.device.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.device.matching.sending.Burst;
import org.galerna.device.matching.sending.Coalescer;
import org.galerna.device.matching.sending.Rounds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BurstTest {
    private final Rounds rounds = new Rounds();
    private final Coalescer gatherer = new Coalescer("gatherer of a test", rounds);
    private final AtomicInteger flushes = new AtomicInteger();
    private final Burst burst = gatherer.burst(flushes::incrementAndGet);

    @AfterEach
    void close() {
        gatherer.close();
    }

    private void progress() {
        rounds.next();
        gatherer.flush();
    }

    private int held(int messages, int length) {
        int held = 0;
        for (int message = 0; message < messages; message++) {
            held += burst.holds(length) ? 1 : 0;
        }
        return held;
    }

    @Test
    void messagesOfAShortBurstGoAtOnce() {
        for (int repetition = 0; repetition < 100; repetition++) {
            assertThat(held(4, 1000)).isZero();
            progress();
        }
    }

    @Test
    void aBurstThatTurnsOutToBeLongIsHeldAndTheNextOneFromItsSecondMessageOn() {
        assertThat(held(20, 8)).isEqualTo(12);
        progress();
        assertThat(flushes).hasValue(1);
        assertThat(held(20, 8)).isEqualTo(19);
        progress();
        assertThat(held(2, 8)).isEqualTo(1);
        progress();
        assertThat(held(8, 8)).as("after a short one").isZero();
    }

    @Test
    void bytesThatAreWorthACallAreNotHeld() {
        held(100, 8);
        progress();
        assertThat(held(64, 1024)).isBetween(58, 62);
        assertThat(held(10, 40_000)).isZero();
    }

    @Test
    void whoWaitsForAHeldSendSendsIt() {
        held(20, 8);
        gatherer.request().await();
        assertThat(flushes).hasPositiveValue();
        progress();
        int before = flushes.get();
        progress();
        assertThat(flushes).as("nothing is left").hasValue(before);
    }

    @Test
    void whatASenderLeavesBehindIsFlushed() throws InterruptedException {
        for (boolean asleep : new boolean[] {false, true}) {
            while (asleep && gatherer.isWatching()) {
                Thread.onSpinWait(); // for a tenth of a second
            }
            CountDownLatch flushed = new CountDownLatch(1);
            Burst other = gatherer.burst(flushed::countDown);
            for (int message = 0; message < 20; message++) {
                other.holds(8);
            }
            assertThat(flushed.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }
}
