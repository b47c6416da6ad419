package org.galerna.nativeaccess.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.galerna.nativeaccess.call.CFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DescriptorPassingTest {
    private static final int AF_UNIX = 1;
    private static final int STREAM = 1;
    private static final CFunction CLOSE = CFunction.of("close");

    private final Arena arena = Arena.ofAuto();
    private final ByteBuffer target = ByteBuffer.allocateDirect(64);
    private int near;
    private int far;
    private DescriptorPassing sender;
    private DescriptorPassing receiver;

    @BeforeEach
    void connect() {
        MemorySegment both = arena.allocate(8, 4);
        assertThat((int) CFunction.of("socketpair").call(CFunction.IGNORED, AF_UNIX, STREAM, 0, both.address()))
                .isZero();
        near = both.get(ValueLayout.JAVA_INT, 0);
        far = both.get(ValueLayout.JAVA_INT, 4);
        sender = new DescriptorPassing(near);
        receiver = new DescriptorPassing(far);
    }

    @AfterEach
    void close() {
        receiver.drop();
        CLOSE.call(CFunction.IGNORED, near);
        CLOSE.call(CFunction.IGNORED, far);
    }

    @Test
    void aBellThatIsHandedOverRingsForItsOwner() throws Exception {
        try (EventCounter bell = EventCounter.create();
                Epoll epoll = new Epoll(1)) {
            epoll.add(bell.descriptor(), Epoll.READABLE, 0);
            assertThat(sender.send(arena.allocateFrom("here"), bell.descriptor()))
                    .isTrue();
            assertThat(receiver.receive(target)).isEqualTo(5);
            assertThat(target.flip().get()).isEqualTo((byte) 'h');
            try (EventCounter copy = EventCounter.of(receiver.takeReceived())) {
                assertThat(copy.descriptor()).isNotEqualTo(bell.descriptor());
                assertThat(epoll.await(0)).isZero();
                copy.ring();
                assertThat(epoll.await(0)).isEqualTo(1);
            }
            assertThat(receiver.takeReceived()).isEqualTo(DescriptorPassing.NONE);
        }
    }

    @Test
    void bytesAreReceivedWithoutToo() throws Exception {
        assertThat(receiver.receive(target)).isZero();
        MemorySegment bytes = arena.allocateFrom("abc");
        CFunction.of("write").call(CFunction.IGNORED, near, bytes.address(), 3);
        assertThat(receiver.receive(target)).isEqualTo(3);
        assertThat(receiver.takeReceived()).isEqualTo(DescriptorPassing.NONE);
        CLOSE.call(CFunction.IGNORED, near);
        near = -1;
        assertThat(receiver.receive(target)).isEqualTo(-1);
    }

    @Test
    void aFullSocketTakesNothingAndABrokenOneSaysSo() throws Exception {
        MemorySegment much = arena.allocate(1 << 12);
        int sent = 0;
        while (sender.send(much, near)) {
            sent++;
        }
        assertThat(sent).isPositive();
        CLOSE.call(CFunction.IGNORED, far);
        far = -1;
        assertThatThrownBy(() -> sender.send(much, near)).isInstanceOf(IOException.class);
    }
}
