package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.harness.Ranks;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

class LifecycleTest {
    @Test
    void aRankMayJoinAndLeaveAgainAndAgain() {
        Ranks.runBare(3, (rank, size) -> {
            assertThat(MPI.Initialized()).isFalse();
            for (int round = 0; round < 5; round++) {
                String[] arguments = {"a", "b"};
                assertThat(MPI.Init(arguments)).containsExactly("a", "b");
                assertThat(MPI.Initialized()).isTrue();
                assertThat(MPI.Finalized()).isFalse();
                assertThat(MPI.COMM_WORLD.Size()).isEqualTo(size);
                assertThat(MPI.COMM_WORLD.Rank()).isEqualTo(rank);
                int[] sum = new int[1];
                MPI.COMM_WORLD.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                assertThat(sum[0]).isEqualTo(3);
                MPI.Finalize();
                assertThat(MPI.Initialized()).isFalse();
                assertThat(MPI.Finalized()).isTrue();
            }
        });
    }

    @Test
    void callsBeforeInitAndAfterFinalizeSayWhatIsMissing() {
        Ranks.runBare(1, (rank, size) -> {
            MPI.Init(new String[0]);
            assertThatThrownBy(() -> MPI.Init(new String[0]))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("initialized already");
            Intracomm world = MPI.COMM_WORLD;
            Intracomm copy = (Intracomm) world.clone();
            MPI.Finalize();
            for (Intracomm each : new Intracomm[] {world, copy, MPI.COMM_WORLD}) {
                assertThatThrownBy(() -> each.Send(new int[1], 0, 1, MPI.INT, 0, 0))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("MPI.Finalize has been called");
                assertThatThrownBy(() -> each.Irecv(new int[1], 0, 1, MPI.INT, 0, 0))
                        .isInstanceOf(MPIException.class);
                assertThatThrownBy(each::Rank).isInstanceOf(MPIException.class);
                assertThatThrownBy(each::Barrier).isInstanceOf(MPIException.class);
                assertThatThrownBy(() -> each.Split(0, 0)).isInstanceOf(MPIException.class);
                assertThatThrownBy(each::clone).isInstanceOf(MPIException.class);
            }
            assertThatThrownBy(MPI::Finalize)
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("MPI.Finalize has been called");
            assertThatThrownBy(() -> MPI.Buffer_attach(new byte[1])).isInstanceOf(MPIException.class);
        });
    }

    @Test
    void theWorldIsNotUsableBeforeInit() {
        // in this test's own copy of the package nobody ever calls Init
        assertThatThrownBy(() -> MPI.COMM_WORLD.Rank())
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("MPI.Init has not been called");
        assertThatThrownBy(() -> MPI.COMM_WORLD.Send(new int[1], 0, 1, MPI.INT, 0, 0))
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("MPI.Init has not been called");
        assertThatThrownBy(MPI::Finalize)
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("MPI.Init has not been called");
        assertThat(MPI.Initialized()).isFalse();
        assertThat(MPI.Finalized()).isFalse();
    }

    @Test
    void threadLevelsAreAllGranted() {
        Ranks.runBare(1, (rank, size) -> {
            assertThat(MPI.InitThread(new String[0], MPI.THREAD_FUNNELED)).isEqualTo(MPI.THREAD_MULTIPLE);
            assertThat(MPI.queryThread()).isEqualTo(MPI.THREAD_MULTIPLE);
            assertThat(MPI.isMainThread()).isTrue();
            boolean[] elsewhere = {true};
            Thread other = Thread.ofPlatform().start(() -> elsewhere[0] = MPI.isMainThread());
            other.join();
            assertThat(elsewhere[0]).isFalse();
            MPI.Finalize();
            assertThat(MPI.initThread(MPI.THREAD_MULTIPLE, 0, new String[] {"x"}))
                    .containsExactly("x");
            assertThatThrownBy(() -> MPI.InitThread(new String[0], 9))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("9");
        });
    }

    @Test
    void timeAndPlaceAreKnown() {
        Ranks.run(1, (rank, size) -> {
            double before = MPI.Wtime();
            long nanos = System.nanoTime();
            while (System.nanoTime() - nanos < 1_000_000) {
                Thread.onSpinWait();
            }
            double elapsed = MPI.Wtime() - before;
            assertThat(elapsed).isGreaterThanOrEqualTo(0.001).isLessThan(10);
            assertThat(MPI.Wtick()).isPositive().isLessThanOrEqualTo(1e-6);
            assertThat(MPI.Get_processor_name()).isNotBlank();
        });
    }

    @Test
    @Fault(8)
    void anUnknownDeviceIsNamed() {
        System.setProperty("galerna.device", "carrierpigeon");
        try {
            Ranks.runBare(
                    1,
                    (rank, size) -> assertThatThrownBy(() -> MPI.Init(new String[0]))
                            .isInstanceOf(MPIException.class)
                            .hasMessageContaining("galerna.device")
                            .hasMessageContaining("carrierpigeon"));
        } finally {
            System.clearProperty("galerna.device");
        }
    }

    @Test
    void packedDataAreUnpackedInTheOrderOfPacking() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Datatype gapped = Datatype.Vector(2, 1, 3, MPI.DOUBLE);
            if (rank == 0) {
                byte[] packed = new byte[500];
                int position = world.Pack(new int[] {1, 2, 3}, 1, 2, MPI.INT, packed, 0);
                assertThat(position).isEqualTo(world.Pack_size(2, MPI.INT));
                position = world.Pack(new double[] {1, 2, 3, 4}, 0, 1, gapped, packed, position);
                position = world.Pack(new boolean[] {true, false}, 0, 2, MPI.BOOLEAN, packed, position);
                position = world.Pack(new Object[] {"text"}, 0, 1, MPI.OBJECT, packed, position);
                world.Send(packed, 0, position, MPI.PACKED, 1, 0);
                mpjbuf.Buffer buffer = new mpjbuf.Buffer(16);
                position = world.Pack(new long[] {7}, 0, 1, MPI.LONG, buffer, 0);
                assertThat(buffer.getSize()).isEqualTo(8);
                world.Send(buffer, 0, position, MPI.PACKED, 1, 1);
                assertThatThrownBy(() -> world.Pack(new long[3], 0, 3, MPI.LONG, buffer, 0))
                        .isInstanceOf(MPIException.class)
                        .hasMessageContaining("16 bytes");
                assertThatThrownBy(() -> world.Pack_size(1, MPI.OBJECT)).isInstanceOf(MPIException.class);
            } else {
                byte[] packed = new byte[500];
                world.Recv(packed, 0, 500, MPI.PACKED, 0, 0);
                int[] ints = new int[2];
                int position = world.Unpack(packed, 0, ints, 0, 2, MPI.INT);
                assertThat(ints).containsExactly(2, 3);
                double[] doubles = new double[4];
                position = world.Unpack(packed, position, doubles, 0, 1, gapped);
                assertThat(doubles).containsExactly(1, 0, 0, 4);
                boolean[] flags = new boolean[2];
                position = world.Unpack(packed, position, flags, 0, 2, MPI.BOOLEAN);
                assertThat(flags).containsExactly(true, false);
                Object[] objects = new Object[1];
                world.Unpack(packed, position, objects, 0, 1, MPI.OBJECT);
                assertThat(objects[0]).isEqualTo("text");
                mpjbuf.Buffer buffer = new mpjbuf.Buffer(16);
                world.Recv(buffer, 0, 16, MPI.PACKED, 0, 1);
                long[] longs = new long[1];
                world.Unpack(buffer, 0, longs, 0, 1, MPI.LONG);
                assertThat(longs[0]).isEqualTo(7);
            }
        });
    }
}
