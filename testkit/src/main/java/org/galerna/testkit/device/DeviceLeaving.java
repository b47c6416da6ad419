package org.galerna.testkit.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.galerna.device.Device.ANY_SOURCE;
import static org.galerna.device.Device.ANY_TAG;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.link.Wireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.process.TestLauncher;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every device keeps about ranks that leave the job. */
public interface DeviceLeaving extends DeviceSubject {
    @Test
    @Fault(17)
    default void callsThatWaitForAPeerFailWhenItLeaves() {
        AtomicInteger waiting = new AtomicInteger();
        runJob(3, device -> {
            if (device.rank() == 2) {
                Deadline.after(RankThreads.LIMIT).await("both wait", () -> waiting.get() == 2);
                return;
            }
            Request receive = device.irecv(new byte[8], 0, 8, 2, 1, 0);
            Request large = device.isend(new byte[1 << 20], 0, 1 << 20, 2, 1, 0);
            Request synchronous = device.issend(new byte[8], 0, 8, 2, 1, 0);
            Request others = device.irecv(new byte[8], 0, 8, ANY_SOURCE, 1, 0);
            waiting.incrementAndGet();
            for (Request each : List.of(receive, large, synchronous)) {
                Messages.failsWith(ErrorClass.PROC_FAILED, "rank 2", each::await);
                assertThat(each.isDone()).isTrue();
                each.release();
            }
            // the two that stay can still talk: a receive that the other one may serve has not failed
            device.send(new byte[8], 0, 8, 1 - device.rank(), 1, 0);
            Messages.finish(others);
            laterCallsFail(device, 2);
        });
    }

    private static void laterCallsFail(Device device, int gone) {
        byte[] bytes = new byte[1 << 20];
        String name = "rank " + gone;
        for (int round = 0; round < 2; round++) {
            for (int size : new int[] {0, 8, device.eagerLimit(gone), 1 << 20}) {
                Messages.failsWith(ErrorClass.PROC_FAILED, name, () -> device.send(bytes, 0, size, gone, 1, 0));
                Messages.failsWith(ErrorClass.PROC_FAILED, name, () -> device.ssend(bytes, 0, size, gone, 1, 0));
                Messages.failsWith(
                        ErrorClass.PROC_FAILED,
                        name,
                        () -> device.isend(bytes, 0, size, gone, 1, 0).await());
                Messages.failsWith(
                        ErrorClass.PROC_FAILED,
                        name,
                        () -> device.issend(bytes, 0, size, gone, 1, 0).await());
                Messages.failsWith(ErrorClass.PROC_FAILED, name, () -> device.recv(bytes, 0, size, gone, 1, 0));
                Messages.failsWith(
                        ErrorClass.PROC_FAILED,
                        name,
                        () -> device.irecv(bytes, 0, size, gone, ANY_TAG, 0).await());
            }
            Messages.failsWith(ErrorClass.PROC_FAILED, name, () -> device.probe(gone, 1, 0));
            assertThat(device.iprobe(gone, 1, 0)).isNull();
            assertThat(device.peek(bytes, 0, 1, gone, ANY_TAG, 0)).isNull();
        }
    }

    @Test
    @Fault(17)
    default void aBlockedCallFailsWhenThePeerLeaves() {
        for (int call = 0; call < 4; call++) {
            int chosen = call;
            runJob(2, device -> {
                if (device.rank() == 1) {
                    Messages.awaitNote(device, 0);
                    return;
                }
                Messages.note(device, 1);
                byte[] bytes = new byte[100_000];
                Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> {
                    switch (chosen) {
                        case 0 -> device.recv(bytes, 0, 8, 1, 5, 0);
                        case 1 -> device.send(bytes, 0, bytes.length, 1, 5, 0);
                        case 2 -> device.ssend(bytes, 0, 8, 1, 5, 0);
                        default -> device.probe(1, 5, 0);
                    }
                });
            });
        }
    }

    @Test
    @Fault(18)
    default void aWildcardReceiveFailsOnlyWhenNobodyIsLeft() {
        AtomicInteger waiting = new AtomicInteger();
        runJob(3, device -> {
            if (device.rank() != 0) {
                Deadline.after(RankThreads.LIMIT).await("the receives", () -> waiting.get() == 1);
                if (device.rank() == 2) {
                    Messages.awaitNote(device, 0);
                    device.send(new byte[] {6}, 0, 1, 0, 1, 0);
                }
                return;
            }
            Request first = device.irecv(new byte[1], 0, 1, ANY_SOURCE, 1, 0);
            Request second = device.irecv(new byte[1], 0, 1, ANY_SOURCE, ANY_TAG, 0);
            waiting.incrementAndGet();
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> device.recv(new byte[1], 0, 1, 1, 1, 0));
            assertThat(first.test()).isFalse();
            Messages.note(device, 2);
            Messages.finish(first);
            Messages.failsWith(ErrorClass.PROC_FAILED, "all other ranks", second::await);
            Messages.failsWith(
                    ErrorClass.PROC_FAILED, "all other ranks", () -> device.recv(new byte[1], 0, 1, ANY_SOURCE, 1, 0));
            Messages.failsWith(ErrorClass.PROC_FAILED, "all other ranks", () -> device.probe(ANY_SOURCE, 1, 0));
            assertThat(device.iprobe(ANY_SOURCE, ANY_TAG, 0)).isNull();
        });
    }

    @Test
    default void aReceiveFromARankThatHasLeftStaysUntilSomebodyWaitsForIt() {
        runJob(2, device -> {
            if (device.rank() == 1) {
                return;
            }
            Request early = device.irecv(new byte[8], 0, 8, 1, 1, 0);
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> device.recv(new byte[8], 0, 8, 1, 2, 0));
            Request late = device.irecv(new byte[8], 0, 8, 1, 1, 0);
            for (Request each : List.of(early, late)) {
                assertThat(each.test()).isFalse();
                assertThat(each.isInVain()).isTrue();
                assertThat(each.cancel()).isTrue();
                each.await();
                assertThat(each.isInVain()).isFalse();
                each.release();
            }
            Request tested = device.irecv(new byte[8], 0, 8, 1, 1, 0);
            tested.failIfInVain();
            assertThat(tested.isDone()).isTrue();
            assertThat(tested.isInVain()).isTrue();
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", tested::throwFailure);
        });
    }

    @Test
    default void whoeverWaitsForAnyOfSeveralWaitsForThoseThatCanStillSucceed() {
        runJob(3, device -> {
            if (device.rank() == 1) {
                Messages.awaitNote(device, 0);
                return;
            }
            if (device.rank() == 2) {
                Messages.awaitNote(device, 0);
                device.send(new byte[] {8}, 0, 1, 0, 2, 0);
                return;
            }
            Request synchronous = device.issend(new byte[1], 0, 1, 1, 1, 0);
            Request large = device.isend(new byte[1 << 20], 0, 1 << 20, 1, 1, 0);
            Request gone = device.irecv(new byte[1], 0, 1, 1, 2, 0);
            Messages.note(device, 1);
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> device.recv(new byte[8], 0, 8, 1, 3, 0));
            byte[] bytes = new byte[1];
            Request there = device.irecv(bytes, 0, 1, 2, 2, 0);
            Messages.note(device, 2);
            assertThat(device.awaitAny(new Request[] {synchronous, large, gone, there}))
                    .isEqualTo(3);
            assertThat(bytes[0]).isEqualTo((byte) 8);
            Messages.finish(there);
            // now none can: the first one tells why, and the receive is still there to be cancelled
            assertThat(device.awaitAny(new Request[] {null, synchronous, large, gone}))
                    .isEqualTo(1);
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", synchronous::throwFailure);
            assertThat(gone.cancel()).isTrue();
            Request again = device.irecv(bytes, 0, 1, 1, 2, 0);
            Request other = device.irecv(bytes, 0, 1, 1, 2, 0);
            assertThat(device.awaitAny(new Request[] {again, other})).isZero();
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", again::throwFailure);
            assertThat(other.cancel()).isTrue();
        });
    }

    @Test
    default void aReceiveFromAnybodyWaitsForARankThatMayStillSendToItself() {
        runJob(2, device -> {
            if (device.rank() == 1) {
                return;
            }
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> device.recv(new byte[8], 0, 8, 1, 3, 0));
            byte[] bytes = new byte[1];
            Request receive = device.irecv(bytes, 0, 1, ANY_SOURCE, 1, 0);
            assertThat(receive.test()).isFalse();
            assertThat(receive.isInVain()).isFalse();
            device.send(new byte[] {42}, 0, 1, 0, 1, 0);
            Messages.finish(receive);
            assertThat(bytes[0]).isEqualTo((byte) 42);
            Thread waits = Thread.currentThread();
            Thread other = new Thread(() -> {
                Deadline.after(RankThreads.LIMIT).await("the receive sleeps", () -> sleepsInACall(waits));
                device.send(new byte[] {43}, 0, 1, 0, 1, 0);
            });
            other.start();
            Messages.finish(device.recv(bytes, 0, 1, ANY_SOURCE, 1, 0));
            assertThat(bytes[0]).isEqualTo((byte) 43);
            other.join();
            Messages.failsWith(
                    ErrorClass.PROC_FAILED, "all other ranks", () -> device.recv(bytes, 0, 1, ANY_SOURCE, 1, 0));
        });
    }

    private static boolean sleepsInACall(Thread thread) {
        return Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().endsWith(".ProgressLoop")
                        && frame.getMethodName().equals("sleep"));
    }

    @Test
    default void aReceiveFromAnybodyWaitsForTheSendersOfItsContextAlone() {
        runJob(4, device -> {
            if (device.rank() == 1) {
                return;
            }
            if (device.rank() > 1) {
                Messages.awaitNote(device, 0);
                return;
            }
            device.senders(7, RankList.of(0, 1));
            device.senders(8, RankList.of(1));
            device.senders(9, RankList.of(0));
            device.senders(10, RankList.of(2, 3));
            for (int context : new int[] {7, 8}) {
                Messages.failsWith(
                        ErrorClass.PROC_FAILED,
                        "all ranks that it can come from are gone",
                        () -> device.recv(new byte[1], 0, 1, ANY_SOURCE, 1, context));
                Messages.failsWith(
                        ErrorClass.PROC_FAILED,
                        "all ranks that it can come from are gone",
                        () -> device.probe(ANY_SOURCE, 1, context));
                assertThat(device.iprobe(ANY_SOURCE, 1, context)).isNull();
            }
            Request nobodyElse = device.irecv(new byte[1], 0, 1, ANY_SOURCE, 1, 8);
            Request ofItself = device.irecv(new byte[1], 0, 1, ANY_SOURCE, 1, 9);
            Request ofOthers = device.irecv(new byte[1], 0, 1, ANY_SOURCE, 1, 10);
            assertThat(nobodyElse.isInVain()).isTrue();
            assertThat(ofItself.isInVain()).isFalse();
            assertThat(ofOthers.isInVain()).isFalse();
            device.forgetSenders(8); // not as long as something waits there
            assertThat(nobodyElse.isInVain()).isTrue();
            assertThat(nobodyElse.cancel()).isTrue();
            device.send(new byte[1], 0, 1, 0, 1, 9);
            Messages.finish(ofItself);
            Messages.note(device, 2);
            Messages.note(device, 3);
            Messages.failsWith(ErrorClass.PROC_FAILED, "all ranks that it can come from are gone", ofOthers::await);
        });
    }

    @Test
    default void theLastRankStillTalksToItself() {
        runJob(2, device -> {
            if (device.rank() == 1) {
                return;
            }
            Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> device.recv(new byte[1], 0, 1, 1, 1, 0));
            for (int size : new int[] {8, 200_000}) {
                for (int source : new int[] {ANY_SOURCE, 0}) {
                    Request send = device.isend(Payload.of(size, size), 0, size, 0, 1, 0);
                    Messages.expect(device, source, 1, size, size);
                    Messages.finish(send);
                    send = device.isend(Payload.of(size, size), 0, size, 0, 1, 0);
                    assertThat(device.probe(source, 1, 0).length()).isEqualTo(size);
                    Messages.expect(device, source, 1, size, size);
                    Messages.finish(send);
                }
            }
        });
    }

    @Test
    default void messagesSentBeforeLeavingStillArrive() {
        for (boolean posted : new boolean[] {false, true}) {
            AtomicBoolean gone = new AtomicBoolean();
            runJob(2, device -> {
                int messages = 60; // any link has room for so many that the peer has not looked at
                if (device.rank() == 1) {
                    Messages.awaitNote(device, 0);
                    for (int number = 0; number < messages; number++) {
                        Messages.send(device, 0, number % 3, number * 10, number);
                    }
                    device.close();
                    gone.set(true);
                    return;
                }
                byte[][] bytes = new byte[messages][1000];
                Request[] receives = new Request[messages];
                for (int number = 0; posted && number < messages; number++) {
                    receives[number] = device.irecv(bytes[number], 0, 1000, 1, number % 3, 0);
                }
                Messages.note(device, 1);
                Deadline.after(RankThreads.LIMIT).await("rank 1 has left", gone::get);
                for (int number = 0; number < messages; number++) {
                    Request request = posted
                            ? receives[number]
                            : device.recv(bytes[number], 0, 1000, number % 2 == 0 ? 1 : ANY_SOURCE, number % 3, 0);
                    request.await();
                    assertThat(request.length()).isEqualTo(number * 10L);
                    request.release();
                    MemorySegment memory = MemorySegment.ofArray(bytes[number]);
                    assertThat(Payload.difference(memory, 0, number * 10L, number))
                            .isEmpty();
                }
                Messages.failsWith(ErrorClass.PROC_FAILED, "rank 1", () -> device.recv(bytes[0], 0, 8, 1, 1, 0));
            });
        }
    }

    @Test
    default void whatWasAcceptedForSendingIsDeliveredByClose() {
        AtomicBoolean closing = new AtomicBoolean();
        int messages = 3000;
        runJob(2, device -> {
            if (device.rank() == 0) {
                for (int number = 0; number < messages; number++) {
                    device.isend(Payload.of(number, 1000), 0, 1000, 1, number, 0);
                }
                closing.set(true);
                device.close();
                return;
            }
            Deadline.after(RankThreads.LIMIT).await("rank 0 closes with messages waiting", closing::get);
            for (int number = 0; number < messages; number++) {
                Messages.expect(device, 0, number, 1000, number);
            }
        });
    }

    @Test
    default void whatNobodyWaitsForIsFetchedBeforeItsSenderLeaves() {
        AtomicBoolean closed = new AtomicBoolean();
        int[] sizes = {10, 1000, 1 << 20};
        runJob(2, device -> {
            if (device.rank() == 0) {
                for (int size : sizes) {
                    device.isend(Payload.of(size, size), 0, size, 1, 1, 0);
                    device.issend(Payload.of(-size, size), 0, size, 1, 2, 0);
                }
                device.close();
                closed.set(true);
                return;
            }
            Deadline.after(RankThreads.LIMIT).await("rank 0 closes while this one makes no call", closed::get);
            for (int size : sizes) {
                Messages.expect(device, 0, 1, size, size);
                Messages.expect(device, 0, 2, size, -size);
            }
        });
    }

    @Test
    @Fault(23)
    default void ranksCloseWithMessagesWaitingForEachOther() {
        AtomicInteger offered = new AtomicInteger();
        runJob(3, device -> {
            for (int peer = 0; peer < device.size(); peer++) {
                for (int number = 0; number < 1500; number++) {
                    device.isend(Payload.of(number, 900), 0, 900, peer, 1, 0);
                }
            }
            offered.incrementAndGet();
            Deadline.after(RankThreads.LIMIT).await("all have offered theirs", () -> offered.get() == 3);
            long start = System.nanoTime();
            device.close();
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as("nobody waits for an answer that does not come")
                    .isLessThan(Duration.ofSeconds(8));
        });
    }

    @Test
    @Fault(23)
    default void aClosedDeviceRefusesCallsAndMayBeClosedAgain() {
        runJob(2, device -> {
            Messages.barrier(device);
            device.close();
            device.close();
            byte[] bytes = new byte[8];
            assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.send(bytes, 0, 8, 0, 1, 0));
            assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.isend(bytes, 0, 8, 1, 1, 0));
            assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.recv(bytes, 0, 8, 0, 1, 0));
            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> device.recv(bytes, 0, 8, ANY_SOURCE, 1, 0));
            assertThatExceptionOfType(DeviceException.class)
                    .isThrownBy(() -> device.irecv(bytes, 0, 8, ANY_SOURCE, 1, 0));
            assertThatExceptionOfType(DeviceException.class).isThrownBy(() -> device.probe(ANY_SOURCE, 1, 0));
        });
    }

    @Test
    @Fault(20)
    @Tag(TestLauncher.SLOW_IN_GUEST)
    default void ranksMayJoinAndLeaveAgainAndAgain() {
        int size = 3;
        List<? extends Wireup> job = newJob(size);
        RankThreads.run(size, me -> {
            try (Wireup wireup = job.get(me)) {
                for (int round = 0; round < 20; round++) {
                    try (Device device = open(wireup, DeviceOptions.DEFAULT)) {
                        List<Request> sends = new ArrayList<>();
                        for (int peer = 0; peer < size; peer++) {
                            int length = round % 2 == 0 ? 100 : 100_000;
                            long seed = Payload.seed(me, round);
                            sends.add(device.isend(Payload.of(seed, length), 0, length, peer, round, 0));
                        }
                        for (int peer = 0; peer < size; peer++) {
                            int length = round % 2 == 0 ? 100 : 100_000;
                            Messages.expect(device, peer, round, length, Payload.seed(peer, round));
                        }
                        sends.forEach(Messages::finish);
                    }
                }
            }
        });
    }
}
