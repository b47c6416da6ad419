package mpi;

import static mpi.MemoryTest.buffer;
import static mpi.MemoryTest.contents;
import static mpi.MemoryTest.fill;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.List;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives in memory that is no array give what they give in arrays, with and without blocking. */
class CollectivesInMemoryTest {
    private static final int OFFSET = 3;

    /** A collective of ints; {@code count} items of {@code type} for each rank. */
    @FunctionalInterface
    private interface Call {
        Request start(Intracomm comm, Object send, Object receive, int count, Datatype type);
    }

    private static Request done(Runnable blocking) {
        blocking.run();
        return MPI.REQUEST_NULL;
    }

    private static int[] filled(int length, int value) {
        int[] values = new int[length];
        Arrays.fill(values, value);
        return values;
    }

    private static int[] places(int size, int count) {
        int[] places = new int[size];
        Arrays.setAll(places, rank -> (size - 1 - rank) * count);
        return places;
    }

    private static final List<Call> MOVES = List.of(
            (comm, send, receive, count, type) -> done(() -> comm.Bcast(receive, OFFSET, count, type, 1)),
            (comm, send, receive, count, type) -> comm.Ibcast(receive, OFFSET, count, type, 1),
            (comm, send, receive, count, type) ->
                    done(() -> comm.Gather(send, OFFSET, count, type, receive, OFFSET, count, type, 1)),
            (comm, send, receive, count, type) ->
                    comm.Igather(send, OFFSET, count, type, receive, OFFSET, count, type, 1),
            (comm, send, receive, count, type) ->
                    done(() -> comm.Scatter(send, OFFSET, count, type, receive, OFFSET, count, type, 1)),
            (comm, send, receive, count, type) ->
                    comm.Iscatter(send, OFFSET, count, type, receive, OFFSET, count, type, 1),
            (comm, send, receive, count, type) ->
                    done(() -> comm.Allgather(send, OFFSET, count, type, receive, OFFSET, count, type)),
            (comm, send, receive, count, type) ->
                    comm.Iallgather(send, OFFSET, count, type, receive, OFFSET, count, type),
            (comm, send, receive, count, type) ->
                    done(() -> comm.Alltoall(send, OFFSET, count, type, receive, OFFSET, count, type)),
            (comm, send, receive, count, type) ->
                    comm.Ialltoall(send, OFFSET, count, type, receive, OFFSET, count, type),
            (comm, send, receive, count, type) -> done(() -> comm.Allgatherv(
                    send,
                    OFFSET,
                    count,
                    type,
                    receive,
                    OFFSET,
                    filled(comm.Size(), count),
                    places(comm.Size(), count),
                    type)),
            (comm, send, receive, count, type) -> comm.Ialltoallv(
                    send,
                    OFFSET,
                    filled(comm.Size(), count),
                    places(comm.Size(), count),
                    type,
                    receive,
                    OFFSET,
                    filled(comm.Size(), count),
                    places(comm.Size(), count),
                    type));

    /** Sums, by a function that can only work on arrays. */
    static final class Sum extends User_function {
        @Override
        public void Call(Object in, int inOffset, Object inOut, int inOutOffset, int count, Datatype type) {
            for (int i = 0; i < count; i++) {
                ((int[]) inOut)[inOutOffset + i] += ((int[]) in)[inOffset + i];
            }
        }
    }

    private static List<Call> reductions(Op op) {
        return List.of(
                (comm, send, receive, count, type) ->
                        done(() -> comm.Reduce(send, OFFSET, receive, OFFSET, count, type, op, 1)),
                (comm, send, receive, count, type) -> comm.Ireduce(send, OFFSET, receive, OFFSET, count, type, op, 1),
                (comm, send, receive, count, type) ->
                        done(() -> comm.Allreduce(send, OFFSET, receive, OFFSET, count, type, op)),
                (comm, send, receive, count, type) -> comm.Iallreduce(send, OFFSET, receive, OFFSET, count, type, op),
                (comm, send, receive, count, type) ->
                        comm.Iallreduce(MPI.IN_PLACE, 0, receive, OFFSET, count, type, op),
                (comm, send, receive, count, type) ->
                        done(() -> comm.Scan(send, OFFSET, receive, OFFSET, count, type, op)),
                (comm, send, receive, count, type) -> comm.Iexscan(send, OFFSET, receive, OFFSET, count, type, op),
                (comm, send, receive, count, type) -> done(() ->
                        comm.Reduce_scatter(send, OFFSET, receive, OFFSET, filled(comm.Size(), count), type, op)));
    }

    private static void compare(String what, List<Call> calls, int count, Datatype type, int rank, int size) {
        Intracomm world = MPI.COMM_WORLD;
        int length = OFFSET + (count * size + 1) * type.Extent();
        for (int call = 0; call < calls.size(); call++) {
            int[] send = new int[length];
            int[] receive = new int[length];
            fill(send, 100 * rank);
            fill(receive, -1000 * (rank + 1));
            calls.get(call).start(world, send, receive, count, type).Wait();
            for (int kind = 1; kind < MemoryTest.KINDS; kind++) {
                Object from = buffer(kind, length);
                Object to = buffer((kind + 4 + rank) % MemoryTest.KINDS, length);
                fill(from, 100 * rank);
                fill(to, -1000 * (rank + 1));
                calls.get(call).start(world, from, to, count, type).Wait();
                assertThat(contents(to))
                        .as("%s %d of %d, memory of kind %d", what, call, count, kind)
                        .isEqualTo(receive);
                assertThat(contents(from)).isEqualTo(send);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void moves(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            for (int count : new int[] {0, 1, 5, 9000}) {
                compare("move", MOVES, count, MPI.INT, rank, size);
            }
            compare("move of vectors", MOVES, 40, Datatype.Vector(2, 1, 2, MPI.INT), rank, size);
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void reductions(int ranks) {
        Ranks.run(ranks, (rank, size) -> {
            Op own = new Op(new Sum(), false);
            for (int count : new int[] {1, 5, 9000}) {
                compare("MPI.SUM", reductions(MPI.SUM), count, MPI.INT, rank, size);
                compare("function", reductions(own), count, MPI.INT, rank, size);
            }
            compare("MPI.MAX of pairs", reductions(MPI.MAX), 40, Datatype.Vector(2, 1, 2, MPI.INT), rank, size);
        });
    }

    /** Memory of one thread alone, which the others must not touch. */
    @Test
    void confinedMemory() {
        Ranks.run(3, (rank, size) -> {
            try (Arena arena = Arena.ofConfined()) {
                for (int count : new int[] {4, 9000}) {
                    MemorySegment mine = arena.allocate(4L * count, 4);
                    MemorySegment all = arena.allocate(4L * count * size, 4);
                    fill(mine, 10 * rank);
                    MPI.COMM_WORLD.Allgather(mine, 0, count, MPI.INT, all, 0, count, MPI.INT);
                    int[] expected = new int[count * size];
                    for (int at = 0; at < expected.length; at++) {
                        expected[at] = 10 * (at / count) + at % count;
                    }
                    assertThat(contents(all)).isEqualTo(expected);
                    MPI.COMM_WORLD.Allreduce(MPI.IN_PLACE, 0, mine, 0, count, MPI.INT, MPI.SUM);
                    int[] sums = new int[count];
                    Arrays.setAll(sums, at -> 30 + 3 * at);
                    assertThat(contents(mine)).isEqualTo(sums);
                }
            }
        });
    }

    /** As for arrays: what is in the way of the result is copied first. */
    @Test
    void sendAndReceiveBuffersThatOverlap() {
        Ranks.run(2, (rank, size) -> {
            int count = 5000;
            ByteBuffer memory = ByteBuffer.allocateDirect(8 * count).order(ByteOrder.nativeOrder());
            fill(memory, rank);
            MPI.COMM_WORLD.Allreduce(memory, 0, memory.asIntBuffer(), 7, count, MPI.INT, MPI.SUM);
            int[] expected = new int[2 * count];
            Arrays.setAll(expected, at -> at >= 7 && at < 7 + count ? 2 * (at - 7) + 1 : rank + at);
            assertThat(contents(memory)).isEqualTo(expected);

            int[] array = new int[2 * count];
            fill(array, rank);
            MPI.COMM_WORLD.Alltoall(IntBuffer.wrap(array), 0, count, MPI.INT, array, 0, count, MPI.INT);
            Arrays.setAll(expected, at -> at / count + rank * count + at % count);
            assertThat(array).isEqualTo(expected);
        });
    }

    @Test
    void wrongMemoryIsNamed() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            ByteBuffer small = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
            assertThatThrownBy(() -> world.Allgather(small, 0, 4, MPI.INT, small, 0, 4, MPI.INT))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.COUNT))
                    .hasMessageContaining("not within the buffer of 4 elements");
            assertThatThrownBy(
                            () -> world.Bcast(small.asReadOnlyBuffer().order(small.order()), 0, 4, MPI.INT, 1 - rank))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.BUFFER))
                    .hasMessageContaining("can only be read");
            assertThatThrownBy(() -> world.Ibcast(IntBuffer.allocate(4), 0, 4, MPI.DOUBLE, 0))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TYPE))
                    .hasMessageContaining("IntBuffer");
            assertThatThrownBy(() -> world.Bcast(small, 0, 4, MPI.BOOLEAN, 0))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("boolean");
            world.Barrier();
        });
    }
}
