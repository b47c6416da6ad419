package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

/** Ranks that have finalized fail the calls that cannot do without them, and no others. */
class LeavingTest {
    private static void fails(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(MPIException.class);
        assertThat(((MPIException) thrown).errorClass()).as(thrown.getMessage()).isEqualTo(ErrorClass.PROC_FAILED);
    }

    /** Returns when the rank has left, as this one sees it. */
    private static void awaitLeaving(int rank) {
        fails(() -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, rank, 99));
    }

    /** Until a thread sleeps in a call; one that sleeps at a descriptor counts as running. */
    private static void awaitBlocked(Thread thread) {
        while (thread.getState() == Thread.State.RUNNABLE
                && Arrays.stream(thread.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().endsWith("Waiter")
                                && frame.getMethodName().equals("await"))) {
            Thread.onSpinWait();
        }
    }

    private static void send(int value, int to, int tag) {
        MPI.COMM_WORLD.Send(new int[] {value}, 0, 1, MPI.INT, to, tag);
    }

    @Test
    void aRankThatDrainsItsQueueGetsEverythingAndThenNothing() {
        Ranks.run(4, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank != 0) {
                for (int number = 0; number < 20; number++) {
                    send(number, 0, number);
                }
                return;
            }
            for (int other = 1; other < size; other++) {
                awaitLeaving(other);
            }
            int[] next = new int[size];
            int[] value = new int[1];
            Status status;
            while ((status = world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)) != null) {
                world.Recv(value, 0, 1, MPI.INT, status.source, status.tag);
                assertThat(value[0]).isEqualTo(status.tag).isEqualTo(next[status.source]++);
            }
            assertThat(next).containsExactly(0, 20, 20, 20);
            for (int other = 1; other < size; other++) {
                assertThat(world.Iprobe(other, MPI.ANY_TAG)).isNull();
            }
            assertThat(MPI.COMM_SELF.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
        });
    }

    @Test
    void whatWasSentBeforeLeavingIsReceivedByEveryCall() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] tags = {1, 1, 1, 1, 1, 1};
            if (rank == 1) {
                for (int number = 0; number < tags.length; number++) {
                    send(number, 0, 1);
                }
                return;
            }
            awaitLeaving(1);
            int[] value = new int[1];
            world.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            assertThat(value[0]).isZero();
            world.Irecv(value, 0, 1, MPI.INT, 1, 1).Wait();
            assertThat(value[0]).isEqualTo(1);
            Request never = world.Irecv(new int[1], 0, 1, MPI.INT, 1, 2);
            Request[] both = {never, world.Irecv(value, 0, 1, MPI.INT, 1, MPI.ANY_TAG)};
            assertThat(Request.Testany(both).index).isEqualTo(1);
            assertThat(value[0]).isEqualTo(2);
            both[1] = world.Irecv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            assertThat(Request.Waitsome(both))
                    .extracting(status -> status.index)
                    .containsExactly(1);
            assertThat(value[0]).isEqualTo(3);
            Prequest again = world.Recv_init(value, 0, 1, MPI.INT, 1, 1);
            for (int number = 4; number < 6; number++) {
                Prequest.Startall(new Prequest[] {again});
                again.Wait();
                assertThat(value[0]).isEqualTo(number);
            }
            again.Start();
            fails(again::Wait);
            again.Start();
            again.Cancel();
            assertThat(again.Wait().Test_cancelled()).isTrue();
            never.Cancel();
            assertThat(never.Test().Test_cancelled()).isTrue();
        });
    }

    @Test
    void callsOnSeveralRequestsWaitForThoseThatCanSucceed() {
        Ranks.run(3, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 1) {
                world.Recv(new int[1], 0, 1, MPI.INT, 0, 50);
                return;
            }
            if (rank == 2) {
                for (int tag = 1; tag <= 4; tag++) {
                    world.Recv(new int[1], 0, 1, MPI.INT, 0, tag);
                    send(tag, 0, tag);
                }
                return;
            }
            List<Request> never = new ArrayList<>();
            never.add(world.Irecv(new int[1], 0, 1, MPI.INT, 1, 1));
            never.add(world.Irecv(new Object[1], 0, 1, MPI.OBJECT, 1, 1));
            never.add(world.Irecv(new boolean[1], 0, 1, MPI.BOOLEAN, 1, 1));
            never.add(world.Issend(new int[1], 0, 1, MPI.INT, 1, 1));
            never.add(world.Isend(new byte[1 << 20], 0, 1 << 20, MPI.BYTE, 1, 1));
            send(0, 1, 50);
            awaitLeaving(1);
            never.add(world.Irecv(new int[1], 0, 1, MPI.INT, 1, 1));
            int last = never.size();
            int[] value = new int[1];
            for (int tag = 1; tag <= 4; tag++) {
                Request[] requests = never.toArray(new Request[last + 1]);
                requests[last] = world.Irecv(value, 0, 1, MPI.INT, 2, tag);
                assertThat(Request.Testany(requests)).isNull();
                assertThat(Request.Testsome(requests)).isEmpty();
                assertThat(Request.Testall(requests)).isNull();
                send(0, 2, tag);
                int found = -1;
                switch (tag) {
                    case 1 -> found = Request.Waitany(requests).index;
                    case 2 -> found = Request.Waitsome(requests)[0].index;
                    case 3 -> {
                        while (found < 0) {
                            Status status = Request.Testany(requests);
                            found = status == null ? -1 : status.index;
                        }
                    }
                    default -> {
                        while (found < 0) {
                            Status[] statuses = Request.Testsome(requests);
                            found = statuses.length == 0 ? -1 : statuses[0].index;
                        }
                    }
                }
                assertThat(found).isEqualTo(last);
                assertThat(value[0]).isEqualTo(tag);
            }
            // nothing is left to wait for: each call fails one of them, and the others can be cancelled
            Request[] requests = never.toArray(new Request[0]);
            fails(() -> Request.Waitany(requests));
            fails(() -> Request.Waitsome(requests));
            fails(() -> Request.Testany(requests));
            fails(() -> Request.Testsome(requests));
            fails(() -> Request.Testany(requests));
            assertThat(requests).filteredOn(request -> !request.Is_null()).containsExactly(requests[last - 1]);
            requests[last - 1].Cancel();
            assertThat(requests[last - 1].Wait().Test_cancelled()).isTrue();
            assertThat(Request.Waitany(requests).index).isEqualTo(MPI.UNDEFINED);
        });
    }

    @Test
    void callsForAllRequestsEndWhenAllHave() {
        Ranks.run(3, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 1) {
                return;
            }
            if (rank == 2) {
                world.Recv(new int[1], 0, 1, MPI.INT, 0, 1);
                send(8, 0, 1);
                world.Recv(new int[1], 0, 1, MPI.INT, 0, 1);
                send(9, 0, 1);
                return;
            }
            awaitLeaving(1);
            int[] value = new int[1];
            for (int round = 0; round < 2; round++) {
                boolean testing = round == 1;
                Request[] requests = {
                    world.Irecv(new int[1], 0, 1, MPI.INT, 1, 1), world.Irecv(value, 0, 1, MPI.INT, 2, 1)
                };
                assertThat(Request.Testall(requests)).isNull();
                send(0, 2, 1);
                fails(() -> {
                    if (testing) {
                        while (Request.Testall(requests) == null) {
                            Thread.onSpinWait();
                        }
                    } else {
                        Request.Waitall(requests);
                    }
                });
                assertThat(value[0]).isEqualTo(8 + round);
                assertThat(requests[0].Is_null()).isTrue();
            }
            fails(() -> {
                Request alone = world.Irecv(value, 0, 1, MPI.INT, 1, 1);
                while (alone.Test() == null) {
                    Thread.onSpinWait();
                }
            });
        });
    }

    @Test
    void anybodyIsAnybodyOfTheCommunicator() {
        Ranks.run(4, (rank, size) -> {
            Intracomm pair = MPI.COMM_WORLD.Split(rank / 2, rank);
            Intercomm other = MPI.COMM_WORLD.Create_intercomm(pair, 0, rank < 2 ? 2 : 0, 5);
            if (rank == 0 || rank == 1) {
                // the other pair leaves, this one stays: one rank after the other
                awaitLeaving(2);
                assertThat(other.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
                awaitLeaving(3);
                assertThat(other.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
                Request never = other.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                never.Cancel();
                assertThat(never.Wait().Test_cancelled()).isTrue();
                fails(() -> other.Recv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, 1));
                fails(() -> other.Probe(MPI.ANY_SOURCE, 1));
                pair.Barrier();
                int[] value = new int[1];
                if (rank == 0) {
                    pair.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                    assertThat(value[0]).isEqualTo(7);
                    send(0, 1, 2);
                    // rank 1 leaves: nobody but this rank is left in any communicator
                    awaitLeaving(1);
                    fails(() -> pair.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1));
                    fails(() -> MPI.COMM_WORLD.Probe(MPI.ANY_SOURCE, MPI.ANY_TAG));
                    Request own = pair.Irecv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
                    assertThat(own.Test()).isNull();
                    pair.Send(new int[] {42}, 0, 1, MPI.INT, 0, 1);
                    own.Wait();
                    assertThat(value[0]).isEqualTo(42);
                    MPI.COMM_SELF.Sendrecv(
                            new int[] {43}, 0, 1, MPI.INT, 0, 6, value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 6);
                    assertThat(value[0]).isEqualTo(43);
                } else {
                    pair.Send(new int[] {7}, 0, 1, MPI.INT, 0, 1);
                    MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, 0, 2);
                }
            }
        });
    }

    @Test
    void aBlockedReceiveFromAnybodyGetsWhatAnotherThreadOfItsRankSends() {
        Ranks.run(3, (rank, size) -> {
            if (rank != 0) {
                return;
            }
            awaitLeaving(1);
            awaitLeaving(2);
            Thread waits = Thread.currentThread();
            Thread helper = new Thread(() -> {
                awaitBlocked(waits);
                send(5, 0, 1);
            });
            helper.start();
            int[] value = new int[1];
            MPI.COMM_WORLD.Recv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1);
            assertThat(value[0]).isEqualTo(5);
            helper.join();
            Thread second = new Thread(() -> {
                awaitBlocked(waits);
                send(6, 0, 1);
            });
            second.start();
            Request[] any = {
                MPI.COMM_WORLD.Irecv(new int[1], 0, 1, MPI.INT, 1, 1),
                MPI.COMM_WORLD.Irecv(value, 0, 1, MPI.INT, MPI.ANY_SOURCE, 1)
            };
            assertThat(Request.Waitany(any).index).isEqualTo(1);
            assertThat(value[0]).isEqualTo(6);
            second.join();
        });
    }

    @Test
    void collectivesThatNeedARankThatHasLeftFail() {
        Ranks.run(3, (rank, size) -> {
            if (rank == 2) {
                return;
            }
            fails(() -> MPI.COMM_WORLD.Bcast(new int[1], 0, 1, MPI.INT, 2));
        });
        Ranks.run(3, (rank, size) -> {
            Intracomm pair = MPI.COMM_WORLD.Split(rank == 2 ? MPI.UNDEFINED : 0, rank);
            if (rank == 2) {
                return;
            }
            awaitLeaving(2);
            int[] sum = new int[1];
            pair.Iallreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM).Wait();
            assertThat(sum[0]).isEqualTo(2);
            Request never = MPI.COMM_WORLD.Ibcast(new int[1], 0, 1, MPI.INT, 2);
            pair.Barrier(); // is not spoiled by it
            fails(never::Wait);
            pair.Barrier();
        });
    }
}
