package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.galerna.device.Device;
import org.galerna.device.DeviceOptions;
import org.galerna.device.Request;
import org.galerna.memory.Buffers;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.device.Messages.In;
import org.galerna.testkit.device.Messages.Out;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every device keeps about single messages: every operation, size and kind of buffer. */
public interface DeviceMessages extends DeviceSubject {
    private static List<Integer> sizes(Device device) {
        int eager = device.eagerLimit(1 - device.rank());
        TreeSet<Integer> sizes = new TreeSet<>(List.of(0, 1, 2, 7, 8, 39, 40, 41, 56, 57, 64, 100, 1000, 4096));
        sizes.addAll(List.of(eager - 1, eager, eager + 1, 32_768, 32_769, 65_537, (1 << 20) + 7, 3 << 20));
        return List.copyOf(sizes);
    }

    @Test
    default void everyWayToSendReachesEveryWayToReceiveAtEverySize() {
        runJob(2, device -> {
            int tag = 0;
            for (Out out : Out.values()) {
                for (In in : In.values()) {
                    for (int size : sizes(device)) {
                        long seed = Payload.seed(tag, size);
                        if (device.rank() == 0) {
                            byte[] bytes = Payload.of(seed, size);
                            Messages.finish(out.start(device, bytes, 0, size, 1, tag, 3));
                        } else {
                            receiveWithMargins(device, in, size, tag, seed);
                        }
                    }
                    tag++;
                }
            }
        });
    }

    @Test
    default void messagesUpToThePeersLimitNeedNoReceiveAndLongerOnesDo() {
        runJob(4, device -> {
            List<Request> announced = new ArrayList<>();
            for (int peer = 0; peer < device.size(); peer++) {
                int limit = device.eagerLimit(peer);
                device.send(Payload.of(peer, limit), 0, limit, peer, 1, 0);
                announced.add(device.isend(Payload.of(peer, limit + 1), 0, limit + 1, peer, 2, 0));
            }
            for (int look = 0; look < 100; look++) {
                assertThat(announced).noneMatch(Request::test);
            }
            Messages.barrier(device);
            for (int peer = 0; peer < device.size(); peer++) {
                Messages.expect(device, peer, 1, device.eagerLimit(peer), device.rank());
                Messages.expect(device, peer, 2, device.eagerLimit(peer) + 1, device.rank());
            }
            announced.forEach(Messages::finish);
        });
    }

    @Test
    default void memoryOfTheDeviceIsABufferLikeAnyOther() {
        runJob(2, device -> {
            for (int size : sizes(device)) {
                MemorySegment memory = device.allocate(Math.max(1, size), Arena.ofAuto());
                if (device.rank() == 0) {
                    Payload.fill(memory, 0, size, size);
                    Messages.finish(device.isend(memory, 0, size, 1, size, 0));
                    device.send(memory, 0, size, 1, size, 0);
                } else {
                    Messages.expect(device, 0, size, size, size);
                    Request request = device.recv(memory, 0, size, 0, size, 0);
                    assertThat(request.length()).isEqualTo(size);
                    request.release();
                    assertThat(Payload.difference(memory, 0, size, size)).isEmpty();
                }
            }
        });
    }

    private static void receiveWithMargins(Device device, In in, int size, int tag, long seed) {
        byte[] bytes = new byte[size + 20];
        bytes[9] = 77;
        bytes[10 + size] = 78;
        Request request = in.receive(device, bytes, 10, size, 0, tag, 3);
        assertThat(request.source()).isZero();
        assertThat(request.tag()).isEqualTo(tag);
        assertThat(request.length()).isEqualTo(size);
        assertThat(request.isCancelled()).isFalse();
        request.release();
        assertThat(Payload.difference(MemorySegment.ofArray(bytes), 10, size, seed))
                .as("%s bytes by %s", size, in)
                .isEmpty();
        assertThat(bytes[9]).isEqualTo((byte) 77);
        assertThat(bytes[10 + size]).isEqualTo((byte) 78);
    }

    /** The same with messages that have all arrived before their receives. */
    @Test
    default void messagesOfEverySizeWaitForTheirReceive() {
        runJob(2, device -> {
            List<Integer> sizes = sizes(device);
            List<In> ways = Arrays.asList(In.values());
            for (boolean synchronous : new boolean[] {false, true}) {
                Out out = synchronous ? Out.ISSEND : Out.ISEND;
                if (device.rank() == 0) {
                    List<Request> sends = new ArrayList<>();
                    for (int number = 0; number < sizes.size(); number++) {
                        int size = sizes.get(number);
                        sends.add(out.start(device, Payload.of(number, size), 0, size, 1, number, 3));
                    }
                    Messages.note(device, 1);
                    sends.forEach(Messages::finish);
                } else {
                    Messages.awaitNote(device, 0);
                    for (int number = sizes.size() - 1; number >= 0; number--) {
                        In in = ways.get(number % ways.size());
                        receiveWithMargins(device, in, sizes.get(number), number, number);
                    }
                }
            }
        });
    }

    /** A buffer may be longer than the message. */
    @Test
    default void aShorterMessageLeavesTheRestOfTheBufferAlone() {
        runJob(2, device -> {
            for (int size : sizes(device)) {
                if (device.rank() == 0) {
                    Messages.send(device, 1, 5, size, size);
                } else {
                    byte[] bytes = new byte[size + 100];
                    bytes[size] = 1;
                    bytes[size + 99] = 2;
                    Request request = device.recv(bytes, 0, bytes.length, ANY_SOURCE, ANY_TAG, 0);
                    assertThat(request.length()).isEqualTo(size);
                    request.release();
                    assertThat(bytes[size]).isEqualTo((byte) 1);
                    assertThat(bytes[size + 99]).isEqualTo((byte) 2);
                    assertThat(Payload.difference(MemorySegment.ofArray(bytes), 0, size, size))
                            .isEmpty();
                }
            }
        });
    }

    private static List<Object> buffers(int bytes) {
        return List.of(
                new byte[bytes],
                new char[bytes / 2],
                new short[bytes / 2],
                new int[bytes / 4],
                new float[bytes / 4],
                new long[bytes / 8],
                new double[bytes / 8],
                MemorySegment.ofArray(new int[bytes / 4]),
                MemorySegment.ofArray(new byte[bytes + 3]).asSlice(3),
                Arena.ofAuto().allocate(bytes, 8));
    }

    @Test
    default void sendsFromAndReceivesIntoEveryKindOfBuffer() {
        int bytes = 48 * 1024;
        runJob(2, device -> {
            List<Object> mine = buffers(bytes);
            for (int kind = 0; kind < mine.size(); kind++) {
                for (int other = 0; other < mine.size(); other++) {
                    for (int length : new int[] {8, 333, 4096, 40_000}) {
                        int offset = (kind + other + length) % 3 == 0 ? 7 : 16;
                        long seed = Payload.seed(kind, other * 50_000 + length);
                        if (device.rank() == 0) {
                            Payload.fill(Buffers.segment(mine.get(kind)), offset, length, seed);
                            device.send(mine.get(kind), offset, length, 1, 1, 0);
                        } else {
                            MemorySegment segment = Buffers.segment(mine.get(other));
                            segment.fill((byte) 0x3c);
                            device.recv(mine.get(other), offset, length, 0, 1, 0)
                                    .release();
                            assertThat(Payload.difference(segment, offset, length, seed))
                                    .as(
                                            "%s to %s",
                                            mine.get(kind).getClass(),
                                            mine.get(other).getClass())
                                    .isEmpty();
                            assertThat(segment.get(ValueLayout.JAVA_BYTE, offset - 1))
                                    .isEqualTo((byte) 0x3c);
                            assertThat(segment.get(ValueLayout.JAVA_BYTE, offset + length))
                                    .isEqualTo((byte) 0x3c);
                        }
                    }
                }
            }
        });
    }

    @Test
    default void memoryOfOneThreadAloneTravelsToo() {
        runJob(2, device -> {
            for (int length : new int[] {8, 4096, 200_000}) {
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment segment = arena.allocate(length, 8);
                    if (device.rank() == 0) {
                        Payload.fill(segment, 0, length, length);
                        device.send(segment, 0, length, 1, 1, 0);
                    } else {
                        device.recv(segment, 0, length, 0, 1, 0).release();
                        assertThat(Payload.difference(segment, 0, length, length))
                                .isEmpty();
                    }
                }
            }
        });
    }

    @Test
    default void sendsToItself() {
        runJob(2, device -> {
            int me = device.rank();
            for (int size : sizes(device)) {
                for (Out out : new Out[] {Out.ISEND, Out.ISSEND}) {
                    byte[] sent = Payload.of(size, size);
                    Request send = out.start(device, sent, 0, size, me, 9, 0);
                    byte[] received = new byte[size];
                    Request request = device.recv(received, 0, size, me, 9, 0);
                    assertThat(request.source()).isEqualTo(me);
                    request.release();
                    Messages.finish(send);
                    assertThat(received).isEqualTo(sent);

                    Request posted = device.irecv(received, 0, size, ANY_SOURCE, 9, 0);
                    send = out.start(device, sent, 0, size, me, 9, 0);
                    Messages.finish(posted);
                    Messages.finish(send);
                    assertThat(Payload.difference(received, size)).isEmpty();
                }
            }
            Messages.barrier(device);
        });
    }

    @Test
    @Fault(22)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void largeMessagesTravelBothWaysAtOnce() {
        int bytes = 6 << 20;
        runJob(2, device -> {
            int peer = 1 - device.rank();
            for (int round = 0; round < 10; round++) {
                byte[] sent = Payload.of(Payload.seed(device.rank(), round), bytes);
                byte[] received = new byte[bytes];
                Request receive = device.irecv(received, 0, bytes, peer, 1, 0);
                Request send = round % 2 == 0
                        ? device.isend(sent, 0, bytes, peer, 1, 0)
                        : device.issend(sent, 0, bytes, peer, 1, 0);
                if (round % 3 == 0) {
                    Messages.finish(send);
                    Messages.finish(receive);
                } else {
                    Messages.finish(receive);
                    Messages.finish(send);
                }
                assertThat(Payload.difference(received, Payload.seed(peer, round)))
                        .isEmpty();
            }
        });
    }

    /** Where nothing may be sent eagerly but empty messages, all others are announced. */
    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void anyEagerLimitAndCreditCarryEveryMessage() {
        for (DeviceOptions options :
                List.of(new DeviceOptions(0, 0), new DeviceOptions(100, 1), new DeviceOptions(1 << 30, 10_000))) {
            runJob(2, options, device -> {
                int peer = 1 - device.rank();
                for (int round = 0; round < 3; round++) {
                    for (int size :
                            sizes(device).stream().filter(each -> each >= 0).toList()) {
                        Request send = device.isend(Payload.of(size, size), 0, size, peer, size, 0);
                        Messages.expect(device, peer, size, size, size);
                        Messages.finish(send);
                    }
                }
            });
        }
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void ranksOnVirtualThreadsTalk() {
        int size = 3 * Runtime.getRuntime().availableProcessors() + 2;
        runJob(Thread.ofVirtual().factory(), size, DeviceOptions.DEFAULT, device -> {
            int next = (device.rank() + 1) % device.size();
            int previous = (device.rank() + device.size() - 1) % device.size();
            for (int round = 0; round < 100; round++) {
                int bytes = round % 10 == 0 ? 100_000 : round;
                Request send = device.isend(Payload.of(round, bytes), 0, bytes, next, round, 0);
                Messages.expect(device, previous, round, bytes, round);
                Messages.finish(send);
            }
        });
    }
}
