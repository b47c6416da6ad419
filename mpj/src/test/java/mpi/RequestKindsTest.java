package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.harness.Ranks;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/** Requests that are cancelled, persistent, with nobody or of a probe. */
class RequestKindsTest {
    @Test
    @Fault(23)
    void aSendWhoseReceiverDoesNotWantItEndsWhenItIsCancelled() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            byte[] large = new byte[1 << 20];
            String[] objects = {"x".repeat(20_000)};
            if (rank == 0) {
                Prequest persistent = world.Send_init(large, 0, large.length, MPI.BYTE, 1, 1);
                persistent.Start();
                Request[] requests = {
                    world.Isend(large, 0, large.length, MPI.BYTE, 1, 1),
                    world.Issend(large, 0, 1, MPI.BYTE, 1, 1),
                    world.Issend(new String[] {"a"}, 0, 1, MPI.OBJECT, 1, 1),
                    persistent
                };
                for (Request request : requests) {
                    request.Cancel();
                }
                for (Status status : Request.Waitall(requests)) {
                    assertThat(status.Test_cancelled()).isTrue();
                }
                Request inParts = world.Isend(objects, 0, 1, MPI.OBJECT, 1, 2);
                inParts.Cancel();
                assertThat(inParts.Wait().Test_cancelled()).isTrue();
                Request accepted = world.Isend(large, 0, 1, MPI.BYTE, 1, 2);
                accepted.Cancel();
                assertThat(accepted.Wait().Test_cancelled()).isFalse();
                world.Send(large, 0, 0, MPI.BYTE, 1, 3);
                persistent.Start();
                assertThat(persistent.Wait().Test_cancelled()).isFalse();
                Request toItself = world.Isend(large, 0, large.length, MPI.BYTE, 0, 1);
                toItself.Cancel();
                assertThat(toItself.Wait().Test_cancelled()).isTrue();
                assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            } else {
                world.Recv(large, 0, 0, MPI.BYTE, 0, 3);
                world.Recv(large, 0, 1, MPI.BYTE, 0, 2);
                assertThat(world.Recv(large, 0, large.length, MPI.BYTE, 0, MPI.ANY_TAG)
                                .Get_count(MPI.BYTE))
                        .isEqualTo(large.length);
                assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            }
        });
    }

    @Test
    @Fault(23)
    void aReceiveWithoutAMessageCanBeCancelled() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] data = new int[1];
            Object[] objects = new Object[1];
            boolean[] flags = new boolean[1];
            Request[] requests = {
                world.Irecv(data, 0, 1, MPI.INT, 1 - rank, 1),
                world.Irecv(objects, 0, 1, MPI.OBJECT, MPI.ANY_SOURCE, 1),
                world.Irecv(flags, 0, 1, MPI.BOOLEAN, 1 - rank, MPI.ANY_TAG),
            };
            for (Request request : requests) {
                request.Cancel();
            }
            for (Status status : Request.Waitall(requests)) {
                assertThat(status.Test_cancelled()).isTrue();
                assertThat(status.Get_count(MPI.INT)).isZero();
            }
            Prequest persistent = world.Recv_init(data, 0, 1, MPI.INT, 1 - rank, 1);
            persistent.Start();
            persistent.Cancel();
            assertThat(persistent.Wait().Test_cancelled()).isTrue();
            persistent.Start();
            world.Send(new int[] {8}, 0, 1, MPI.INT, 1 - rank, 1);
            Status status = persistent.Wait();
            assertThat(status.Test_cancelled()).isFalse();
            assertThat(data[0]).isEqualTo(8);

            Request send = world.Isend(new int[1], 0, 1, MPI.INT, 1 - rank, 2);
            send.Cancel();
            world.Recv(data, 0, 1, MPI.INT, 1 - rank, 2);
            assertThat(send.Wait().Test_cancelled()).isFalse();
        });
    }

    @Test
    void persistentRequestsSendWhatIsInTheBufferAtEachStart() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            long[] outgoing = new long[4];
            long[] incoming = new long[4];
            Prequest[] requests = {
                world.Send_init(outgoing, 0, 4, MPI.LONG, 1 - rank, 3),
                world.Recv_init(incoming, 0, 4, MPI.LONG, 1 - rank, 3)
            };
            for (int round = 0; round < 50; round++) {
                outgoing[2] = 100L * rank + round;
                Prequest.Startall(requests);
                assertThatThrownBy(() -> requests[1].Start()).isInstanceOf(MPIException.class);
                Status[] statuses = Request.Waitall(requests);
                assertThat(statuses[1].Get_count(MPI.LONG)).isEqualTo(4);
                assertThat(incoming[2]).isEqualTo(100L * (1 - rank) + round);
            }
            requests[0].Free();
            assertThat(requests[0].Is_null()).isTrue();
            assertThatThrownBy(() -> requests[0].Start())
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("freed");
        });
    }

    @Test
    void requestsWithNobodyAreComplete() {
        Ranks.run(1, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] data = {5};
            world.Send(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
            world.Isend(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0).Wait();
            Status status = world.Recv(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
            assertThat(status.source).isEqualTo(MPI.PROC_NULL);
            assertThat(status.tag).isEqualTo(MPI.ANY_TAG);
            assertThat(status.Get_count(MPI.INT)).isZero();
            Request request = world.Irecv(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
            assertThat(request.Is_null()).isFalse();
            assertThat(Request.Waitany(new Request[] {null, request}).index).isEqualTo(1);
            assertThat(request.Is_null()).isTrue();
            assertThat(world.Probe(MPI.PROC_NULL, 3).source).isEqualTo(MPI.PROC_NULL);
            assertThat(world.Iprobe(MPI.PROC_NULL, 3).source).isEqualTo(MPI.PROC_NULL);
            status = world.Sendrecv(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0, data, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
            assertThat(status.source).isEqualTo(MPI.PROC_NULL);
            world.Sendrecv_replace(data, 0, 1, MPI.INT, MPI.PROC_NULL, 0, MPI.PROC_NULL, 0);
            assertThat(data[0]).isEqualTo(5);
        });
    }

    @Test
    void operationsOfTheDeviceCanBeWaitedFor() {
        Ranks.run(1, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int context = world.mpjdevComm.recvctxt;
            int[] data = new int[3];
            mpjdev.Request[] inner = new mpjdev.Request[3];
            for (int i = 0; i < 3; i++) {
                inner[i] = new mpjdev.Request(Inside.device(world).irecv(data, 4L * i, 4, 0, i, context));
            }
            Request request = new Request(inner[0]);
            assertThat(request.req).isSameAs(inner[0]);
            assertThat(inner[1].itest()).isNull();
            for (int i = 0; i < 2; i++) {
                world.Send(new int[] {7 + i}, 0, 1, MPI.INT, 0, i);
            }
            assertThat(request.Wait().Get_count(MPI.INT)).isEqualTo(1);
            assertThat(inner[1].iwait().tag).isEqualTo(1);
            assertThat(inner[1].isnull()).isTrue();
            assertThat(inner[2].cancel()).isTrue();
            inner[2].free();
            assertThat(data).containsExactly(7, 8, 0);
        });
    }

    @Test
    void everyReceiveHasAStatusOfItsOwn() {
        Ranks.run(1, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Status[] statuses = new Status[3];
            for (int i = 0; i < statuses.length; i++) {
                world.Send(new int[1], 0, 1, MPI.INT, 0, 6);
                statuses[i] = world.Recv(new int[1], 0, 1, MPI.INT, 0, 6);
            }
            statuses[0].tag = 99; // a program may change what it has been given
            assertThat(statuses[1].tag).isEqualTo(6);
            assertThat(statuses[2].tag).isEqualTo(6);
            assertThat(statuses[1]).isNotSameAs(statuses[2]);
        });
    }

    @Test
    void probesFindTheEnvelopeAndLeaveTheMessage() {
        Ranks.run(3, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank > 0) {
                world.Send(new double[rank * 10], 0, rank * 10, MPI.DOUBLE, 0, rank);
                world.Barrier();
                return;
            }
            Status status = world.Probe(2, MPI.ANY_TAG);
            assertThat(status.source).isEqualTo(2);
            assertThat(status.tag).isEqualTo(2);
            assertThat(status.Get_count(MPI.DOUBLE)).isEqualTo(20);
            assertThat(status.Get_count(MPI.DOUBLE2)).isEqualTo(10);
            assertThat(status.Get_count(Datatype.Contiguous(7, MPI.DOUBLE))).isEqualTo(MPI.UNDEFINED);
            assertThat(status.Get_elements(Datatype.Contiguous(7, MPI.DOUBLE))).isEqualTo(20);
            assertThat(status.Get_count(MPI.OBJECT)).isEqualTo(MPI.UNDEFINED);
            while ((status = world.Iprobe(MPI.ANY_SOURCE, 1)) == null) {
                Thread.onSpinWait();
            }
            assertThat(status.source).isEqualTo(1);
            assertThat(world.Iprobe(1, 2)).isNull();
            world.Recv(new double[10], 0, 10, MPI.DOUBLE, 1, 1);
            world.Recv(new double[20], 0, 20, MPI.DOUBLE, 2, 2);
            assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            world.Barrier();
        });
    }

    @Test
    void aLargeObjectDoesNotHoldUpTheMessageBehindIt() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            if (rank == 0) {
                world.Send(new Object[] {"o".repeat(1_000_000)}, 0, 1, MPI.OBJECT, 1, 1);
                world.Send(new int[] {2}, 0, 1, MPI.INT, 1, 2);
            } else {
                Object[] objects = new Object[1];
                int[] data = new int[1];
                Request request = world.Irecv(objects, 0, 1, MPI.OBJECT, 0, 1);
                world.Recv(data, 0, 1, MPI.INT, 0, 2);
                assertThat(data[0]).isEqualTo(2);
                assertThat(request.Wait().Get_count(MPI.OBJECT)).isEqualTo(1);
                assertThat((String) objects[0]).hasSize(1_000_000);
            }
        });
    }

    @Test
    void sendrecvExchangesInARing() {
        Ranks.run(5, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int right = (rank + 1) % size;
            int left = (rank + size - 1) % size;
            for (int length : new int[] {1, 100_000}) {
                int[] outgoing = new int[length];
                outgoing[length - 1] = rank;
                int[] incoming = new int[length];
                Status status = world.Sendrecv(
                        outgoing, 0, length, MPI.INT, right, 4, incoming, 0, length, MPI.INT, left, MPI.ANY_TAG);
                assertThat(status.source).isEqualTo(left);
                assertThat(incoming[length - 1]).isEqualTo(left);
                status = world.Sendrecv_replace(outgoing, 0, length, MPI.INT, right, 5, MPI.ANY_SOURCE, 5);
                assertThat(status.Get_count(MPI.INT)).isEqualTo(length);
                assertThat(outgoing[length - 1]).isEqualTo(left);
            }
            Object[] object = {"from " + rank};
            world.Sendrecv_replace(object, 0, 1, MPI.OBJECT, right, 5, left, 5);
            assertThat(object[0]).isEqualTo("from " + left);
        });
    }
}
