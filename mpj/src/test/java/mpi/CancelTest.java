package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

/** {@link Request#Cancel} in all its places, above all while the other rank makes no call. */
class CancelTest {
    private static final int LARGE = 1 << 20;

    private static void awaitWithoutCalls(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(60, TimeUnit.SECONDS))
                .as("the other rank has got on")
                .isTrue();
    }

    /** Starts each kind of send that has not been accepted at once. */
    private static Request[] sends(Intracomm world, int to) {
        byte[] bytes = new byte[LARGE];
        Object[] objects = {"x".repeat(20_000)};
        Object[] largeObjects = {"x".repeat(LARGE)};
        Prequest standard = world.Send_init(bytes, 0, LARGE, MPI.BYTE, to, 1);
        Prequest synchronous = world.Ssend_init(bytes, 0, 10, MPI.BYTE, to, 1);
        Prequest ofObjects = world.Ssend_init(objects, 0, 1, MPI.OBJECT, to, 1);
        Prequest.Startall(new Prequest[] {standard, synchronous, ofObjects});
        return new Request[] {
            world.Isend(bytes, 0, LARGE, MPI.BYTE, to, 1),
            world.Issend(bytes, 0, LARGE, MPI.BYTE, to, 1),
            world.Issend(bytes, 0, 0, MPI.BYTE, to, 1),
            world.Isend(bytes, 0, LARGE / 8, Datatype.Vector(2, 2, 4, MPI.BYTE), to, 1),
            world.Isend(new boolean[LARGE], 0, LARGE, MPI.BOOLEAN, to, 1),
            world.Issend(new Object[] {"a"}, 0, 1, MPI.OBJECT, to, 1),
            world.Isend(objects, 0, 1, MPI.OBJECT, to, 1),
            world.Issend(objects, 0, 1, MPI.OBJECT, to, 1),
            world.Isend(largeObjects, 0, 1, MPI.OBJECT, to, 1),
            standard,
            synchronous,
            ofObjects
        };
    }

    /** Each way to end all of some requests. */
    private static List<IntFunction<Status[]>> ends(Request[] requests) {
        return List.of(
                _ -> Arrays.stream(requests).map(Request::Wait).toArray(Status[]::new),
                _ -> Request.Waitall(requests),
                count -> repeat(count, () -> new Status[] {Request.Waitany(requests)}),
                count -> repeat(count, () -> Request.Waitsome(requests)),
                count -> repeat(count, () -> {
                    Status status = Request.Testany(requests);
                    return status == null ? new Status[0] : new Status[] {status};
                }),
                count -> repeat(count, () -> Request.Testsome(requests)),
                count -> repeat(count, () -> {
                    Status[] all = Request.Testall(requests);
                    return all == null ? new Status[0] : all;
                }),
                count -> {
                    List<Request> left = new ArrayList<>(List.of(requests));
                    return repeat(count, () -> {
                        Status status = left.getFirst().Test();
                        if (status == null) {
                            return new Status[0];
                        }
                        left.removeFirst();
                        return new Status[] {status};
                    });
                });
    }

    private interface Attempt {
        Status[] run();
    }

    private static Status[] repeat(int count, Attempt attempt) {
        Status[] all = {};
        while (all.length < count) {
            Status[] some = attempt.run();
            int before = all.length;
            all = Arrays.copyOf(all, before + some.length);
            System.arraycopy(some, 0, all, before, some.length);
        }
        return all;
    }

    @Test
    void everySendIsCancelledByEveryCallWhileItsReceiverSleeps() {
        CountDownLatch over = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            world.Barrier();
            if (rank == 0) {
                int ways = ends(new Request[0]).size();
                for (int way = 0; way < ways; way++) {
                    Request[] requests = sends(world, 1);
                    for (Request each : requests) {
                        each.Cancel();
                        each.Cancel();
                    }
                    Status[] statuses = ends(requests).get(way).apply(requests.length);
                    assertThat(statuses).hasSize(requests.length).allMatch(Status::Test_cancelled, "way " + way);
                    for (Request each : requests) {
                        each.Cancel();
                        assertThat(each.Wait().Test_cancelled()).isFalse();
                    }
                }
                world.Send(new int[] {5}, 0, 1, MPI.INT, 1, 1);
                over.countDown();
            } else {
                awaitWithoutCalls(over);
                int[] data = new int[1];
                world.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                assertThat(data[0]).isEqualTo(5);
                assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            }
        });
    }

    @Test
    void aCancelledMessageOfObjectsLeavesNothingBehind() {
        CountDownLatch over = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Intracomm own = (Intracomm) world.clone();
            if (rank == 0) {
                for (int round = 0; round < 200; round++) { // more than the credit of one rank to another
                    Request request = own.Isend(new Object[] {"x".repeat(15_000)}, 0, 1, MPI.OBJECT, 1, 1);
                    request.Cancel();
                    assertThat(request.Wait().Test_cancelled()).isTrue();
                }
                over.countDown();
            } else {
                awaitWithoutCalls(over);
            }
            world.Barrier();
            assertThat(own.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            world.Barrier();
            assertThat(Inside.hasNoSecondParts(own)).isTrue();
            own.Free();
        });
    }

    @Test
    void whatAProbeHasFoundArrivesAlthoughItsSendIsCancelled() {
        CountDownLatch over = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] bytes = new byte[LARGE];
            Object[] objects = new Object[1];
            if (rank == 0) {
                Arrays.fill(bytes, (byte) 1);
                objects[0] = "x".repeat(20_000);
                Request[] requests = {
                    world.Isend(bytes, 0, LARGE, MPI.BYTE, 1, 1), world.Isend(objects, 0, 1, MPI.OBJECT, 1, 2)
                };
                world.Recv(bytes, 0, 0, MPI.BYTE, 1, 3);
                for (Request each : requests) {
                    each.Cancel();
                }
                assertThat(Request.Waitall(requests)).noneMatch(Status::Test_cancelled);
                Arrays.fill(bytes, (byte) 2);
                over.countDown();
            } else {
                world.Probe(0, 1);
                world.Probe(0, 2);
                world.Send(bytes, 0, 0, MPI.BYTE, 0, 3);
                awaitWithoutCalls(over);
                assertThat(world.Probe(0, 1).Get_count(MPI.BYTE)).isEqualTo(LARGE);
                world.Recv(bytes, 0, LARGE, MPI.BYTE, 0, 1);
                assertThat(bytes).containsOnly(1);
                world.Recv(objects, 0, 1, MPI.OBJECT, 0, 2);
                assertThat(objects[0]).isEqualTo("x".repeat(20_000));
            }
        });
    }

    @Test
    void aPersistentSendStartsAgainAfterItWasCancelled() {
        CountDownLatch over = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            long[] data = new long[LARGE / 8];
            world.Barrier();
            if (rank == 0) {
                Prequest[] requests = {
                    world.Send_init(data, 0, data.length, MPI.LONG, 1, 1), world.Ssend_init(data, 0, 1, MPI.LONG, 1, 1)
                };
                for (int round = 0; round < 20; round++) {
                    Prequest.Startall(requests);
                    for (Prequest each : requests) {
                        each.Cancel();
                    }
                    assertThat(Request.Waitall(requests)).allMatch(Status::Test_cancelled);
                    requests[1].Cancel(); // inactive
                }
                data[0] = 7;
                over.countDown();
                Prequest.Startall(requests);
                assertThat(Request.Waitall(requests)).noneMatch(Status::Test_cancelled);
            } else {
                awaitWithoutCalls(over);
                assertThat(world.Recv(data, 0, data.length, MPI.LONG, 0, 1).Get_count(MPI.LONG))
                        .isEqualTo(data.length);
                assertThat(world.Recv(data, 0, data.length, MPI.LONG, 0, 1).Get_count(MPI.LONG))
                        .isEqualTo(1);
                assertThat(data[0]).isEqualTo(7);
            }
        });
    }

    @Test
    void collectivesCannotBeCancelled() {
        Ranks.run(2, (rank, size) -> {
            Request request = MPI.COMM_WORLD.Ibarrier();
            assertThatThrownBy(request::Cancel)
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("Request.Cancel")
                    .hasMessageContaining("a collective operation cannot be cancelled");
            assertThat(request.Wait().Test_cancelled()).isFalse();
            request.Cancel();
        });
    }

    @Test
    void whatIsCompleteStaysComplete() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] bytes = new byte[LARGE];
            Object[] objects = {"x".repeat(20_000)};
            if (rank == 0) {
                Request[] requests = {
                    world.Isend(bytes, 0, LARGE, MPI.BYTE, 1, 1),
                    world.Issend(bytes, 0, 1, MPI.BYTE, 1, 1),
                    world.Isend(objects, 0, 1, MPI.OBJECT, 1, 1),
                    world.Isend(bytes, 0, 1, MPI.BYTE, MPI.PROC_NULL, 1)
                };
                world.Barrier();
                for (Request each : requests) {
                    each.Cancel();
                }
                assertThat(Request.Waitall(requests)).noneMatch(Status::Test_cancelled);
            } else {
                world.Recv(bytes, 0, LARGE, MPI.BYTE, 0, 1);
                world.Recv(bytes, 0, 1, MPI.BYTE, 0, 1);
                world.Recv(objects, 0, 1, MPI.OBJECT, 0, 1);
                world.Barrier();
                Request receive = world.Irecv(bytes, 0, 1, MPI.BYTE, MPI.PROC_NULL, 1);
                receive.Cancel();
                assertThat(receive.Wait().Test_cancelled()).isFalse();
            }
        });
    }

    @Test
    void aReceiveOfObjectsThatHasBegunEndsWhileItsSenderSleeps() {
        CountDownLatch over = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                Object[] objects = {"x".repeat(LARGE)};
                Request send = world.Isend(objects, 0, 1, MPI.OBJECT, 1, 1);
                awaitWithoutCalls(over);
                send.Wait();
            } else {
                Object[] objects = new Object[1];
                world.Probe(0, 1);
                Request receive = world.Irecv(objects, 0, 1, MPI.OBJECT, 0, 1);
                receive.Cancel();
                assertThat(receive.Wait().Test_cancelled()).isFalse();
                assertThat(objects[0]).isEqualTo("x".repeat(LARGE));
                over.countDown();
            }
        });
    }

    @Test
    void whatIsGivenUpArrivesAlthoughItsSenderHasLeft() {
        CountDownLatch over = new CountDownLatch(1);
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] bytes = new byte[LARGE];
            Object[] objects = new Object[1];
            if (rank == 0) {
                Arrays.fill(bytes, (byte) 1);
                objects[0] = "x".repeat(20_000);
                world.Isend(bytes, 0, LARGE, MPI.BYTE, 1, 1).Free();
                world.Isend(objects, 0, 1, MPI.OBJECT, 1, 2).Free();
                world.Isend(bytes, 0, LARGE, MPI.BYTE, 1, 3).Free();
                MPI.Finalize();
                Arrays.fill(bytes, (byte) 2);
                over.countDown();
            } else {
                Request posted = world.Irecv(bytes, 0, LARGE, MPI.BYTE, 0, 3);
                awaitWithoutCalls(over);
                assertThat(posted.Wait().Get_count(MPI.BYTE)).isEqualTo(LARGE);
                assertThat(bytes).containsOnly(1);
                Arrays.fill(bytes, (byte) 0);
                world.Recv(bytes, 0, LARGE, MPI.BYTE, 0, 1);
                assertThat(bytes).containsOnly(1);
                world.Recv(objects, 0, 1, MPI.OBJECT, 0, 2);
                assertThat(objects[0]).isEqualTo("x".repeat(20_000));
            }
        });
    }
}
