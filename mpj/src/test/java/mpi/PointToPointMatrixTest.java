package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import org.galerna.harness.Ranks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every mode and kind of call with every datatype, with and without wildcards, for sizes around the eager limit. */
class PointToPointMatrixTest {
    /** The datatypes, in the order in which they are tried. */
    static final String[] TYPES = {
        "BYTE",
        "CHAR",
        "SHORT",
        "BOOLEAN",
        "INT",
        "LONG",
        "FLOAT",
        "DOUBLE",
        "PACKED",
        "OBJECT",
        "SHORT2",
        "INT2",
        "LONG2",
        "FLOAT2",
        "DOUBLE2",
        "vector of DOUBLE",
        "vector of BOOLEAN",
        "indexed of INT",
        "vector of OBJECT",
        "vectors of FLOAT side by side",
        "bounded run of SHORT",
        "triangle of LONG"
    };

    private static final int OFFSET = 3;

    enum Mode {
        STANDARD,
        SYNCHRONOUS,
        BUFFERED,
        READY
    }

    enum Kind {
        BLOCKING,
        NONBLOCKING,
        PERSISTENT
    }

    static Datatype type(String name) throws ReflectiveOperationException {
        return switch (name) {
            case "vector of DOUBLE" -> Datatype.Vector(3, 2, 5, MPI.DOUBLE);
            case "vector of BOOLEAN" -> Datatype.Vector(2, 1, 3, MPI.BOOLEAN);
            case "indexed of INT" -> Datatype.Indexed(new int[] {1, 3}, new int[] {4, 0}, MPI.INT);
            case "vector of OBJECT" -> Datatype.Vector(2, 1, 2, MPI.OBJECT);
            case "vectors of FLOAT side by side" ->
                Datatype.Contiguous(2, Datatype.Hvector(2, 1, 3, Datatype.Vector(2, 1, 2, MPI.FLOAT)));
            case "bounded run of SHORT" ->
                Datatype.Struct(new int[] {1, 2, 1}, new int[] {0, 1, 5}, new Datatype[] {MPI.LB, MPI.SHORT, MPI.UB});
            case "triangle of LONG" -> Datatype.Hindexed(new int[] {3, 2, 1}, new int[] {0, 4, 8}, MPI.LONG);
            default -> (Datatype) MPI.class.getField(name).get(null);
        };
    }

    /** Elements that depend on the position. */
    static Object buffer(Datatype type, int elements, int start) {
        Object array = Inside.element(type).newArray(elements);
        for (int i = 0; i < elements; i++) {
            int value = start + 7 * i;
            switch (array) {
                case byte[] bytes -> bytes[i] = (byte) value;
                case char[] chars -> chars[i] = (char) value;
                case short[] shorts -> shorts[i] = (short) value;
                case boolean[] booleans -> booleans[i] = start != 0 && value % 3 == 1;
                case int[] ints -> ints[i] = value;
                case long[] longs -> longs[i] = value * 10_000_000_000L;
                case float[] floats -> floats[i] = value + 0.5f;
                case double[] doubles -> doubles[i] = value + 0.25;
                case Object[] objects -> objects[i] = "object " + value;
                default -> throw new AssertionError();
            }
        }
        return array;
    }

    /** What is in {@code target} after {@code count} items of {@code source} were received, both at the offset. */
    private static Object expected(Datatype type, Object source, Object target, int count) {
        Object result = Inside.element(type).newArray(Array.getLength(target));
        System.arraycopy(target, 0, result, 0, Array.getLength(target));
        Object packed = Inside.element(type).newArray(count * type.Size());
        Inside.layout(type).gather(source, OFFSET, count, packed, 0);
        Inside.layout(type).scatter(packed, 0, count * type.Size(), result, OFFSET);
        return result;
    }

    private static Prequest persistent(
            Mode mode, Comm comm, Object buffer, int count, Datatype type, int dest, int tag) {
        return switch (mode) {
            case STANDARD -> comm.Send_init(buffer, OFFSET, count, type, dest, tag);
            case SYNCHRONOUS -> comm.Ssend_init(buffer, OFFSET, count, type, dest, tag);
            case BUFFERED -> comm.Bsend_init(buffer, OFFSET, count, type, dest, tag);
            case READY -> comm.Rsend_init(buffer, OFFSET, count, type, dest, tag);
        };
    }

    private static void send(Mode mode, Kind kind, Comm comm, Object buffer, int count, Datatype type, int tag) {
        switch (kind) {
            case BLOCKING -> {
                switch (mode) {
                    case STANDARD -> comm.Send(buffer, OFFSET, count, type, 1, tag);
                    case SYNCHRONOUS -> comm.Ssend(buffer, OFFSET, count, type, 1, tag);
                    case BUFFERED -> comm.Bsend(buffer, OFFSET, count, type, 1, tag);
                    case READY -> comm.Rsend(buffer, OFFSET, count, type, 1, tag);
                }
            }
            case NONBLOCKING -> {
                Request request = switch (mode) {
                    case STANDARD -> comm.Isend(buffer, OFFSET, count, type, 1, tag);
                    case SYNCHRONOUS -> comm.Issend(buffer, OFFSET, count, type, 1, tag);
                    case BUFFERED -> comm.Ibsend(buffer, OFFSET, count, type, 1, tag);
                    case READY -> comm.Irsend(buffer, OFFSET, count, type, 1, tag);
                };
                request.Wait();
                assertThat(request.Is_null()).isTrue();
            }
            case PERSISTENT -> {
                Prequest request = persistent(mode, comm, buffer, count, type, 1, tag);
                request.Start();
                request.Wait();
                request.Start();
                request.Wait();
                assertThat(request.Is_null()).isFalse();
                request.Free();
            }
        }
    }

    private static void receive(
            Kind kind, boolean wildcard, Comm comm, Object source, int elements, int count, Datatype type, int tag) {
        int from = wildcard ? MPI.ANY_SOURCE : 0;
        int wanted = wildcard ? MPI.ANY_TAG : tag;
        Object target = buffer(type, elements, 0);
        Object expected = expected(type, source, target, count);
        // room for one item more than arrives
        switch (kind) {
            case BLOCKING -> check(comm.Recv(target, OFFSET, count + 1, type, from, wanted), count, type, tag);
            case NONBLOCKING ->
                check(comm.Irecv(target, OFFSET, count + 1, type, from, wanted).Wait(), count, type, tag);
            case PERSISTENT -> {
                Prequest request = comm.Recv_init(target, OFFSET, count + 1, type, from, wanted);
                request.Start();
                check(request.Wait(), count, type, tag);
                assertThat(target).isEqualTo(expected);
                request.Start();
                check(request.Wait(), count, type, tag);
            }
        }
        assertThat(target).as(type + ", " + count + " items").isEqualTo(expected);
    }

    private static void check(Status status, int count, Datatype type, int tag) {
        assertThat(status.source).isZero();
        assertThat(status.tag).isEqualTo(tag);
        assertThat(status.Get_count(type)).isEqualTo(count);
        assertThat(status.Get_elements(type)).isEqualTo(count * type.Size());
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyKindAndDatatypeArrives(Mode mode) {
        String name = mode.name(); // the rank has an enumeration of its own
        Ranks.run(2, (rank, size) -> {
            Comm comm = MPI.COMM_WORLD;
            Mode each = Mode.valueOf(name);
            if (each == Mode.BUFFERED) {
                MPI.Buffer_attach(ByteBuffer.allocateDirect(4_000_000));
            }
            int tag = 0;
            for (String typeName : TYPES) {
                Datatype type = type(typeName);
                for (Kind kind : Kind.values()) {
                    for (int count : new int[] {0, 1, 5, 1023, 1024, 1025, 9000}) {
                        for (boolean wildcard : new boolean[] {false, true}) {
                            int elements = OFFSET + (count + 1) * Math.max(type.Extent(), type.Ub());
                            Object source = buffer(type, elements, 1);
                            if (rank == 0) {
                                send(each, kind, comm, source, count, type, tag);
                            } else {
                                receive(kind, wildcard, comm, source, elements, count, type, tag);
                            }
                            if (each == Mode.BUFFERED) {
                                MPI.COMM_WORLD.Barrier(); // or else the sender fills the buffer
                            }
                            tag++;
                        }
                    }
                }
            }
            if (each == Mode.BUFFERED) {
                MPI.Buffer_detach();
            }
        });
    }
}
