package mpi;

import static mpi.PointToPointMatrixTest.TYPES;
import static mpi.PointToPointMatrixTest.buffer;
import static mpi.PointToPointMatrixTest.type;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

class IntercommTest {
    /** Even and odd ranks. */
    private static Intercomm evenAndOdd(int rank) {
        Intracomm own = MPI.COMM_WORLD.Split(rank % 2, rank);
        return MPI.COMM_WORLD.Create_intercomm(own, 0, 1 - rank % 2, 5);
    }

    @Test
    void everyDatatypeAndKindOfCallCrosses() {
        Ranks.run(4, (rank, size) -> {
            Intercomm inter = evenAndOdd(rank);
            int peer = 1 - inter.Rank(); // rank 0 talks to 3, and 1 to 2
            MPI.Buffer_attach(new byte[1 << 20]);
            int tag = 0;
            for (String name : TYPES) {
                Datatype type = type(name);
                int count = 40;
                int elements = (count + 1) * Math.max(type.Extent(), type.Ub());
                Object source = buffer(type, elements, 1 + rank);
                int sender = inter.Rank() == 0 ? rank + (rank == 0 ? 3 : 1) : rank - (rank == 3 ? 3 : 1);
                Object theirs = buffer(type, elements, 1 + sender);
                Object expected = buffer(type, elements, 0);
                Object packed = Inside.element(type).newArray(count * type.Size());
                Inside.layout(type).gather(theirs, 0, count, packed, 0);
                Inside.layout(type).scatter(packed, 0, count * type.Size(), expected, 0);
                for (int kind = 0; kind < 5; kind++) {
                    Object target = buffer(type, elements, 0);
                    Request receive = inter.Irecv(target, 0, count, type, kind == 0 ? MPI.ANY_SOURCE : peer, tag);
                    switch (kind) {
                        case 0 -> inter.Send(source, 0, count, type, peer, tag);
                        case 1 -> inter.Isend(source, 0, count, type, peer, tag).Wait();
                        case 2 -> inter.Bsend(source, 0, count, type, peer, tag);
                        case 3 -> {
                            Request send = inter.Issend(source, 0, count, type, peer, tag);
                            receive.Wait();
                            send.Wait();
                        }
                        default -> {
                            Prequest send = inter.Send_init(source, 0, count, type, peer, tag);
                            send.Start();
                            send.Wait();
                            send.Free();
                        }
                    }
                    Status status = receive.Wait();
                    if (kind != 3) {
                        assertThat(status.source).isEqualTo(peer);
                    }
                    assertThat(target).as(name + ", kind " + kind).isEqualTo(expected);
                    tag++;
                }
            }
            MPI.Buffer_detach();
        });
    }

    @Test
    void groupsWithARankInCommonAreRefused() {
        Ranks.run(
                1,
                (rank, size) -> assertThatThrownBy(() -> MPI.COMM_WORLD.Create_intercomm(MPI.COMM_SELF, 0, 0, 4))
                        .isInstanceOfSatisfying(
                                MPIException.class,
                                e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.COMM))
                        .hasMessageContaining("in common"));
    }

    @Test
    void theWholeGroupLearnsThatItsLeaderCannotReachTheOther() {
        Ranks.run(3, (rank, size) -> {
            assertThatThrownBy(() -> MPI.COMM_WORLD.Create_intercomm(MPI.COMM_WORLD, 1, 17, 0))
                    .isInstanceOfSatisfying(
                            MPIException.class,
                            e -> assertThat(e.errorClass()).isEqualTo(rank == 1 ? ErrorClass.RANK : ErrorClass.COMM))
                    .hasMessageContaining(rank == 1 ? "17" : "rank 1");
            int[] sum = new int[1];
            MPI.COMM_WORLD.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(3);
        });
    }

    @Test
    void nobodyIsNoLeader() {
        Ranks.run(
                1,
                (rank, size) -> assertThatThrownBy(
                                () -> MPI.COMM_WORLD.Create_intercomm(MPI.COMM_SELF, 0, MPI.PROC_NULL, 4))
                        .isInstanceOfSatisfying(
                                MPIException.class,
                                e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.RANK))
                        .hasMessageContaining("there is no rank " + MPI.PROC_NULL + " that leads the other group"));
    }

    @Test
    void isFreedLikeAnyOther() {
        Ranks.run(4, (rank, size) -> {
            Intercomm inter = evenAndOdd(rank);
            Intercomm copy = (Intercomm) inter.clone();
            inter.Free();
            assertThat(inter.Is_null()).isTrue();
            assertThatThrownBy(inter::Remote_size).isInstanceOf(MPIException.class);
            int[] data = {rank};
            copy.Sendrecv_replace(data, 0, 1, MPI.INT, copy.Rank(), 0, copy.Rank(), 0);
            assertThat(data[0]).isEqualTo(rank % 2 == 0 ? rank + 1 : rank - 1);
        });
    }
}
