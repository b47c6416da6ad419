package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

class DatatypeTest {
    @Test
    void basicTypesHaveTheCodesOfMpjExpress() {
        Datatype[] types = {
            MPI.NULL,
            MPI.BYTE,
            MPI.CHAR,
            MPI.SHORT,
            MPI.BOOLEAN,
            MPI.INT,
            MPI.LONG,
            MPI.FLOAT,
            MPI.DOUBLE,
            MPI.PACKED,
            MPI.LB,
            MPI.UB,
            MPI.OBJECT
        };
        for (int code = 0; code < types.length; code++) {
            assertThat(types[code].getType()).isEqualTo(code);
            assertThat(types[code].baseType).isEqualTo(code);
        }
        assertThat(MPI.INT.getByteSize()).isEqualTo(4);
        assertThat(MPI.INT2.getByteSize()).isEqualTo(8);
        assertThat(MPI.INT2.getType()).isEqualTo(5);
        assertThat(MPI.INT.Extent()).isEqualTo(1);
        assertThat(MPI.DOUBLE2.Extent()).isEqualTo(2);
    }

    @Test
    void extentsAndSizesAreInElements() {
        check(Datatype.Vector(3, 2, 4, MPI.DOUBLE), 8, 6, 0, 10);
        check(Datatype.Hvector(3, 2, 5, MPI.INT2), 5, 12, 0, 14);
        check(Datatype.Contiguous(4, MPI.INT2), 5, 8, 0, 8);
        check(Datatype.Indexed(new int[] {2, 1}, new int[] {0, 5}, MPI.INT), 5, 3, 0, 6);
        check(Datatype.Indexed(new int[] {1, 1}, new int[] {2, 1}, MPI.INT2), 5, 4, 2, 6);
        check(Datatype.Hindexed(new int[] {1, 1}, new int[] {4, 1}, MPI.INT2), 5, 4, 1, 6);
        check(
                Datatype.Struct(
                        new int[] {1, 1, 1}, new int[] {0, 2, 8}, new Datatype[] {MPI.SHORT, MPI.SHORT2, MPI.UB}),
                3,
                3,
                0,
                8);
    }

    private static void check(Datatype type, int base, int size, int lower, int upper) {
        assertThat(type.getType()).isEqualTo(base);
        assertThat(type.Size()).isEqualTo(size);
        assertThat(type.Lb()).isEqualTo(lower);
        assertThat(type.Ub()).isEqualTo(upper);
        assertThat(type.Extent()).isEqualTo(upper - lower);
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertThatThrownBy(() -> Datatype.Contiguous(-1, MPI.INT))
                .isInstanceOfSatisfying(
                        MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.COUNT))
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> Datatype.Vector(1, -1, 1, MPI.INT)).isInstanceOf(MPIException.class);
        assertThatThrownBy(() -> Datatype.Contiguous(1, null)).isInstanceOf(MPIException.class);
        assertThatThrownBy(() -> Datatype.Vector(1, 1, 1, null)).isInstanceOf(MPIException.class);
        assertThatThrownBy(() -> Datatype.Indexed(new int[1], new int[2], MPI.INT))
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("1 block lengths but 2 displacements");
        assertThatThrownBy(
                        () -> Datatype.Struct(new int[] {1, 1}, new int[] {0, 1}, new Datatype[] {MPI.INT, MPI.DOUBLE}))
                .isInstanceOfSatisfying(
                        MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TYPE));
        assertThatThrownBy(() -> Datatype.Vector(Integer.MAX_VALUE, 2, 2, MPI.INT))
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("more than 2147483647 elements or bytes");
        for (ThrowingCallable tooLarge : List.<ThrowingCallable>of(
                () -> Datatype.Contiguous(1 << 30, MPI.INT),
                () -> Datatype.Vector(1 << 20, 1 << 10, 1 << 10, MPI.INT),
                () -> Datatype.Indexed(new int[] {1 << 30}, new int[1], MPI.INT),
                () -> Datatype.Struct(new int[] {1 << 30}, new int[1], new Datatype[] {MPI.INT}))) {
            assertThatThrownBy(tooLarge)
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("an item of 1073741824 elements has 4294967296 bytes");
        }
        Datatype freed = Datatype.Contiguous(2, MPI.INT);
        freed.free();
        for (ThrowingCallable ofFreed : List.<ThrowingCallable>of(
                () -> Datatype.Contiguous(1, freed),
                () -> Datatype.Vector(1, 1, 1, freed),
                () -> Datatype.Indexed(new int[1], new int[1], freed),
                () -> Datatype.Struct(new int[] {1, 1}, new int[2], new Datatype[] {MPI.INT, freed}))) {
            assertThatThrownBy(ofFreed)
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TYPE))
                    .hasMessageContaining("freed");
        }
        assertThatThrownBy(() -> Datatype.Contiguous(1, MPI.UB)).isInstanceOf(MPIException.class);
    }

    /** A structure without members has no base type either, and goes with any buffer. */
    @Test
    void nothingCanBeSent() {
        Ranks.run(2, (rank, size) -> {
            Datatype nothing = Datatype.Struct(new int[0], new int[0], new Datatype[0]);
            assertThat(nothing.Size()).isZero();
            int[] data = {7};
            if (rank == 0) {
                MPI.COMM_WORLD.Send(data, 0, 100, nothing, 1, 0);
                MPI.COMM_WORLD.Send(data, 0, 100, Datatype.Contiguous(0, MPI.INT), 1, 0);
                MPI.COMM_WORLD.Isend(new double[3], 2, 1, Datatype.Contiguous(3, nothing), 1, 0)
                        .Wait();
            } else {
                for (int each = 0; each < 3; each++) {
                    Status status = MPI.COMM_WORLD.Recv(data, 0, 100, nothing, 0, 0);
                    assertThat(status.Get_count(nothing)).isZero();
                    assertThat(status.Get_elements(nothing)).isZero();
                    assertThat(data).containsExactly(7);
                }
            }
            MPI.COMM_WORLD.Bcast(data, 0, 5, nothing, 0);
            assertThatThrownBy(() -> MPI.COMM_WORLD.Bcast(data, 0, 1, MPI.UB, 0))
                    .isInstanceOf(MPIException.class);
        });
    }

    @Test
    void gridsAreBalanced() {
        assertThat(dims(6, 0, 0)).containsExactly(3, 2);
        assertThat(dims(12, 0, 0, 0)).containsExactly(3, 2, 2);
        assertThat(dims(16, 0, 0)).containsExactly(4, 4);
        assertThat(dims(6, 3, 0)).containsExactly(3, 2);
        assertThat(dims(7, 0, 0)).containsExactly(7, 1);
        assertThat(dims(64, 0, 0, 0)).containsExactly(4, 4, 4);
        assertThat(dims(1, 0)).containsExactly(1);
        assertThat(dims(24, 0, 2, 0)).containsExactly(4, 2, 3);
        assertThatThrownBy(() -> dims(7, 2, 0))
                .isInstanceOfSatisfying(
                        MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.DIMS));
        assertThatThrownBy(() -> dims(7, 2, 3)).isInstanceOf(MPIException.class);
    }

    private static int[] dims(int nodes, int... dims) {
        Cartcomm.Dims_create(nodes, dims);
        return dims;
    }
}
