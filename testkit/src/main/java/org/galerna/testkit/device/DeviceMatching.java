package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.TestLauncher;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every device keeps about which message meets which receive, and when. */
public interface DeviceMatching extends DeviceSubject {
    @Test
    default void tagsSourcesAndContextsKeepMessagesApart() {
        runJob(3, device -> {
            if (device.rank() != 0) {
                for (int context = 0; context < 4; context++) {
                    for (int tag = 0; tag < 4; tag++) {
                        byte[] bytes = {(byte) device.rank(), (byte) context, (byte) tag};
                        device.send(bytes, 0, 3, 0, tag, context);
                    }
                }
                return;
            }
            byte[] bytes = new byte[3];
            for (int source = 2; source >= 1; source--) {
                for (int tag = 3; tag >= 0; tag--) {
                    for (int context = 3; context >= 0; context--) {
                        device.recv(bytes, 0, 3, source, tag, context).release();
                        assertThat(bytes).containsExactly(source, context, tag);
                    }
                }
            }
        });
    }

    @Test
    default void theLargestTagAndContextWork() {
        runJob(2, device -> {
            int peer = 1 - device.rank();
            int tag = device.limits().largestTag();
            int context = device.limits().largestContext();
            Request send = device.isend(new byte[] {5}, 0, 1, peer, tag, context);
            byte[] bytes = new byte[1];
            Request request = device.recv(bytes, 0, 1, peer, tag, context);
            assertThat(request.tag()).isEqualTo(tag);
            request.release();
            Messages.finish(send);
            assertThatIllegalArgumentException().isThrownBy(() -> device.isend(bytes, 0, 1, peer, tag, context + 1));
        });
    }

    /**
     * Messages of random tags and sizes, receives with random wildcards: one that is received later than another of the
     * same sender, though it was sent earlier, must not have matched that one's receive.
     */
    @Test
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void messagesOfOneSenderNeverOvertakeEachOther() {
        long seed = Seeds.next("messagesOfOneSenderNeverOvertakeEachOther");
        for (int round = 0; round < 4; round++) {
            Overtaking test = new Overtaking(seed + round, 4, 400, round % 2 == 0);
            runJob(4, test::run);
        }
    }

    @Test
    default void aReceiveTakesTheOldestMessageThatItMatches() {
        runJob(2, device -> {
            if (device.rank() == 0) {
                for (int number = 0; number < 6; number++) {
                    Messages.send(device, 1, number % 2, 10, number);
                }
                Messages.note(device, 1);
                return;
            }
            Messages.awaitNote(device, 0);
            Messages.expect(device, ANY_SOURCE, ANY_TAG, 10, 0);
            Messages.expect(device, 0, 1, 10, 1);
            Messages.expect(device, ANY_SOURCE, 1, 10, 3);
            Messages.expect(device, 0, ANY_TAG, 10, 2);
            Messages.expect(device, ANY_SOURCE, ANY_TAG, 10, 4);
            Messages.expect(device, ANY_SOURCE, 1, 10, 5);
        });
    }

    @Test
    default void aMessageTakesTheOldestReceiveThatMatchesIt() {
        runJob(2, device -> {
            if (device.rank() == 0) {
                Messages.awaitNote(device, 1);
                for (int number = 0; number < 5; number++) {
                    Messages.send(device, 1, 7, 10, number);
                }
                Messages.awaitNote(device, 1);
                return;
            }
            byte[][] bytes = new byte[5][10];
            Request[] receives = {
                device.irecv(bytes[0], 0, 10, 0, ANY_TAG, 0),
                device.irecv(bytes[1], 0, 10, 0, 7, 0),
                device.irecv(bytes[2], 0, 10, ANY_SOURCE, 7, 0),
                device.irecv(bytes[3], 0, 10, ANY_SOURCE, ANY_TAG, 0),
                device.irecv(bytes[4], 0, 10, 0, 7, 0)
            };
            Request otherTag = device.irecv(new byte[1], 0, 1, ANY_SOURCE, 8, 0);
            Messages.note(device, 0);
            for (int number = 0; number < receives.length; number++) {
                Messages.finish(receives[number]);
                assertThat(Payload.difference(bytes[number], number))
                        .as("receive %s", number)
                        .isEmpty();
            }
            assertThat(otherTag.isDone()).isFalse();
            assertThat(otherTag.cancel()).isTrue();
            otherTag.release();
            Messages.note(device, 0);
        });
    }

    /** Each size on its own, so that a queue that is searched from the front would show in the test's time. */
    @Test
    @Fault(22)
    default void tenThousandUnexpectedMessagesAreReceivedInAnyOrder() {
        int messages = 10_000;
        runJob(2, device -> {
            for (int order = 0; order < 3; order++) {
                if (device.rank() == 0) {
                    List<Request> sends = new ArrayList<>();
                    for (int tag = 0; tag < messages; tag++) {
                        sends.add(device.isend(number(tag), 0, 8, 1, tag, order));
                    }
                    Messages.note(device, 1);
                    sends.forEach(Messages::finish);
                    Messages.awaitNote(device, 1);
                    continue;
                }
                Messages.awaitNote(device, 0);
                byte[] bytes = new byte[8];
                for (int each = 0; each < messages; each++) {
                    int tag = order == 0 ? messages - 1 - each : order == 1 ? each : (each * 7919) % messages;
                    int source = each % 2 == 0 ? 0 : ANY_SOURCE;
                    device.recv(bytes, 0, 8, source, tag, order).release();
                    assertThat(number(bytes)).isEqualTo(tag);
                }
                assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, order)).isNull();
                Messages.note(device, 0);
            }
        });
    }

    @Test
    default void tenThousandPostedReceivesAreMetInAnyOrder() {
        int messages = 10_000;
        runJob(2, device -> {
            for (int order = 0; order < 2; order++) {
                if (device.rank() == 0) {
                    Messages.awaitNote(device, 1);
                    for (int each = 0; each < messages; each++) {
                        int tag = order == 0 ? messages - 1 - each : each;
                        device.send(number(tag), 0, 8, 1, tag, 0);
                    }
                    continue;
                }
                byte[][] bytes = new byte[messages][8];
                Request[] receives = new Request[messages];
                for (int tag = 0; tag < messages; tag++) {
                    receives[tag] = device.irecv(bytes[tag], 0, 8, tag % 3 == 0 ? ANY_SOURCE : 0, tag, 0);
                }
                Messages.note(device, 0);
                for (int tag = 0; tag < messages; tag++) {
                    Messages.finish(receives[tag]);
                    assertThat(number(bytes[tag])).isEqualTo(tag);
                }
            }
        });
    }

    private static byte[] number(int value) {
        byte[] bytes = new byte[8];
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
        return bytes;
    }

    private static long number(byte[] bytes) {
        return MemorySegment.ofArray(bytes).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    @Test
    default void aSynchronousSendIsDoneOnlyAfterItsMatch() {
        runJob(2, device -> {
            int eager = device.eagerLimit(1 - device.rank());
            for (int size : new int[] {0, 100, eager, eager + 1, 1 << 20}) {
                if (device.rank() == 0) {
                    Request send = device.issend(Payload.of(size, size), 0, size, 1, 4, 0);
                    Messages.awaitNote(device, 1);
                    for (int look = 0; look < 100; look++) {
                        assertThat(send.test())
                                .as("%s bytes, not received yet", size)
                                .isFalse();
                    }
                    assertThat(send.isDone()).isFalse();
                    Messages.note(device, 1);
                    Messages.finish(send);
                } else {
                    Status status = device.probe(0, 4, 0);
                    assertThat(status.length()).isEqualTo(size);
                    Messages.note(device, 0);
                    Messages.awaitNote(device, 0);
                    Messages.expect(device, 0, 4, size, size);
                }
            }
        });
    }

    @Test
    default void probesSeeTheOldestMatchAndLeaveItThere() {
        runJob(2, device -> {
            if (device.rank() == 0) {
                Messages.awaitNote(device, 1);
                Messages.send(device, 1, 3, 10, 1);
                Messages.send(device, 1, 4, 20, 2);
                Messages.finish(device.isend(Payload.of(3, 100_000), 0, 100_000, 1, 5, 0));
                return;
            }
            assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
            assertThat(device.peek(new byte[10], 0, 10, ANY_SOURCE, ANY_TAG, 0)).isNull();
            Messages.note(device, 0);
            assertThat(device.probe(ANY_SOURCE, 5, 0)).isEqualTo(new Status(0, 5, 100_000));
            for (int look = 0; look < 3; look++) {
                assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isEqualTo(new Status(0, 3, 10));
                assertThat(device.probe(0, ANY_TAG, 0)).isEqualTo(new Status(0, 3, 10));
                assertThat(device.iprobe(0, 4, 0)).isEqualTo(new Status(0, 4, 20));
                assertThat(device.iprobe(0, 6, 0)).isNull();
                assertThat(device.iprobe(1, ANY_TAG, 0)).isNull();
                assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 1)).isNull();
            }
            byte[] bytes = new byte[20];
            Request peeked = device.peek(bytes, 0, 20, ANY_SOURCE, 4, 0);
            assertThat(peeked).isNotNull();
            Messages.finish(peeked);
            assertThat(Payload.difference(bytes, 2)).isEmpty();
            assertThat(device.iprobe(0, 4, 0)).isNull();
            Messages.expect(device, 0, 3, 10, 1);
            Messages.expect(device, 0, 5, 100_000, 3);
        });
    }

    @Test
    @Fault(23)
    default void aReceiveThatIsCancelledTakesNoMessage() {
        runJob(2, device -> {
            if (device.rank() == 0) {
                Messages.awaitNote(device, 1);
                Messages.send(device, 1, 3, 10, 1);
                Messages.awaitNote(device, 1);
                return;
            }
            byte[] untouched = new byte[10];
            List<Request> receives = List.of(
                    device.irecv(untouched, 0, 10, 0, 3, 0),
                    device.irecv(untouched, 0, 10, ANY_SOURCE, 3, 0),
                    device.irecv(untouched, 0, 10, ANY_SOURCE, ANY_TAG, 0));
            for (Request each : receives) {
                assertThat(each.isCancelled()).isFalse();
                assertThat(each.cancel()).isTrue();
                assertThat(each.cancel()).as("once more").isTrue();
                assertThat(each.isDone()).isTrue();
                assertThat(each.isCancelled()).isTrue();
                each.await();
                each.release();
            }
            Messages.note(device, 0);
            byte[] bytes = new byte[10];
            Request request = device.recv(bytes, 0, 10, 0, 3, 0);
            assertThat(request.cancel()).as("of a receive that is done").isFalse();
            assertThat(request.isCancelled()).isFalse();
            request.release();
            assertThat(Payload.difference(bytes, 1)).isEmpty();
            assertThat(untouched).containsOnly(0);
            Messages.note(device, 0);
        });
    }

    @Test
    @Fault(23)
    default void aSendIsCancelledUnlessItsReceiverHasOrKnowsTheMessage() {
        int go = 4;
        runJob(2, device -> {
            for (int size : new int[] {10, 1 << 20}) {
                if (device.rank() == 0) {
                    Request unknown = device.issend(Payload.of(size, size), 0, size, 1, 3, 0);
                    assertThat(unknown.cancel()).isFalse();
                    unknown.askToCancel();
                    unknown.askToCancel();
                    unknown.await();
                    assertThat(unknown.isCancelled()).isTrue();
                    unknown.release();
                    Messages.send(device, 1, go, 1, 1);
                    Request next = device.issend(Payload.of(7, size), 0, size, 1, 3, 0);
                    Messages.finish(next);

                    Messages.expect(device, 1, go, 1, 1);
                    Request matched = device.issend(Payload.of(8, size), 0, size, 1, 3, 0);
                    matched.askToCancel();
                    matched.await();
                    assertThat(matched.isCancelled()).isFalse();
                    matched.release();

                    Request probed = device.issend(Payload.of(9, size), 0, size, 1, 3, 0);
                    Messages.expect(device, 1, go, 1, 1);
                    probed.askToCancel();
                    Messages.send(device, 1, go, 1, 1);
                    probed.await();
                    assertThat(probed.isCancelled()).isFalse();
                    probed.release();
                } else {
                    Messages.expect(device, 0, go, 1, 1);
                    Messages.expect(device, 0, 3, size, 7);

                    byte[] bytes = new byte[size];
                    Request receive = device.irecv(bytes, 0, size, 0, 3, 0);
                    Messages.send(device, 0, go, 1, 1);
                    Messages.finish(receive);
                    assertThat(Payload.difference(bytes, 8)).isEmpty();

                    device.probe(0, 3, 0);
                    Messages.send(device, 0, go, 1, 1);
                    Messages.expect(device, 0, go, 1, 1);
                    Messages.expect(device, 0, 3, size, 9);
                }
            }
            if (device.rank() == 0) {
                Request last = device.issend(Payload.of(1, 10), 0, 10, 1, 3, 0);
                Messages.send(device, 1, go, 1, 1);
                last.askToCancel();
                last.await();
                assertThat(last.isCancelled()).as("its receiver may have left").isTrue();
                last.release();
            } else {
                Messages.expect(device, 0, go, 1, 1);
            }
        });
    }

    @Test
    @Fault(23)
    default void anotherThreadMayCancelWhatAThreadWaitsFor() {
        runJob(1, device -> {
            for (int round = 0; round < 20; round++) {
                Request receive = device.irecv(new byte[1], 0, 1, ANY_SOURCE, 3, 0);
                AtomicBoolean over = new AtomicBoolean();
                RankThreads.run(2, thread -> {
                    if (thread == 0) {
                        receive.await();
                        over.set(true);
                    } else {
                        assertThat(over).isFalse();
                        assertThat(receive.cancel()).isTrue();
                    }
                });
                assertThat(receive.isCancelled()).isTrue();
                receive.release();
            }
        });
    }

    @Test
    default void awaitsAnyOfSeveralRequests() {
        runJob(2, device -> {
            assertThat(device.awaitAny(new Request[0])).isEqualTo(-1);
            assertThat(device.awaitAny(new Request[3])).isEqualTo(-1);
            int peer = 1 - device.rank();
            int messages = 50;
            @Nullable Request[] requests = new Request[2 * messages + 1];
            byte[][] bytes = new byte[messages][];
            for (int number = 0; number < messages; number++) {
                int size = number % 5 == 0 ? 50_000 : 8;
                bytes[number] = new byte[size];
                requests[number] = device.irecv(bytes[number], 0, size, peer, number, 0);
            }
            for (int number = messages - 1; number >= 0; number--) {
                int size = bytes[number].length;
                requests[messages + 1 + number] = device.isend(Payload.of(number, size), 0, size, peer, number, 0);
            }
            for (int over = 0; over < 2 * messages; over++) {
                int index = device.awaitAny(requests);
                assertThat(index).isBetween(0, 2 * messages).isNotEqualTo(messages);
                Request done = Objects.requireNonNull(requests[index]);
                assertThat(done.isDone()).isTrue();
                Messages.finish(done);
                requests[index] = null;
            }
            assertThat(device.awaitAny(requests)).isEqualTo(-1);
            for (int number = 0; number < messages; number++) {
                assertThat(Payload.difference(bytes[number], number)).isEmpty();
            }
        });
    }
}
