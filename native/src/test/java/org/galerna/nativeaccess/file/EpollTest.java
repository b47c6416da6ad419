package org.galerna.nativeaccess.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EpollTest {
    private Epoll epoll;
    private EventCounter bell;

    @BeforeEach
    void open() throws Exception {
        epoll = new Epoll(8);
        bell = EventCounter.create();
    }

    @AfterEach
    void close() {
        epoll.close();
        bell.close();
        bell.close();
        bell.ring();
    }

    @Test
    void tellsWhatIsReadyAsLongAsItIs() throws Exception {
        epoll.add(bell.descriptor(), Epoll.READABLE, -5L);
        assertThat(epoll.await(0)).isZero();
        bell.ring();
        for (int time = 0; time < 2; time++) {
            assertThat(epoll.await(1000)).isEqualTo(1);
            assertThat(epoll.data(0)).isEqualTo(-5L);
            assertThat(epoll.events(0)).isEqualTo(Epoll.READABLE);
        }
        epoll.modify(bell.descriptor(), Epoll.WRITABLE, 1L << 40);
        assertThat(epoll.await(1000)).isEqualTo(1);
        assertThat(epoll.data(0)).isEqualTo(1L << 40);
        assertThat(epoll.events(0)).isEqualTo(Epoll.WRITABLE);
        epoll.remove(bell.descriptor());
        epoll.remove(bell.descriptor());
        assertThat(epoll.await(0)).isZero();
    }

    @Test
    void tellsChangesOnce() throws Exception {
        epoll.add(bell.descriptor(), Epoll.READABLE | Epoll.ON_CHANGE, 1);
        for (int time = 0; time < 3; time++) {
            bell.ring();
            assertThat(epoll.await(1000)).isEqualTo(1);
            assertThat(epoll.await(0)).isZero();
        }
    }

    @Test
    void sleepsUntilItIsRung() throws Exception {
        epoll.add(bell.descriptor(), Epoll.READABLE, 7);
        Thread ringer = Thread.ofPlatform().start(() -> {
            java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            bell.ring();
        });
        assertThat(epoll.await(30_000)).isEqualTo(1);
        ringer.join();
        assertThat(epoll.await(0)).isEqualTo(1);
    }

    @Test
    void refusesWhatCannotBeWaitedFor() throws Exception {
        epoll.add(bell.descriptor(), Epoll.READABLE, 7);
        assertThatThrownBy(() -> epoll.add(bell.descriptor(), Epoll.READABLE, 7))
                .isInstanceOf(SystemCallException.class)
                .hasMessageContaining("cannot wait for a descriptor");
        assertThatThrownBy(() -> epoll.add(-1, Epoll.READABLE, 7)).isInstanceOf(SystemCallException.class);
        assertThatThrownBy(() -> EventCounter.of(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
