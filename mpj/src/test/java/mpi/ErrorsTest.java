package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.device.ErrorClass;
import org.galerna.harness.JobAborted;
import org.galerna.harness.Ranks;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorsTest {
    private static void fails(ErrorClass errorClass, String part, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(MPIException.class).hasMessageContaining(part);
        assertThat(((MPIException) thrown).errorClass()).as(thrown.getMessage()).isEqualTo(errorClass);
    }

    @Test
    @Fault(24)
    void wrongArgumentsOfSendsAreNamedAndTheProgramGoesOn() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] ints = new int[10];
            fails(ErrorClass.RANK, "valid are 0 to 1 and MPI.PROC_NULL", () -> world.Send(ints, 0, 1, MPI.INT, 2, 0));
            fails(ErrorClass.RANK, "no rank -1", () -> world.Ssend(ints, 0, 1, MPI.INT, -1, 0));
            fails(ErrorClass.RANK, "no rank -2", () -> world.Isend(ints, 0, 1, MPI.INT, MPI.ANY_SOURCE, 0));
            fails(ErrorClass.TAG, "-5", () -> world.Send(ints, 0, 1, MPI.INT, 1, -5));
            fails(ErrorClass.TAG, "-2", () -> world.Send(ints, 0, 1, MPI.INT, 1, MPI.ANY_TAG));
            fails(ErrorClass.TAG, "-2", () -> world.Isend(ints, 0, 1, MPI.INT, 1, MPI.ANY_TAG));
            fails(ErrorClass.COUNT, "-1", () -> world.Send(ints, 0, -1, MPI.INT, 1, 0));
            fails(ErrorClass.COUNT, "10 elements", () -> world.Send(ints, 0, 11, MPI.INT, 1, 0));
            fails(ErrorClass.COUNT, "10 elements", () -> world.Isend(ints, 9, 2, MPI.INT, 1, 0));
            fails(ErrorClass.COUNT, "10 elements", () -> world.Send(ints, 1, Integer.MAX_VALUE, MPI.INT, 1, 0));
            fails(ErrorClass.BUFFER, "offset -1", () -> world.Send(ints, -1, 1, MPI.INT, 1, 0));
            fails(ErrorClass.BUFFER, "offset 11", () -> world.Send(ints, 11, 0, MPI.INT, 1, 0));
            fails(ErrorClass.BUFFER, "null", () -> world.Send(null, 0, 1, MPI.INT, 1, 0));
            fails(ErrorClass.TYPE, "needs a double[]", () -> world.Send(ints, 0, 1, MPI.DOUBLE, 1, 0));
            fails(ErrorClass.TYPE, "needs a boolean[]", () -> world.Send(ints, 0, 1, MPI.BOOLEAN, 1, 0));
            fails(ErrorClass.TYPE, "needs a java.lang.Object[]", () -> world.Send(ints, 0, 1, MPI.OBJECT, 1, 0));
            fails(ErrorClass.TYPE, "java.lang.String", () -> world.Send("text", 0, 1, MPI.BYTE, 1, 0));
            fails(ErrorClass.TYPE, "null", () -> world.Send(ints, 0, 1, null, 1, 0));
            fails(ErrorClass.TYPE, "MPI.UB", () -> world.Send(ints, 0, 1, MPI.UB, 1, 0));
            fails(ErrorClass.RANK, "rank 7", () -> world.Send_init(ints, 0, 1, MPI.INT, 7, 0));
            fails(ErrorClass.REQUEST, "Request.Waitall: the array of requests is null", () -> Request.Waitall(null));
            fails(ErrorClass.REQUEST, "Request.Testall: the array of requests is null", () -> Request.Testall(null));
            fails(ErrorClass.BUFFER, "Buffer_attach", () -> world.Bsend(ints, 0, 1, MPI.INT, 1, 0));
            Datatype freed = Datatype.Contiguous(2, MPI.INT);
            freed.free();
            fails(ErrorClass.TYPE, "freed", () -> world.Send(ints, 0, 1, freed, 1, 0));
            Datatype gapped = Datatype.Vector(3, 1, 4, MPI.INT);
            world.Sendrecv(ints, 1, 1, gapped, 1 - rank, 1, new int[10], 0, 1, gapped, 1 - rank, 1);
            fails(ErrorClass.COUNT, "offset 2", () -> world.Send(ints, 2, 1, gapped, 1, 0));
            // nothing has been sent by mistake
            assertThat(world.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            world.Barrier();
        });
    }

    @Test
    @Fault(24)
    void wrongArgumentsOfReceivesAreNamedAndTheProgramGoesOn() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            double[] doubles = new double[10];
            fails(ErrorClass.RANK, "MPI.ANY_SOURCE", () -> world.Recv(doubles, 0, 1, MPI.DOUBLE, 2, 0));
            fails(ErrorClass.RANK, "rank -1", () -> world.Irecv(doubles, 0, 1, MPI.DOUBLE, -1, 0));
            fails(ErrorClass.TAG, "-1", () -> world.Recv(doubles, 0, 1, MPI.DOUBLE, 1, -1));
            fails(ErrorClass.COUNT, "11 items", () -> world.Recv(doubles, 0, 11, MPI.DOUBLE, 1, 0));
            fails(ErrorClass.COUNT, "negative", () -> world.Recv(doubles, 0, -3, MPI.DOUBLE, 1, 0));
            fails(ErrorClass.BUFFER, "offset -4", () -> world.Irecv(doubles, -4, 1, MPI.DOUBLE, 1, 0));
            fails(ErrorClass.BUFFER, "null", () -> world.Recv(null, 0, 1, MPI.DOUBLE, 1, 0));
            fails(ErrorClass.TYPE, "needs a float[]", () -> world.Recv(doubles, 0, 1, MPI.FLOAT, 1, 0));
            fails(ErrorClass.RANK, "rank 2", () -> world.Probe(2, 0));
            fails(ErrorClass.TAG, "-1", () -> world.Iprobe(0, -1));
            fails(ErrorClass.RANK, "rank 2", () -> world.Recv_init(doubles, 0, 1, MPI.DOUBLE, 2, 0));
            fails(
                    ErrorClass.RANK,
                    "rank 5",
                    () -> world.Sendrecv(doubles, 0, 1, MPI.DOUBLE, 5, 0, new double[1], 0, 1, MPI.DOUBLE, 1, 0));
            world.Sendrecv_replace(doubles, 0, 10, MPI.DOUBLE, 1 - rank, 3, 1 - rank, 3);
        });
    }

    @Test
    @Fault(24)
    void wrongArgumentsOfCollectivesAreNamedAndTheProgramGoesOn() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int[] ints = new int[10];
            fails(ErrorClass.ROOT, "a root is 0 to 1", () -> world.Bcast(ints, 0, 1, MPI.INT, 2));
            fails(ErrorClass.BUFFER, "null", () -> world.Bcast(null, 0, 1, MPI.INT, 0));
            fails(ErrorClass.COUNT, "20 items", () -> world.Bcast(ints, 0, 20, MPI.INT, 0));
            fails(ErrorClass.TYPE, "needs a long[]", () -> world.Bcast(ints, 0, 1, MPI.LONG, 0));
            fails(ErrorClass.OP, "null", () -> world.Allreduce(ints, 0, new int[10], 0, 1, MPI.INT, null));
            fails(
                    ErrorClass.OP,
                    "MPI.BAND is not defined for MPI.DOUBLE",
                    () -> world.Allreduce(new double[1], 0, new double[1], 0, 1, MPI.DOUBLE, MPI.BAND));
            fails(
                    ErrorClass.OP,
                    "MPI.SUM is not defined for MPI.BOOLEAN",
                    () -> world.Allreduce(new boolean[1], 0, new boolean[1], 0, 1, MPI.BOOLEAN, MPI.SUM));
            fails(ErrorClass.OP, "MPI.INT2", () -> world.Allreduce(ints, 0, new int[10], 0, 1, MPI.INT, MPI.MAXLOC));
            fails(
                    ErrorClass.OP,
                    "operation of your own",
                    () -> world.Allreduce(new Object[1], 0, new Object[1], 0, 1, MPI.OBJECT, MPI.SUM));
            fails(
                    ErrorClass.COUNT,
                    "8 bytes for itself and room for 4",
                    () -> world.Allgather(ints, 0, 2, MPI.INT, new int[10], 0, 1, MPI.INT));
            fails(ErrorClass.COUNT, "4 items", () -> world.Allgather(ints, 0, 2, MPI.INT, new int[3], 0, 2, MPI.INT));
            fails(
                    ErrorClass.ARG,
                    "2 counts",
                    () -> world.Allgatherv(ints, 0, 1, MPI.INT, new int[3], 0, new int[1], new int[2], MPI.INT));
            fails(
                    ErrorClass.BUFFER,
                    "offset 100",
                    () -> world.Allgatherv(
                            ints, 0, 1, MPI.INT, new int[3], 0, new int[] {1, 1}, new int[] {0, 100}, MPI.INT));
            fails(
                    ErrorClass.TYPE,
                    "objects",
                    () -> world.Allgather(ints, 0, 1, MPI.INT, new Object[3], 0, 1, MPI.OBJECT));
            fails(ErrorClass.ARG, "color", () -> world.Split(-7, 0));
            fails(ErrorClass.GROUP, "null", () -> world.Create(null));
            int[] sum = new int[1];
            world.Allreduce(new int[] {rank + 1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum).containsExactly(3);
        });
    }

    @Test
    @Fault(24)
    void aMessageThatIsTooLongFillsTheBufferAndNothingBeyond() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            // below and above the eager limit
            for (int length : new int[] {10, 100_000}) {
                int[] data = new int[length];
                Arrays.fill(data, 7);
                if (rank == 0) {
                    for (int tag = 1; tag <= 4; tag++) {
                        world.Send(data, 0, length, MPI.INT, 1, tag);
                    }
                    boolean[] flags = new boolean[length];
                    Arrays.fill(flags, true);
                    world.Send(flags, 0, length, MPI.BOOLEAN, 1, 5);
                    world.Send(data, 0, 1, MPI.INT, 1, 6);
                } else {
                    int room = length / 2;
                    for (int tag = 1; tag <= 4; tag++) {
                        int which = tag;
                        int[] target = new int[length];
                        Datatype type = tag == 4 ? Datatype.Vector(room, 1, 1, MPI.INT) : MPI.INT;
                        int count = tag == 4 ? 1 : room;
                        fails(ErrorClass.TRUNCATE, "from rank 0", () -> {
                            switch (which) {
                                case 1 -> world.Recv(target, 1, count, type, 0, which);
                                case 2 ->
                                    world.Irecv(target, 1, count, type, 0, which)
                                            .Wait();
                                case 3 -> world.Recv(target, 1, count, type, MPI.ANY_SOURCE, which);
                                default -> world.Recv(target, 1, count, type, 0, which);
                            }
                        });
                        int[] expected = new int[length];
                        Arrays.fill(expected, 1, 1 + room, 7);
                        assertThat(target).as("tag " + tag).isEqualTo(expected);
                    }
                    boolean[] flags = new boolean[length];
                    Datatype everySecond = Datatype.Vector(room / 2, 1, 2, MPI.BOOLEAN);
                    fails(ErrorClass.TRUNCATE, "", () -> world.Recv(flags, 0, 1, everySecond, 0, 5));
                    for (int i = 0; i < length; i++) {
                        assertThat(flags[i]).as("flag " + i).isEqualTo(i % 2 == 0 && i < room / 2 * 2);
                    }
                    int[] one = new int[1];
                    world.Recv(one, 0, 1, MPI.INT, 0, 6);
                    assertThat(one[0]).isEqualTo(7);
                }
                world.Barrier();
            }
        });
    }

    @Test
    void fatalErrorsEndTheJobOnceAskedFor() {
        JobAborted aborted = Ranks.runUntilAbort(1, (rank, size) -> {
            fails(ErrorClass.RANK, "rank 3", () -> MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 3, 0));
            assertThat(MPI.Errorhandler_get()).isSameAs(MPI.ERRORS_RETURN);
            MPI.Errorhandler_set(MPI.ERRORS_ARE_FATAL);
            MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 4, 0);
        });
        assertThat(aborted.status()).isEqualTo(1);
        assertThat(aborted).hasMessageContaining("no rank 4");
    }

    /** Ranks share the classes that find the errors, and the calls name nothing that belongs to a rank. */
    @Test
    void errorsWithoutACommunicatorAreThoseOfTheRankThatCalls() {
        Ranks.run(3, (rank, size) -> {
            String who = "rank " + rank + ", ";
            fails(ErrorClass.COUNT, who + "Datatype.Contiguous", () -> Datatype.Contiguous(-1, MPI.INT));
            fails(
                    ErrorClass.RANK,
                    who + "Group.Incl",
                    () -> MPI.COMM_WORLD.Group().Incl(new int[] {9}));
            fails(ErrorClass.OP, who + "Op", () -> new Op(null, true));
            AtomicReference<String> elsewhere = new AtomicReference<>();
            Thread thread = new Thread(() -> elsewhere.set(
                    catchThrowable(() -> Datatype.Contiguous(-1, MPI.INT)).getMessage()));
            thread.start();
            thread.join();
            assertThat(elsewhere.get()).startsWith(who);
        });
    }

    @Test
    void aRanksErrorHandlerIsNotThatOfTheOthers() {
        JobAborted aborted = Ranks.runUntilAbort(2, (rank, size) -> {
            if (rank == 1) {
                MPI.Errorhandler_set(MPI.ERRORS_ARE_FATAL);
            }
            MPI.COMM_WORLD.Barrier();
            if (rank == 0) {
                fails(ErrorClass.COUNT, "-1", () -> Datatype.Contiguous(-1, MPI.INT));
                MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 1, 0);
                MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 1, 0);
            } else {
                MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 0);
                Datatype.Contiguous(-2, MPI.INT);
            }
        });
        assertThat(aborted.rank()).isEqualTo(1);
        assertThat(aborted).hasMessageContaining("-2");
    }

    @Test
    void aCommunicatorsOwnErrorHandlerGoesFirst() {
        JobAborted aborted = Ranks.runUntilAbort(1, (rank, size) -> {
            Intracomm fatal = (Intracomm) MPI.COMM_WORLD.clone();
            fatal.Errhandler_set(MPI.ERRORS_ARE_FATAL);
            assertThat(fatal.Errorhandler_get()).isSameAs(MPI.ERRORS_ARE_FATAL);
            assertThat(MPI.COMM_WORLD.Errorhandler_get()).isSameAs(MPI.ERRORS_RETURN);
            fails(ErrorClass.ROOT, "rank 3", () -> MPI.COMM_WORLD.Bcast(new int[1], 0, 1, MPI.INT, 3));
            Intracomm inherits = (Intracomm) fatal.clone();
            inherits.Bcast(new int[1], 0, 1, MPI.INT, 5);
        });
        assertThat(aborted).hasMessageContaining("no rank 5");
    }

    @Test
    void abortEndsTheJobWithItsStatus() {
        JobAborted aborted = Ranks.runUntilAbort(2, (rank, size) -> {
            if (rank == 1) {
                MPI.COMM_WORLD.Abort(42);
            }
        });
        assertThat(aborted.rank()).isEqualTo(1);
        assertThat(aborted.status()).isEqualTo(42);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "256, 1", "-256, 1", "-1, 255", "263, 7"})
    void anAbortNeverLooksLikeSuccess(int code, int status) {
        JobAborted aborted = Ranks.runUntilAbort(1, (rank, size) -> MPI.COMM_WORLD.Abort(code));
        assertThat(aborted.status()).isEqualTo(status);
        assertThat(aborted).hasMessageContaining("Abort(" + code + ")");
    }

    @Test
    void aRankThatHasFinalizedCannotBeReached() {
        Ranks.run(2, (rank, size) -> {
            if (rank == 0) {
                MPI.Finalize();
            } else {
                fails(ErrorClass.PROC_FAILED, "rank 0", () -> MPI.COMM_WORLD.Recv(new int[1], 0, 1, MPI.INT, 0, 0));
                fails(ErrorClass.PROC_FAILED, "rank 0", () -> MPI.COMM_WORLD.Ssend(new int[1], 0, 1, MPI.INT, 0, 0));
            }
        });
    }
}
