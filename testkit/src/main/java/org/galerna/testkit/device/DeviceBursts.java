package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Test;

/** What every device keeps about messages without blocking that follow each other, which it may send together. */
public interface DeviceBursts extends DeviceSubject {
    /** What was started arrives, whether its sender makes another call or not. */
    @Test
    default void burstsArriveWhileTheirSenderComputes() {
        int messages = 150; // more than a link takes for one peer before that one has answered
        int[] lengths = {1, 8, 32, 100};
        AtomicInteger received = new AtomicInteger();
        runJob(2, device -> {
            for (int burst = 0; burst < lengths.length; burst++) {
                int all = (burst + 1) * messages;
                int length = lengths[burst];
                Messages.note(device, 1 - device.rank()); // both are connected, and the burst before is over
                Messages.awaitNote(device, 1 - device.rank());
                if (device.rank() == 1) {
                    for (int number = 0; number < messages; number++) {
                        Messages.expect(device, 0, burst, length, Payload.seed(burst, number));
                        received.incrementAndGet();
                    }
                    continue;
                }
                List<Request> sends = new ArrayList<>();
                for (int number = 0; number < messages; number++) {
                    byte[] bytes = Payload.of(Payload.seed(burst, number), length);
                    sends.add(device.isend(bytes, 0, length, 1, burst, 0));
                }
                Deadline.after(RankThreads.LIMIT).await("the burst has arrived", () -> received.get() == all);
                sends.forEach(Messages::finish);
            }
        });
    }

    /** One message after the other, each only when the one before has been received. */
    @Test
    default void everyMessageOfABurstArrivesBeforeTheNextIsSent() {
        int messages = 100;
        AtomicInteger received = new AtomicInteger();
        runJob(2, device -> {
            for (int number = 0; number < messages; number++) {
                if (device.rank() == 1) {
                    Messages.expect(device, 0, 1, 8, number);
                    received.set(number + 1);
                } else {
                    Messages.finish(device.isend(Payload.of(number, 8), 0, 8, 1, 1, 0));
                    int sent = number + 1;
                    Deadline.after(RankThreads.LIMIT).await("message " + number, () -> received.get() == sent);
                }
            }
        });
    }

    /** Equal ones, others between them, all ways to receive: the order is that of the sends. */
    @Test
    default void burstsOfAnyMixtureKeepTheirOrder() {
        long seed = Seeds.next("burstsOfAnyMixtureKeepTheirOrder");
        int messages = 20_000;
        runJob(3, device -> {
            if (device.rank() == 0) {
                takeMixtures(device, seed, messages);
                return;
            }
            Mixture mixture = new Mixture(seed + device.rank());
            Random random = new Random(seed - device.rank());
            List<Request> sends = new ArrayList<>();
            for (int number = 0; number < messages; number++) {
                mixture.next();
                byte[] bytes = Payload.of(Payload.seed(device.rank(), number), mixture.length);
                Messages.Out out = random.nextInt(12) == 0 ? Messages.Out.SEND : Messages.Out.ISEND;
                Request send = out.start(device, bytes, 0, bytes.length, 0, mixture.tag, device.rank());
                if (send != null) {
                    sends.add(send);
                }
                if (random.nextInt(50) == 0) {
                    sends.forEach(Messages::finish);
                    sends.clear();
                }
            }
            sends.forEach(Messages::finish);
        });
    }

    /** Lengths and tags in runs. */
    final class Mixture {
        private final Random random;
        private int left;
        int length;
        int tag;

        Mixture(long seed) {
            random = new Random(seed);
        }

        void next() {
            if (left-- == 0) {
                left = random.nextInt(60);
                length = random.nextInt(5) == 0 ? random.nextInt(200) : random.nextInt(35);
                tag = random.nextInt(3);
            }
        }
    }

    /** In the order of each sender's messages, sometimes by wildcards, sometimes posted ahead. */
    private static void takeMixtures(Device device, long seed, int messages) {
        Mixture[] mixtures = {new Mixture(seed + 1), new Mixture(seed + 2)};
        Random random = new Random(seed);
        int[] taken = new int[2];
        while (taken[0] < messages || taken[1] < messages) {
            int sender = taken[0] == messages ? 2 : taken[1] == messages ? 1 : 1 + random.nextInt(2);
            int count = Math.min(1 + random.nextInt(40), messages - taken[sender - 1]);
            List<Request> requests = new ArrayList<>();
            List<byte[]> buffers = new ArrayList<>();
            List<Integer> lengths = new ArrayList<>();
            for (int each = 0; each < count; each++) {
                mixtures[sender - 1].next();
                byte[] buffer = new byte[200];
                buffers.add(buffer);
                lengths.add(mixtures[sender - 1].length);
                int source = random.nextInt(8) == 0 ? ANY_SOURCE : sender;
                int tag = random.nextInt(8) == 0 ? ANY_TAG : mixtures[sender - 1].tag;
                requests.add(device.irecv(buffer, 0, buffer.length, source, tag, sender));
            }
            for (int each = 0; each < count; each++) {
                Request request = requests.get(each);
                request.await();
                assertThat(request.length()).isEqualTo(lengths.get(each).longValue());
                byte[] bytes = Arrays.copyOf(buffers.get(each), lengths.get(each));
                assertThat(Payload.difference(bytes, Payload.seed(sender, taken[sender - 1])))
                        .as("message %s of rank %s", taken[sender - 1], sender)
                        .isEmpty();
                request.release();
                taken[sender - 1]++;
            }
        }
    }

    /** A receive that is too short fails alone, and those before and behind it have their messages. */
    @Test
    default void aReceiveThatIsTooShortTakesOneMessageOfABurst() {
        int messages = 30;
        runJob(2, device -> {
            List<Request> requests = new ArrayList<>();
            byte[][] buffers = new byte[messages][];
            if (device.rank() == 1) {
                for (int number = 0; number < messages; number++) {
                    buffers[number] = new byte[number % 7 == 3 ? 5 : 8];
                    requests.add(device.irecv(buffers[number], 0, buffers[number].length, 0, 1, 0));
                }
            }
            Messages.barrier(device);
            if (device.rank() == 0) {
                for (int number = 0; number < messages; number++) {
                    requests.add(device.isend(Payload.of(number, 8), 0, 8, 1, 1, 0));
                }
                requests.forEach(Messages::finish);
                return;
            }
            for (int number = 0; number < messages; number++) {
                Request request = requests.get(number);
                Deadline.after(RankThreads.LIMIT).await("message " + number, request::test);
                DeviceException failure = request.failure();
                assertThat(failure == null ? null : failure.errorClass())
                        .as("failure of message %s", number)
                        .isEqualTo(number % 7 == 3 ? ErrorClass.TRUNCATE : null);
                assertThat(buffers[number]).startsWith(Arrays.copyOf(Payload.of(number, 8), 5));
                request.release();
            }
        });
    }

    /** A rank that leaves behind a burst: all of it arrives, and then its end is known. */
    @Test
    default void aBurstOfARankThatLeavesArrives() {
        int messages = 37;
        runJob(2, device -> {
            if (device.rank() == 0) {
                for (int number = 0; number < messages; number++) {
                    device.isend(Payload.of(number, 8), 0, 8, 1, 1, 0);
                }
                return;
            }
            for (int number = 0; number < messages; number++) {
                Messages.expect(device, 0, 1, 8, number);
            }
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 0 is gone", () -> Messages.expect(device, 0, 1, 8, 0));
        });
    }

    /** Several threads send bursts to one rank, each with a tag of its own. */
    @Test
    default void threadsThatSendBurstsAtOnceKeepEachTheirOrder() {
        int senders = 3;
        int messages = 3000;
        runJob(2, device -> {
            if (device.rank() == 0) {
                RankThreads.run(Thread.ofPlatform().factory(), senders, RankThreads.LIMIT, tag -> {
                    for (int number = 0; number < messages; number++) {
                        byte[] bytes = Payload.of(Payload.seed(tag, number), 8);
                        Messages.finish(device.isend(bytes, 0, 8, 1, tag, 0));
                    }
                });
            } else {
                for (int number = 0; number < messages; number++) {
                    for (int tag = 0; tag < senders; tag++) {
                        Messages.expect(device, 0, tag, 8, Payload.seed(tag, number));
                    }
                }
            }
        });
    }
}
