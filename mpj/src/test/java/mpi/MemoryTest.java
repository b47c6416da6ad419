package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

/** Messages in memory that is no array: that of {@link MPI#allocate}, segments, and buffers of {@code java.nio}. */
class MemoryTest {
    private static final int SHORT = 10;
    private static final int LONG = 30_000;

    static final int KINDS = 10;

    /** A buffer of {@code elements} ints. */
    static Object buffer(int kind, int elements) {
        ByteOrder order = ByteOrder.nativeOrder();
        return switch (kind) {
            case 0 -> new int[elements];
            case 1 -> MPI.allocate(4L * elements);
            case 2 -> MPI.allocate(4L * elements).segment();
            case 3 -> MPI.allocate(4L * elements).buffer();
            case 4 -> Arena.ofAuto().allocate(4L * elements);
            case 5 -> MemorySegment.ofArray(new int[elements]);
            case 6 -> ByteBuffer.allocateDirect(4 * elements).order(order);
            case 7 -> ByteBuffer.allocate(4 * elements).order(order);
            case 8 -> ByteBuffer.allocateDirect(4 * elements).order(order).asIntBuffer();
            default -> IntBuffer.allocate(elements);
        };
    }

    private static MemorySegment segment(Object buffer) {
        return switch (buffer) {
            case int[] array -> MemorySegment.ofArray(array);
            case Memory memory -> memory.segment();
            case MemorySegment segment -> segment;
            case ByteBuffer bytes -> MemorySegment.ofBuffer(bytes);
            case IntBuffer ints -> MemorySegment.ofBuffer(ints);
            default -> throw new AssertionError(buffer);
        };
    }

    static void fill(Object buffer, int seed) {
        MemorySegment segment = segment(buffer);
        for (int at = 0; at < segment.byteSize() / 4; at++) {
            segment.setAtIndex(ValueLayout.JAVA_INT_UNALIGNED, at, seed + at);
        }
    }

    static int[] contents(Object buffer) {
        int[] values = new int[(int) segment(buffer).byteSize() / 4];
        MemorySegment.copy(segment(buffer), 0, MemorySegment.ofArray(values), 0, 4L * values.length);
        return values;
    }

    private static int[] expected(int elements, int from, int to, int seed) {
        int[] values = new int[elements];
        for (int at = from; at < to; at++) {
            values[at] = seed + at;
        }
        return values;
    }

    @Test
    void everyKindOfMemoryReachesEveryOther() {
        Ranks.run(2, (rank, size) -> {
            for (int elements : new int[] {SHORT, LONG}) {
                for (int from = 0; from < KINDS; from++) {
                    for (int to = from % 2; to < KINDS; to += 2) {
                        Object buffer = buffer(rank == 0 ? from : to, elements);
                        int seed = 100 * from + to;
                        if (rank == 0) {
                            fill(buffer, seed);
                            MPI.COMM_WORLD.Send(buffer, 2, elements - 3, MPI.INT, 1, 5);
                        } else {
                            Status status = MPI.COMM_WORLD.Recv(buffer, 2, elements - 2, MPI.INT, 0, 5);
                            assertThat(status.Get_count(MPI.INT)).isEqualTo(elements - 3);
                            assertThat(contents(buffer)).isEqualTo(expected(elements, 2, elements - 1, seed));
                        }
                    }
                }
            }
        });
    }

    @Test
    void everyWayToSendAndToReceiveTakesMemory() {
        Ranks.run(2, (rank, size) -> {
            Memory memory = MPI.allocate(4 * LONG);
            MPI.Buffer_attach(ByteBuffer.allocateDirect(8 * LONG));
            Comm world = MPI.COMM_WORLD;
            for (int way = 0; way < 10; way++) {
                if (rank == 0) {
                    fill(memory, way);
                    switch (way) {
                        case 0 -> world.Ssend(memory, 0, LONG, MPI.INT, 1, way);
                        case 1 -> world.Bsend(memory, 0, LONG, MPI.INT, 1, way);
                        case 2 -> world.Rsend(memory, 0, LONG, MPI.INT, 1, way);
                        case 3 -> world.Isend(memory, 0, LONG, MPI.INT, 1, way).Wait();
                        case 4 -> world.Issend(memory, 0, LONG, MPI.INT, 1, way).Wait();
                        case 5 -> world.Ibsend(memory, 0, LONG, MPI.INT, 1, way).Wait();
                        case 6 -> world.Irsend(memory, 0, LONG, MPI.INT, 1, way).Wait();
                        case 7 -> {
                            Prequest send = world.Send_init(memory, 0, LONG, MPI.INT, 1, way);
                            send.Start();
                            send.Wait();
                        }
                        case 8 -> world.Sendrecv(memory, 0, LONG, MPI.INT, 1, way, memory, 0, 0, MPI.INT, 1, way);
                        default -> world.Sendrecv_replace(memory, 0, LONG, MPI.INT, 1, way, 1, way);
                    }
                } else {
                    memory.segment().fill((byte) 0);
                    switch (way) {
                        case 3 -> world.Irecv(memory, 0, LONG, MPI.INT, 0, way).Wait();
                        case 4 ->
                            world.Irecv(memory, 0, LONG, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG)
                                    .Wait();
                        case 7 -> {
                            Prequest receive = world.Recv_init(memory, 0, LONG, MPI.INT, 0, way);
                            receive.Start();
                            receive.Wait();
                        }
                        case 8 -> world.Sendrecv(memory, 0, 0, MPI.INT, 0, way, memory, 0, LONG, MPI.INT, 0, way);
                        case 9 -> world.Sendrecv_replace(memory, 0, LONG, MPI.INT, 0, way, 0, way);
                        default -> world.Recv(memory, 0, LONG, MPI.INT, MPI.ANY_SOURCE, way);
                    }
                    assertThat(contents(memory)).as("way %s", way).isEqualTo(expected(LONG, 0, LONG, way));
                }
                Inside.send(world, new byte[0], 0, 0, MPI.BYTE, 1 - rank, 99, true);
                Inside.receive(world, new byte[0], 0, 0, MPI.BYTE, 1 - rank, 99, true);
            }
            MPI.Buffer_detach();
        });
    }

    @Test
    void datatypesWithGapsLieInMemoryAsInArrays() {
        Ranks.run(2, (rank, size) -> {
            Datatype single = Datatype.Vector(5, 1, 3, MPI.INT);
            Datatype wide = Datatype.Vector(3, 20, 25, MPI.INT);
            Datatype mixed = Datatype.Indexed(new int[] {1, 20, 3}, new int[] {40, 2, 30}, MPI.INT);
            for (Datatype type : new Datatype[] {single, wide, mixed}) {
                int elements = 2 * type.Extent() + 100;
                int[] array = new int[elements];
                Memory memory = MPI.allocate(4L * elements);
                if (rank == 0) {
                    fill(memory, 1000);
                    MPI.COMM_WORLD.Send(memory, 1, 2, type, 1, 0);
                    MPI.COMM_WORLD.Send(contents(memory), 1, 2, type, 1, 0);
                    MPI.COMM_WORLD.Send(memory, 1, type.Size() + 1, MPI.INT, 1, 0);
                } else {
                    MPI.COMM_WORLD.Recv(array, 1, 2, type, 0, 0);
                    MPI.COMM_WORLD.Recv(memory, 1, 2, type, 0, 0);
                    assertThat(Arrays.stream(array).filter(each -> each != 0).count())
                            .isEqualTo(2L * type.Size());
                    assertThat(contents(memory)).isEqualTo(array);
                    Memory part = MPI.allocate(4L * elements); // an item and a part of the next one
                    assertThat(MPI.COMM_WORLD.Recv(part, 0, 2, type, 0, 0).Get_elements(MPI.INT))
                            .isEqualTo(type.Size() + 1);
                    assertThat(Arrays.stream(contents(part))
                                    .filter(each -> each != 0)
                                    .count())
                            .isEqualTo(type.Size() + 1L);
                }
            }
        });
    }

    @Test
    void positionsMeanNothingAndStayAndLimitsHold() {
        Ranks.run(1, (rank, size) -> {
            ByteBuffer buffer = MPI.allocate(40).buffer();
            buffer.put(7, (byte) 9).position(5).limit(20);
            byte[] received = new byte[4];
            MPI.COMM_WORLD.Isend(buffer, 7, 1, MPI.BYTE, 0, 0);
            assertThat(MPI.COMM_WORLD.Recv(received, 0, 4, MPI.BYTE, 0, 0).Get_count(MPI.BYTE))
                    .isEqualTo(1);
            assertThat(received[0]).isEqualTo((byte) 9);
            assertThat(buffer.position()).isEqualTo(5);
            fails("items of MPI.BYTE", () -> MPI.COMM_WORLD.Send(buffer, 7, 14, MPI.BYTE, 0, 0));
            fails("not within the buffer", () -> MPI.COMM_WORLD.Send(buffer, 21, 0, MPI.BYTE, 0, 0));
        });
    }

    private static void fails(String words, ThrowingCallable call) {
        assertThatExceptionOfType(MPIException.class).isThrownBy(call).withMessageContaining(words);
    }

    @Test
    void whatCannotBeABufferIsNamed() {
        Ranks.run(1, (rank, size) -> {
            Comm world = MPI.COMM_WORLD;
            ByteBuffer bytes = ByteBuffer.allocateDirect(80);
            fails("BIG_ENDIAN", () -> world.Send(bytes.order(ByteOrder.BIG_ENDIAN), 0, 1, MPI.INT, 0, 0));
            fails("IntBuffer", () -> world.Send(IntBuffer.allocate(10), 0, 1, MPI.FLOAT, 0, 0));
            fails("boolean[]", () -> world.Send(MPI.allocate(8), 0, 1, MPI.BOOLEAN, 0, 0));
            fails("an array", () -> world.Send(IntBuffer.allocate(10), 0, 1, MPI.OBJECT, 0, 0));
            fails("only be read", () -> world.Irecv(bytes.asReadOnlyBuffer(), 0, 1, MPI.BYTE, 0, 0));
            fails("only be read", () -> world.Recv(Arena.global().allocate(8).asReadOnly(), 0, 1, MPI.LONG, 0, 0));
            fails("3 items of MPI.LONG", () -> world.Send(MPI.allocate(23), 0, 3, MPI.LONG, 0, 0));
            fails("at least 1 byte", () -> MPI.allocate(0));
            fails("no " + Long.MAX_VALUE / 2 + " bytes", () -> MPI.allocate(Long.MAX_VALUE / 2));
            world.Isend(bytes.asReadOnlyBuffer(), 0, 1, MPI.BYTE, 0, 0);
            assertThat(world.Recv(bytes, 0, 1, MPI.BYTE, 0, 0).Get_count(MPI.BYTE))
                    .isEqualTo(1);
        });
    }

    @Test
    void memoryIsGivenBackByItsOwnerOrAtTheEnd() {
        Ranks.runBare(1, (rank, size) -> {
            fails("has", () -> MPI.allocate(1)); // not yet, or no longer
            MPI.Init(new String[0]);
            Memory closed = MPI.allocate(100);
            Memory forgotten = MPI.allocate(100);
            assertThat(closed.segment().mismatch(MemorySegment.ofArray(new byte[100])))
                    .isEqualTo(-1);
            closed.close();
            closed.close();
            assertThat(closed.segment().scope().isAlive()).isFalse();
            fails("given back", () -> MPI.COMM_WORLD.Send(closed, 0, 1, MPI.BYTE, 0, 0));
            assertThat(forgotten.segment().scope().isAlive()).isTrue();
            MPI.Finalize();
            assertThat(forgotten.segment().scope().isAlive()).isFalse();
            forgotten.close();
        });
    }
}
