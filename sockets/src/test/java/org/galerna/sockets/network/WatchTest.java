package org.galerna.sockets.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who looks at a link. */
@Timeout(60)
class WatchTest {
    private final Watch watch = new Watch();

    @Test
    void theThreadStaysWhereNobodyElseLooks() {
        assertThat(watch.leave()).isFalse();
        watch.take();
        assertThat(watch.leave()).isFalse();
    }

    @Test
    void theThreadKeepsAwayAsLongAsOthersLook() {
        watch.looked();
        assertThat(watch.leave()).isTrue();
        watch.looked();
        watch.comeBack();
        assertThat(watch.leave()).isTrue();
        watch.comeBack();
        assertThat(watch.leave()).isFalse();
    }

    @Test
    void aLookBeforeTheThreadBeginsToLookDoesNotCount() {
        watch.looked();
        watch.take();
        assertThat(watch.leave()).isFalse();
    }

    @Test
    void whoSleepsCallsTheThreadBack() {
        watch.looked();
        assertThat(watch.leave()).isTrue();
        assertThat(watch.call()).isTrue();
        assertThat(watch.call()).isFalse(); // it is on its way
        watch.comeBack();
        watch.looked();
        assertThat(watch.leave()).isFalse();
        watch.take();
        watch.looked();
        assertThat(watch.leave()).isTrue();
    }

    @Test
    void theThreadDoesNotGoWhenSomebodyHasCalled() {
        watch.looked();
        assertThat(watch.call()).isFalse();
        assertThat(watch.leave()).isFalse();
    }

    @Test
    void illegalStepsAreRefused() {
        assertThatIllegalStateException().isThrownBy(watch::comeBack).withMessageContaining("ALONE");
        watch.looked();
        assertThat(watch.leave()).isTrue();
        assertThatIllegalStateException().isThrownBy(watch::take).withMessageContaining("AWAY");
    }

    @Test
    void noCallIsLost() throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        Thread thread = Thread.ofPlatform().start(() -> {
            while (!over.get()) {
                if (watch.leave()) {
                    LockSupport.park(watch); // for ever, if a call does not wake it
                    watch.comeBack();
                } else {
                    watch.take();
                }
            }
        });
        for (int round = 0; round < 20_000; round++) {
            watch.looked();
            if (watch.call()) {
                LockSupport.unpark(thread);
            }
        }
        over.set(true);
        if (watch.call()) {
            LockSupport.unpark(thread);
        }
        thread.join();
    }
}
