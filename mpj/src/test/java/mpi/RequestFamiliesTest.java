package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

/** Waiting for one, any, some or all of several requests. */
class RequestFamiliesTest {
    private static void checkEmpty(Status status) {
        assertThat(status.source).isEqualTo(MPI.ANY_SOURCE);
        assertThat(status.tag).isEqualTo(MPI.ANY_TAG);
        assertThat(status.Get_count(MPI.INT)).isZero();
        assertThat(status.Get_count(MPI.OBJECT)).isZero();
        assertThat(status.Test_cancelled()).isFalse();
    }

    @Test
    void nullAndInactiveRequestsAreCompleteAndEmpty() {
        Ranks.run(1, (rank, size) -> {
            checkEmpty(MPI.REQUEST_NULL.Wait());
            checkEmpty(MPI.REQUEST_NULL.Test());
            assertThat(MPI.REQUEST_NULL.Is_null()).isTrue();
            Prequest inactive = MPI.COMM_WORLD.Recv_init(new int[1], 0, 1, MPI.INT, 0, 0);
            checkEmpty(inactive.Wait());
            checkEmpty(inactive.Test());
            assertThat(inactive.Is_null()).isFalse();
            Request[] none = {MPI.REQUEST_NULL, null, inactive};
            assertThat(Request.Waitany(none).index).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.Testany(none).index).isEqualTo(MPI.UNDEFINED);
            assertThat(Request.Waitsome(none)).isEmpty();
            assertThat(Request.Testsome(none)).isEmpty();
            Status[] all = Request.Waitall(none);
            assertThat(all).hasSize(3);
            for (Status status : all) {
                checkEmpty(status);
            }
            assertThat(Request.Testall(none)).hasSize(3);
            assertThat(Request.Waitall(new Request[0])).isEmpty();
            MPI.REQUEST_NULL.Cancel();
            MPI.REQUEST_NULL.Free();
        });
    }

    @Test
    void waitingTwiceGivesAnEmptyStatus() {
        Ranks.run(2, (rank, size) -> {
            int[] data = {rank};
            Request request = rank == 0
                    ? MPI.COMM_WORLD.Isend(data, 0, 1, MPI.INT, 1, 5)
                    : MPI.COMM_WORLD.Irecv(data, 0, 1, MPI.INT, 0, 5);
            Status first = request.Wait();
            if (rank == 1) {
                assertThat(first.source).isZero();
                assertThat(first.Get_count(MPI.INT)).isEqualTo(1);
            }
            checkEmpty(request.Wait());
            checkEmpty(request.Test());
            assertThat(request.Is_null()).isTrue();
        });
    }

    @Test
    void testCompletesOnlyWhatHasArrived() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                world.Barrier();
                world.Send(new int[] {3}, 0, 1, MPI.INT, 1, 9);
                world.Send(new Object[] {"x".repeat(100_000)}, 0, 1, MPI.OBJECT, 1, 10);
            } else {
                int[] data = new int[1];
                Object[] objects = new Object[1];
                Request number = world.Irecv(data, 0, 1, MPI.INT, 0, 9);
                Request object = world.Irecv(objects, 0, 1, MPI.OBJECT, 0, 10);
                assertThat(number.Test()).isNull();
                assertThat(object.Test()).isNull();
                assertThat(Request.Testany(new Request[] {number, object})).isNull();
                assertThat(Request.Testall(new Request[] {number, object})).isNull();
                assertThat(Request.Testsome(new Request[] {number, object})).isEmpty();
                world.Barrier();
                Status status;
                while ((status = number.Test()) == null) {
                    Thread.onSpinWait();
                }
                assertThat(status.tag).isEqualTo(9);
                assertThat(data[0]).isEqualTo(3);
                while ((status = object.Test()) == null) {
                    Thread.onSpinWait();
                }
                assertThat(status.Get_count(MPI.OBJECT)).isEqualTo(1);
                assertThat((String) objects[0]).hasSize(100_000);
            }
        });
    }

    private static final int MESSAGES = 20;

    /** Requests of different kinds for the messages with tags 0 to 19 of rank 0. */
    private static Request[] receives(Intracomm world, int[] data, Object[] objects, boolean[] flags) {
        Request[] requests = new Request[MESSAGES + 2];
        for (int tag = 0; tag < MESSAGES; tag++) {
            requests[tag + 1] = switch (tag % 3) {
                case 0 -> world.Irecv(data, tag, 1, MPI.INT, 0, tag);
                case 1 -> world.Irecv(objects, tag, 1, MPI.OBJECT, MPI.ANY_SOURCE, tag);
                default -> world.Irecv(flags, tag, 1, MPI.BOOLEAN, 0, tag);
            };
        }
        requests[MESSAGES + 1] = MPI.REQUEST_NULL;
        return requests;
    }

    private static void sendAll(Intracomm world) {
        for (int i = 0; i < MESSAGES; i++) {
            int tag = (i * 7) % MESSAGES;
            switch (tag % 3) {
                case 0 -> world.Send(new int[] {tag}, 0, 1, MPI.INT, 1, tag);
                case 1 -> world.Send(new Object[] {"o".repeat(tag * 1000)}, 0, 1, MPI.OBJECT, 1, tag);
                default -> world.Send(new boolean[] {true}, 0, 1, MPI.BOOLEAN, 1, tag);
            }
        }
    }

    private static void check(int[] data, Object[] objects, boolean[] flags) {
        for (int tag = 0; tag < MESSAGES; tag++) {
            assertThat(data[tag]).isEqualTo(tag % 3 == 0 ? tag : 0);
            assertThat(objects[tag]).isEqualTo(tag % 3 == 1 ? "o".repeat(tag * 1000) : null);
            assertThat(flags[tag]).isEqualTo(tag % 3 == 2);
        }
    }

    @Test
    void waitAnyCompletesEveryRequestOnce() {
        Ranks.run(2, (rank, size) -> {
            if (rank == 0) {
                sendAll(MPI.COMM_WORLD);
                return;
            }
            int[] data = new int[MESSAGES];
            Object[] objects = new Object[MESSAGES];
            boolean[] flags = new boolean[MESSAGES];
            Request[] requests = receives(MPI.COMM_WORLD, data, objects, flags);
            BitSet seen = new BitSet();
            for (int i = 0; i < MESSAGES; i++) {
                Status status = Request.Waitany(requests);
                assertThat(status.tag).isEqualTo(status.index - 1);
                assertThat(status.source).isZero();
                assertThat(seen.get(status.index)).isFalse();
                seen.set(status.index);
            }
            assertThat(Request.Waitany(requests).index).isEqualTo(MPI.UNDEFINED);
            check(data, objects, flags);
        });
    }

    @Test
    void waitSomeAndTestSomeCompleteEveryRequestOnce() {
        for (boolean waiting : new boolean[] {true, false}) {
            Ranks.run(2, (rank, size) -> {
                if (rank == 0) {
                    sendAll(MPI.COMM_WORLD);
                    return;
                }
                int[] data = new int[MESSAGES];
                Object[] objects = new Object[MESSAGES];
                boolean[] flags = new boolean[MESSAGES];
                Request[] requests = receives(MPI.COMM_WORLD, data, objects, flags);
                int completed = 0;
                while (completed < MESSAGES) {
                    Status[] some = waiting ? Request.Waitsome(requests) : Request.Testsome(requests);
                    if (waiting) {
                        assertThat(some).isNotEmpty();
                    }
                    for (Status status : some) {
                        assertThat(status.tag).isEqualTo(status.index - 1);
                        completed++;
                    }
                }
                assertThat(Request.Waitsome(requests)).isEmpty();
                check(data, objects, flags);
            });
        }
    }

    @Test
    void waitAllTestAllAndTestAnyGiveTheStatusesInOrder() {
        Ranks.run(2, (rank, size) -> {
            for (int round = 0; round < 3; round++) {
                if (rank == 0) {
                    sendAll(MPI.COMM_WORLD);
                    continue;
                }
                int[] data = new int[MESSAGES];
                Object[] objects = new Object[MESSAGES];
                boolean[] flags = new boolean[MESSAGES];
                Request[] requests = receives(MPI.COMM_WORLD, data, objects, flags);
                if (round == 2) {
                    for (int i = 0; i < MESSAGES; i++) {
                        Status status;
                        while ((status = Request.Testany(requests)) == null) {
                            Thread.onSpinWait();
                        }
                        assertThat(status.tag).isEqualTo(status.index - 1);
                    }
                    assertThat(Request.Testany(requests).index).isEqualTo(MPI.UNDEFINED);
                } else {
                    Status[] statuses = round == 0 ? Request.Waitall(requests) : null;
                    while (statuses == null) {
                        statuses = Request.Testall(requests);
                    }
                    checkEmpty(statuses[0]);
                    checkEmpty(statuses[MESSAGES + 1]);
                    for (int tag = 0; tag < MESSAGES; tag++) {
                        assertThat(statuses[tag + 1].tag).isEqualTo(tag);
                    }
                }
                check(data, objects, flags);
            }
        });
    }

    @Test
    void waitAllEndsAllRequestsAndRaisesTheFirstFailure() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                for (int tag = 0; tag < 4; tag++) {
                    world.Send(new int[4], 0, 4, MPI.INT, 1, tag);
                }
                return;
            }
            Request[] requests = new Request[4];
            for (int tag = 0; tag < 4; tag++) {
                requests[tag] = world.Irecv(new int[4], 0, tag % 2 == 1 ? 1 : 4, MPI.INT, 0, tag);
            }
            assertThatThrownBy(() -> Request.Waitall(requests)).isInstanceOfSatisfying(MPIException.class, failure -> {
                assertThat(failure.errorClass()).isEqualTo(ErrorClass.TRUNCATE);
                assertThat(failure).hasMessageContaining("request 1 of 4");
                assertThat(failure.getSuppressed()).hasSize(1);
                assertThat(failure.getSuppressed()[0]).hasMessageContaining("request 3 of 4");
            });
            for (Request request : requests) {
                assertThat(request.Is_null()).isTrue();
            }
        });
    }
}
