package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.junit.jupiter.api.Test;

/** What every device keeps about arguments that are wrong, messages that do not fit, and buffers it cannot write. */
public interface DeviceErrors extends DeviceSubject {
    @Test
    @Fault(24)
    default void aMessageThatIsTooLongFillsTheBufferAndFailsTheReceive() {
        runJob(2, device -> {
            int eager = device.eagerLimit(1 - device.rank());
            int[] sizes = {1, 100, eager, eager + 1, 1 << 20};
            for (boolean arrived : new boolean[] {false, true}) {
                for (int size : sizes) {
                    for (int capacity : new int[] {0, size / 2, size - 1}) {
                        if (device.rank() == 0) {
                            Request send = device.isend(Payload.of(size, size), 0, size, 1, 6, 0);
                            Messages.note(device, 1);
                            Messages.finish(send);
                            Messages.send(device, 1, 6, size, size + 1);
                        } else {
                            if (arrived) {
                                Messages.awaitNote(device, 0);
                            }
                            truncated(device, size, capacity, capacity % 2 == 0);
                            if (!arrived) {
                                Messages.awaitNote(device, 0);
                            }
                            Messages.expect(device, 0, 6, size, size + 1);
                        }
                    }
                }
            }
        });
    }

    private static void truncated(Device device, int size, int capacity, boolean blocking) {
        byte[] bytes = new byte[capacity + 64];
        if (blocking) {
            Messages.failsWith(
                    ErrorClass.TRUNCATE,
                    size + " bytes from rank 0 with tag 6 into a buffer of " + capacity,
                    () -> device.recv(bytes, 32, capacity, ANY_SOURCE, 6, 0));
        } else {
            Request request = device.irecv(bytes, 32, capacity, 0, ANY_TAG, 0);
            Messages.failsWith(ErrorClass.TRUNCATE, size + " bytes from rank 0", request::await);
            assertThat(request.isDone()).isTrue();
            assertThat(request.failure()).isNotNull();
            assertThatExceptionOfType(DeviceException.class).isThrownBy(request::throwFailure);
            assertThat(request.source()).isZero();
            assertThat(request.tag()).isEqualTo(6);
            assertThat(request.length()).isEqualTo(capacity);
            request.release();
        }
        byte[] whole = Payload.of(size, size);
        for (int index = 0; index < bytes.length; index++) {
            byte expected = index < 32 || index >= 32 + capacity ? 0 : whole[index - 32];
            if (bytes[index] != expected) {
                throw new AssertionError("byte " + index + " of a buffer of " + capacity + " bytes at 32, message of "
                        + size + " bytes, is " + bytes[index] + ", expected " + expected);
            }
        }
    }

    @Test
    @Fault(24)
    default void argumentsThatAreWrongAreNamedAndChangeNothing() {
        runJob(2, device -> {
            int peer = 1 - device.rank();
            byte[] bytes = new byte[10];
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> device.send(bytes, 0, 10, 2, 0, 0))
                    .withMessageContaining("no rank 2");
            assertThatIllegalArgumentException().isThrownBy(() -> device.isend(bytes, 0, 10, -1, 0, 0));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> device.issend(bytes, 0, 10, peer, -1, 0))
                    .withMessageContaining("tag");
            assertThatIllegalArgumentException().isThrownBy(() -> device.ssend(bytes, 0, 10, peer, 0, -1));
            assertThatIllegalArgumentException().isThrownBy(() -> device.irecv(bytes, 0, 10, -2, 0, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> device.recv(bytes, 0, 10, 2, 0, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> device.irecv(bytes, 0, 10, peer, -2, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> device.irecv(bytes, 0, 10, peer, 0, -1));
            assertThatIllegalArgumentException().isThrownBy(() -> device.probe(5, 0, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> device.iprobe(peer, -2, 0));
            assertThatIllegalArgumentException().isThrownBy(() -> device.peek(bytes, 0, 10, -9, 0, 0));
            for (long[] range : new long[][] {{0, 11}, {1, 10}, {-1, 1}, {0, -1}, {11, 0}, {Long.MAX_VALUE, 1}}) {
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> device.send(bytes, range[0], range[1], peer, 0, 0));
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> device.issend(bytes, range[0], range[1], peer, 0, 0));
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> device.irecv(bytes, range[0], range[1], peer, 0, 0));
                assertThatExceptionOfType(IndexOutOfBoundsException.class)
                        .isThrownBy(() -> device.peek(bytes, range[0], range[1], peer, 0, 0));
            }
            for (Object buffer : List.of(new boolean[10], "text", new String[1])) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> device.send(buffer, 0, 1, peer, 0, 0))
                        .withMessageContaining("buffer");
                assertThatIllegalArgumentException().isThrownBy(() -> device.irecv(buffer, 0, 1, peer, 0, 0));
            }
            Messages.barrier(device);
            assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
            Messages.barrier(device);
        });
    }

    @Test
    @Fault(24)
    default void aBufferThatCannotBeWrittenFailsItsReceiveAlone() {
        runJob(2, device -> {
            for (int size : new int[] {10, 5000, 200_000}) {
                if (device.rank() == 0) {
                    Messages.send(device, 1, 1, size, 1);
                    Messages.send(device, 1, 1, size, 2);
                } else {
                    MemorySegment readOnly =
                            MemorySegment.ofArray(new byte[size]).asReadOnly();
                    assertThatExceptionOfType(RuntimeException.class)
                            .isThrownBy(() -> device.recv(readOnly, 0, size, 0, 1, 0));
                    Messages.expect(device, 0, 1, size, 2);
                }
            }
        });
    }

    /** A program that frees memory under a message is wrong; the ranks' other messages go on all the same. */
    @Test
    @Fault(24)
    default void memoryThatIsFreedUnderASendHarmsNoOtherMessage() {
        runJob(2, device -> {
            if (device.rank() == 0) {
                MemorySegment freed;
                try (Arena arena = Arena.ofShared()) {
                    freed = arena.allocate(4096);
                }
                for (int length : new int[] {10, 4096}) {
                    assertThatExceptionOfType(RuntimeException.class)
                            .isThrownBy(() -> device.send(freed, 0, length, 1, 1, 0));
                }
                Messages.send(device, 1, 2, 100, 3);
                fillTheWay(device);
            } else {
                Messages.expect(device, 0, 2, 100, 3);
                for (int number = 0; number < FILLERS; number++) {
                    Messages.expect(device, 0, 3, 4000, number);
                }
                Messages.expect(device, 0, 2, 100, 4);
            }
        });
    }

    /** More messages than the way to the peer holds, so that the last ones wait in this rank. */
    int FILLERS = 1000;

    private static void fillTheWay(Device device) {
        List<Request> sends = new ArrayList<>();
        for (int number = 0; number < FILLERS; number++) {
            sends.add(device.isend(Payload.of(number, 4000), 0, 4000, 1, 3, 0));
        }
        try (Arena arena = Arena.ofShared()) {
            Request doomed = device.isend(arena.allocate(100), 0, 100, 1, 9, 0);
            assertThat(doomed).isNotNull();
        }
        Messages.send(device, 1, 2, 100, 4);
        sends.forEach(Messages::finish);
    }
}
