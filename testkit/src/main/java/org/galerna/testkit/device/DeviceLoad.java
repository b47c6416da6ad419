package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.device.Device.ANY_SOURCE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.testkit.AllocatedBytes;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every device keeps under load: many ranks, many threads, floods, and no garbage. */
public interface DeviceLoad extends DeviceSubject {
    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void seventeenRanksSendToAll() {
        long seed = Seeds.next("seventeenRanksSendToAll");
        runJob(17, device -> {
            int size = device.size();
            for (int round = 0; round < 4; round++) {
                Random random = new Random(seed + round);
                int[] lengths =
                        random.ints(size, 0, round % 2 == 0 ? 500 : 40_000).toArray();
                List<Request> requests = new ArrayList<>();
                byte[][] received = new byte[size][];
                for (int step = 0; step < size; step++) {
                    int peer = (device.rank() + step) % size;
                    received[peer] = new byte[lengths[peer]];
                    requests.add(device.irecv(received[peer], 0, lengths[peer], peer, round, 0));
                }
                int mine = lengths[device.rank()];
                byte[] bytes = Payload.of(Payload.seed(device.rank(), round), mine);
                for (int step = 0; step < size; step++) {
                    requests.add(device.isend(bytes, 0, mine, (device.rank() + step) % size, round, 0));
                }
                requests.forEach(Messages::finish);
                for (int peer = 0; peer < size; peer++) {
                    assertThat(Payload.difference(received[peer], Payload.seed(peer, round)))
                            .as("from rank %s", peer)
                            .isEmpty();
                }
            }
        });
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void manyThreadsOfARankTalkAtOnce() {
        long seed = Seeds.next("manyThreadsOfARankTalkAtOnce");
        int threads = 4;
        int messages = 400;
        runJob(2, device -> {
            int peer = 1 - device.rank();
            RankThreads.run(threads, thread -> {
                Random sizes = new Random(seed + thread);
                Random choices = new Random(seed + 31L * thread + device.rank());
                for (int number = 0; number < messages; number++) {
                    int length = sizes.nextInt(sizes.nextInt(4) == 0 ? 150_000 : 300);
                    byte[] bytes = Payload.of(Payload.seed(10 * device.rank() + thread, number), length);
                    byte[] received = new byte[length];
                    Request receive = choices.nextBoolean() ? device.irecv(received, 0, length, peer, thread, 0) : null;
                    Request send = choices.nextBoolean()
                            ? device.isend(bytes, 0, length, peer, thread, 0)
                            : device.issend(bytes, 0, length, peer, thread, 0);
                    if (receive == null) {
                        receive = device.recv(received, 0, length, ANY_SOURCE, thread, 0);
                    }
                    Messages.finish(receive);
                    Messages.finish(send);
                    assertThat(Payload.difference(received, Payload.seed(10 * peer + thread, number)))
                            .as("message %s to thread %s of rank %s", number, thread, device.rank())
                            .isEmpty();
                }
            });
        });
    }

    @Test
    default void manyThreadsShareTheMessagesOfOneTag() {
        int threads = 4;
        int messages = 2000;
        AtomicLong sum = new AtomicLong();
        AtomicInteger count = new AtomicInteger();
        runJob(3, device -> {
            RankThreads.run(threads, thread -> {
                if (device.rank() == 0) {
                    for (int number = 0; number < messages; number++) {
                        byte[] bytes = new byte[20_000];
                        Request request = device.recv(bytes, 0, bytes.length, ANY_SOURCE, 5, 0);
                        MemorySegment memory = MemorySegment.ofArray(bytes);
                        long value = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
                        assertThat(Payload.difference(memory, 8, request.length() - 8, value))
                                .isEmpty();
                        request.release();
                        sum.addAndGet(value);
                        count.incrementAndGet();
                    }
                    return;
                }
                for (int number = 0; number < messages / 2; number++) {
                    int length = number % 20 == 0 ? 20_000 : 8 + number % 100;
                    byte[] bytes = new byte[length];
                    MemorySegment memory = MemorySegment.ofArray(bytes);
                    memory.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
                    Payload.fill(memory, 8, length - 8, number);
                    device.send(bytes, 0, length, 0, 5, 0);
                }
            });
        });
        long half = messages / 2;
        assertThat(count).hasValue(threads * messages);
        assertThat(sum).hasValue(2L * threads * (half * (half - 1) / 2));
    }

    /** 128 MiB are offered to a rank that receives none of them; what it holds is bounded, and nothing is lost. */
    @Test
    @Fault(21)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void aFloodOfUnexpectedMessagesIsBoundedInMemory() {
        int length = 8 * 1024;
        int messages = (64 << 20) / length;
        byte[] source = Payload.of(42, 64 * 1024 + length);
        runJob(2, device -> {
            if (device.rank() == 0) {
                Request[] sends = new Request[messages];
                long before = usedHeap();
                for (int number = 0; number < messages; number++) {
                    sends[number] = device.isend(source, number % (64 * 1024), length, 1, 3, 0);
                }
                Messages.note(device, 1);
                Messages.awaitNote(device, 1);
                assertThat(usedHeap() - before)
                        .as("bytes of heap taken by %s messages that nobody has received", messages)
                        .isLessThan(40L << 20);
                Messages.note(device, 1);
                for (Request each : sends) {
                    Messages.finish(each);
                }
                return;
            }
            Messages.awaitNote(device, 0);
            Messages.note(device, 0);
            Messages.awaitNote(device, 0);
            byte[] bytes = new byte[length];
            for (int number = 0; number < messages; number++) {
                device.recv(bytes, 0, length, 0, 3, 0).release();
                int offset = number % (64 * 1024);
                int wrong = Arrays.mismatch(bytes, 0, length, source, offset, offset + length);
                assertThat(wrong).as("first wrong byte of message %s", number).isEqualTo(-1);
            }
        });
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** A rank that computes does not poll: nothing is lost that was sent to it, and nobody hangs. */
    @Test
    @Fault(21)
    default void aRankThatDoesNotPollLosesNothing() {
        AtomicInteger offered = new AtomicInteger();
        int messages = 20_000;
        runJob(3, device -> {
            if (device.rank() != 0) {
                List<Request> sends = new ArrayList<>();
                for (int number = 0; number < messages; number++) {
                    byte[] bytes = Payload.of(Payload.seed(device.rank(), number), 200);
                    sends.add(device.isend(bytes, 0, 200, 0, 1, 0));
                }
                offered.incrementAndGet();
                sends.forEach(Messages::finish);
                return;
            }
            Deadline.after(RankThreads.LIMIT).await("all messages are offered", () -> offered.get() == 2);
            for (int number = 0; number < messages; number++) {
                Messages.expect(device, 1, 1, 200, Payload.seed(1, number));
                Messages.expect(device, 2, 1, 200, Payload.seed(2, number));
            }
        });
    }

    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void blockingMessagesBelowTheEagerLimitAllocateNothing() {
        runJob(2, device -> {
            int peer = 1 - device.rank();
            int eager = device.eagerLimit(peer);
            for (Object buffer : List.of(new byte[eager], new double[eager / 8])) {
                for (int length : new int[] {0, 40, eager}) {
                    int messages = 2000;
                    Runnable pingPong = () -> {
                        for (int number = 0; number < messages; number++) {
                            if (device.rank() == 0) {
                                device.send(buffer, 0, length, peer, 1, 0);
                                device.recv(buffer, 0, length, peer, 1, 0).release();
                            } else {
                                device.recv(buffer, 0, length, ANY_SOURCE, 1, 0).release();
                                device.send(buffer, 0, length, peer, 1, 0);
                            }
                        }
                    };
                    leastAllocation(
                            device,
                            pingPong,
                            messages,
                            length + " bytes of " + buffer.getClass().getTypeName());
                }
            }
        });
    }

    /** Both ranks run the work equally often, until it is compiled: before that it may allocate. */
    private static void leastAllocation(Device device, Runnable work, int messages, String what) {
        long least = Long.MAX_VALUE;
        boolean again = true;
        for (int round = 0; round < 20 && again; round++) {
            least = Math.min(least, AllocatedBytes.during(work));
            again = isTrueOfEither(device, least >= messages);
        }
        assertThat(least)
                .as("bytes allocated by %s round trips of %s", messages, what)
                .isLessThan(messages);
    }

    private static boolean isTrueOfEither(Device device, boolean mine) {
        byte[] own = {(byte) (mine ? 1 : 0)};
        byte[] other = new byte[1];
        Request sent = device.isend(own, 0, 1, 1 - device.rank(), 2, 0);
        device.recv(other, 0, 1, 1 - device.rank(), 2, 0).release();
        Messages.finish(sent);
        return mine || other[0] == 1;
    }
}
