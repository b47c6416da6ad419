package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.TestLauncher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every device keeps about sends and receives that are cancelled while the other rank makes no call. */
public interface DeviceCancelling extends DeviceSubject {
    /** Tag of the messages that are cancelled. */
    int TAG = 3;

    int AFTERWARDS = 4;

    /** Lets a rank do nothing until another one has got somewhere. */
    static void awaitWithoutCalls(CountDownLatch latch) {
        try {
            assertThat(latch.await(RankThreads.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("the other rank has got on")
                    .isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** Sizes of messages that are sent with their bytes, announced and, on some links, fetched in many pieces. */
    private static int[] sizes(Device device) {
        return new int[] {0, 10, device.eagerLimit(1 - device.rank()) + 1, 3 << 20};
    }

    @Test
    default void aSendIsCancelledWhileItsReceiverMakesNoCall() {
        CountDownLatch cancelled = new CountDownLatch(1);
        runJob(2, device -> {
            Messages.barrier(device);
            if (device.rank() == 1) {
                awaitWithoutCalls(cancelled);
                assertThat(device.probe(ANY_SOURCE, ANY_TAG, 0)).isEqualTo(new Status(0, AFTERWARDS, 0));
                Messages.expect(device, 0, AFTERWARDS, 0, 1);
                for (int size : sizes(device)) {
                    Messages.expect(device, 0, TAG, size, size);
                }
                assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
                return;
            }
            for (int size : sizes(device)) {
                Request waited = device.issend(Payload.of(1, size), 0, size, 1, TAG, 0);
                Request tested = device.issend(Payload.of(1, size), 0, size, 1, TAG, 0);
                Request[] any = {device.issend(Payload.of(1, size), 0, size, 1, TAG, 0)};
                for (Request each : List.of(waited, tested, any[0])) {
                    each.askToCancel();
                    each.askToCancel();
                }
                waited.await();
                Deadline.after(RankThreads.LIMIT).await("a send that is tested", tested::test);
                assertThat(device.awaitAny(any)).isZero();
                for (Request each : List.of(waited, tested, any[0])) {
                    assertThat(each.isCancelled()).as("%s bytes", size).isTrue();
                    each.askToCancel();
                    each.release();
                }
            }
            Messages.send(device, 1, AFTERWARDS, 0, 1);
            cancelled.countDown();
            for (int size : sizes(device)) {
                Messages.finish(device.issend(Payload.of(size, size), 0, size, 1, TAG, 0));
            }
        });
    }

    @Test
    default void aMessageThatAProbeHasFoundStaysWhenItsSendIsOver() {
        int[] sizes = {0, 10, 100_000, 3 << 20};
        CountDownLatch[] over = new CountDownLatch[sizes.length];
        Arrays.setAll(over, each -> new CountDownLatch(1));
        runJob(2, device -> {
            for (int each = 0; each < sizes.length; each++) {
                int size = sizes[each];
                if (device.rank() == 0) {
                    byte[] bytes = Payload.of(size, size);
                    Request send = device.issend(bytes, 0, size, 1, TAG, 0);
                    Messages.awaitNote(device, 1);
                    send.askToCancel();
                    send.await();
                    assertThat(send.isCancelled()).as("%s bytes", size).isFalse();
                    send.release();
                    Arrays.fill(bytes, (byte) 0);
                    over[each].countDown();
                } else {
                    Status status = device.probe(0, TAG, 0);
                    Messages.note(device, 0);
                    awaitWithoutCalls(over[each]);
                    assertThat(device.iprobe(0, TAG, 0)).isEqualTo(status);
                    Messages.expect(device, 0, TAG, size, size);
                }
            }
            assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
        });
    }

    /** Its sender is done with the message before or after a receive has come for it: the receive does not wait for long. */
    @Test
    default void aMessageThatAProbeHasFoundIsReceivedWhileItsSendIsCancelled() {
        int size = 2 << 20;
        runJob(2, device -> {
            for (int round = 0; round < 20; round++) {
                if (device.rank() == 0) {
                    byte[] bytes = Payload.of(round, size);
                    Request send = device.issend(bytes, 0, size, 1, TAG, 0);
                    Messages.awaitNote(device, 1);
                    send.askToCancel();
                    send.await();
                    assertThat(send.isCancelled()).isFalse();
                    send.release();
                    Arrays.fill(bytes, (byte) 0);
                } else {
                    device.probe(0, TAG, 0);
                    Messages.note(device, 0);
                    byte[] part = new byte[size / 2 * (1 + round % 2)];
                    Request receive = device.irecv(part, 0, part.length, 0, TAG, 0);
                    Deadline.after(RankThreads.LIMIT).await("a receive", receive::test);
                    assertThat(receive.length()).isEqualTo(part.length);
                    assertThat(receive.failure() == null).isEqualTo(part.length == size);
                    receive.release();
                    assertThat(part).isEqualTo(Arrays.copyOf(Payload.of(round, size), part.length));
                }
            }
        });
    }

    @Test
    default void aSendThatIsMatchedEndsWhileItsReceiverMakesNoCall() {
        int[] sizes = {0, 10, 100_000, 3 << 20};
        CountDownLatch[] over = new CountDownLatch[sizes.length];
        Arrays.setAll(over, each -> new CountDownLatch(1));
        runJob(2, device -> {
            for (int each = 0; each < sizes.length; each++) {
                int size = sizes[each];
                if (device.rank() == 0) {
                    Messages.awaitNote(device, 1);
                    byte[] bytes = Payload.of(size, size);
                    Request send = device.issend(bytes, 0, size, 1, TAG, 0);
                    send.askToCancel();
                    send.await();
                    assertThat(send.isCancelled()).as("%s bytes", size).isFalse();
                    send.release();
                    Arrays.fill(bytes, (byte) 0);
                    over[each].countDown();
                } else {
                    byte[] bytes = new byte[size];
                    Request receive = device.irecv(bytes, 0, size, ANY_SOURCE, TAG, 0);
                    Messages.note(device, 0);
                    awaitWithoutCalls(over[each]);
                    Messages.finish(receive);
                    assertThat(Payload.difference(bytes, size)).isEmpty();
                }
            }
        });
    }

    @Test
    default void aReceiveThatIsMatchedEndsWhileItsSenderMakesNoCall() {
        int[] sizes = {10, 100_000, 3 << 20};
        CountDownLatch[] over = new CountDownLatch[sizes.length];
        Arrays.setAll(over, each -> new CountDownLatch(1));
        runJob(2, device -> {
            for (int each = 0; each < sizes.length; each++) {
                int size = sizes[each];
                if (device.rank() == 0) {
                    Request send = device.isend(Payload.of(size, size), 0, size, 1, TAG, 0);
                    Messages.note(device, 1);
                    awaitWithoutCalls(over[each]);
                    Messages.finish(send);
                } else {
                    Messages.awaitNote(device, 0);
                    byte[] bytes = new byte[size];
                    Request receive = device.irecv(bytes, 0, size, 0, ANY_TAG, 0);
                    assertThat(receive.cancel()).isFalse();
                    receive.await();
                    assertThat(receive.isCancelled()).isFalse();
                    receive.release();
                    assertThat(Payload.difference(bytes, size)).isEmpty();
                    over[each].countDown();
                }
            }
        });
    }

    /** More than there is room for between the ranks, so that some have not even left when they are cancelled. */
    @Test
    default void sendsThatWaitForRoomAreCancelled() {
        int many = 3000;
        int size = 1000;
        CountDownLatch over = new CountDownLatch(1);
        AtomicInteger sent = new AtomicInteger();
        runJob(2, device -> {
            Messages.barrier(device);
            if (device.rank() == 0) {
                List<Request> waiting = new ArrayList<>();
                while (waiting.size() < many) {
                    Request request = device.isend(Payload.of(1, size), 0, size, 1, TAG, 0);
                    if (request.isDone()) {
                        request.release();
                        sent.incrementAndGet();
                    } else {
                        waiting.add(request);
                    }
                }
                waiting.forEach(Request::askToCancel);
                for (Request each : waiting) {
                    each.await();
                    sent.addAndGet(each.isCancelled() ? 0 : 1);
                    each.release();
                }
                over.countDown();
                Messages.send(device, 1, AFTERWARDS, size, 2);
            } else {
                awaitWithoutCalls(over);
                Messages.expect(device, 0, AFTERWARDS, size, 2);
                for (int each = 0; each < sent.get(); each++) {
                    Messages.expect(device, 0, TAG, size, 1);
                }
                assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
            }
        });
    }

    /** Two senders cancel at random moments, while the receiver receives, probes or does something else. */
    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void eachCancelledSendIsEitherReceivedOrNot() {
        long seed = Seeds.next("eachCancelledSendIsEitherReceivedOrNot");
        int messages = 300;
        runJob(3, device -> {
            Random random = new Random(seed + device.rank());
            if (device.rank() == 0) {
                new Receiver(device, random).run();
            } else {
                new Sender(device, random).run(messages);
            }
        });
    }

    /** Numbers its messages, cancels some of them, and says at the end which of them have been sent. */
    final class Sender {
        private record Sent(int number, Request request) {}

        private final Device device;
        private final Random random;
        private final Deque<Sent> underWay = new ArrayDeque<>();
        private final List<Integer> delivered = new ArrayList<>();

        Sender(Device device, Random random) {
            this.device = device;
            this.random = random;
        }

        void run(int messages) {
            int[] sizes = {4, 1000, device.eagerLimit(0) + 4, 300_000};
            for (int number = 0; number < messages; number++) {
                int size = sizes[random.nextInt(sizes.length)];
                byte[] bytes = Payload.of(number, size);
                Receiver.write(bytes, 0, number);
                int tag = random.nextInt(2);
                Request request = random.nextBoolean()
                        ? device.issend(bytes, 0, size, 0, tag, 0)
                        : device.isend(bytes, 0, size, 0, tag, 0);
                underWay.add(new Sent(number, request));
                while (underWay.size() > random.nextInt(6)) {
                    end(underWay.removeFirst());
                }
            }
            underWay.forEach(this::end);
            byte[] all = new byte[4 * messages];
            for (int each = 0; each < delivered.size(); each++) {
                Receiver.write(all, 4 * each, delivered.get(each));
            }
            device.send(all, 0, 4L * delivered.size(), 0, Receiver.LAST, 0);
        }

        private void end(Sent sent) {
            Request request = sent.request;
            for (int turn = random.nextInt(50); turn > 0; turn--) {
                Thread.onSpinWait();
            }
            if (random.nextInt(3) > 0) {
                request.askToCancel();
            }
            if (random.nextBoolean()) {
                request.await();
            } else {
                Deadline.after(RankThreads.LIMIT).await("a send", request::test);
            }
            request.throwFailure();
            if (!request.isCancelled()) {
                delivered.add(sent.number);
            }
            request.release();
        }
    }

    /** Receives by every means, and compares what it has got with what the senders say. */
    final class Receiver {
        static final int LAST = 2;
        private static final int LONGEST = 400_000;

        private final Device device;
        private final Random random;
        private final List<List<Integer>> received = new ArrayList<>();
        private final List<@Nullable List<Integer>> delivered = new ArrayList<>();

        Receiver(Device device, Random random) {
            this.device = device;
            this.random = random;
            for (int rank = 0; rank < device.size(); rank++) {
                received.add(new ArrayList<>());
                delivered.add(rank == 0 ? List.of() : null);
            }
        }

        static void write(byte[] bytes, int at, int number) {
            ByteBuffer.wrap(bytes).putInt(at, number);
        }

        private static int read(byte[] bytes, int at) {
            return ByteBuffer.wrap(bytes).getInt(at);
        }

        void run() {
            while (delivered.contains(null)) {
                byte[] bytes = new byte[LONGEST];
                switch (random.nextInt(4)) {
                    case 0 -> take(bytes, device.recv(bytes, 0, LONGEST, ANY_SOURCE, ANY_TAG, 0));
                    case 1 -> {
                        Status found = device.probe(ANY_SOURCE, ANY_TAG, 0);
                        pause();
                        Request request = device.recv(bytes, 0, LONGEST, found.source(), found.tag(), 0);
                        assertThat(request.length()).as("as probed").isEqualTo(found.length());
                        take(bytes, request);
                    }
                    case 2 -> {
                        Status found = device.iprobe(ANY_SOURCE, ANY_TAG, 0);
                        if (found != null) {
                            Request request = device.irecv(bytes, 0, LONGEST, found.source(), found.tag(), 0);
                            pause();
                            request.await();
                            take(bytes, request);
                        }
                    }
                    default -> pause();
                }
            }
            assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
            for (int rank = 1; rank < device.size(); rank++) {
                assertThat(received.get(rank)).as("messages of rank %s", rank).isEqualTo(delivered.get(rank));
            }
        }

        private void pause() {
            for (int turn = random.nextInt(20_000); turn > 0; turn--) {
                Thread.onSpinWait();
            }
        }

        private void take(byte[] bytes, Request request) {
            request.throwFailure();
            int length = (int) request.length();
            int source = request.source();
            if (request.tag() == LAST) {
                List<Integer> numbers = new ArrayList<>();
                for (int at = 0; at < length; at += 4) {
                    numbers.add(read(bytes, at));
                }
                delivered.set(source, numbers);
            } else {
                int number = read(bytes, 0);
                byte[] expected = Payload.of(number, length);
                write(expected, 0, number);
                assertThat(Arrays.equals(bytes, 0, length, expected, 0, length))
                        .as("message %s", number)
                        .isTrue();
                received.get(source).add(number);
            }
            request.release();
        }
    }
}
