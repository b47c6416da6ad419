package org.galerna.secondface;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.galerna.device.ErrorClass;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.Wireups;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Programs of a second API, on the engine as it is. */
class SecondFaceTest {
    /** What a rank does. */
    private interface Program {
        void run(Mpi mpi) throws Exception;
    }

    /** Runs two ranks. */
    private static void onTwoRanks(Program program) throws Exception {
        List<InProcessWireup> wireups = InProcessWireup.create(2, (rank, _, reason) -> {
            throw new AssertionError("rank " + rank + " ends the job: " + reason);
        });
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<@Nullable Void>> ranks = new ArrayList<>();
            for (InProcessWireup wireup : wireups) {
                ranks.add(threads.submit(() -> runRank(wireup, program)));
            }
            for (Future<@Nullable Void> rank : ranks) {
                rank.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static @Nullable Void runRank(InProcessWireup wireup, Program program) throws Exception {
        ClassLoader loader = new URLClassLoader(new URL[0], SecondFaceTest.class.getClassLoader());
        Wireups.bind(loader, wireup);
        try (Mpi mpi = Mpi.init(loader)) {
            program.run(mpi);
        } finally {
            wireup.close();
            Wireups.unbind(loader);
        }
        return null;
    }

    @Test
    void messagesOfAllSizesArriveWithTheirStatus() throws Exception {
        onTwoRanks(mpi -> {
            Intracomm world = mpi.world;
            int rank = world.getRank();
            assertThat(world.getSize()).isEqualTo(2);
            for (int length : new int[] {0, 1, 1000, 200_000}) {
                int[] numbers = new int[length];
                if (rank == 0) {
                    Arrays.setAll(numbers, each -> each);
                    world.send(numbers, length, Datatype.INT, 1, 7);
                } else {
                    Status status = world.recv(numbers, length, Datatype.INT, Mpi.ANY_SOURCE, Mpi.ANY_TAG);
                    assertThat(status).isEqualTo(new Status(0, 7, 4L * length, false, 0));
                    assertThat(status.getCount(Datatype.INT)).isEqualTo(length);
                    assertThat(length == 0 || numbers[length - 1] == length - 1).isTrue();
                }
            }
        });
    }

    @Test
    void requestsAreWaitedForOneByOneAndTogether() throws Exception {
        onTwoRanks(mpi -> {
            Intracomm world = mpi.world;
            int other = 1 - world.getRank();
            int[] in = new int[3];
            int[] third = new int[1];
            Request[] requests = {
                world.iRecv(in, 1, Datatype.INT, other, 1),
                world.iRecv(third, 1, Datatype.INT, other, 2),
                world.iSend(new int[] {10 + other}, 1, Datatype.INT, other, 1)
            };
            Status[] ended = Request.waitAllStatus(new Request[] {requests[0], requests[2]});
            assertThat(ended[0]).isEqualTo(new Status(other, 1, 4, false, 0));
            assertThat(in[0]).isEqualTo(10 + world.getRank());
            assertThat(requests[1].testStatus()).isNull();
            world.allReduce(new int[1], new int[1], 1, Datatype.INT, Op.SUM); // both have tested
            Request send = world.iSend(new int[] {30}, 1, Datatype.INT, other, 2);
            assertThat(Request.waitAnyStatus(requests).index()).isEqualTo(1);
            assertThat(third).containsExactly(30);
            assertThat(Request.waitAnyStatus(requests).index()).isEqualTo(Mpi.UNDEFINED);
            send.waitFor();
            Request none = world.iRecv(in, 1, Datatype.INT, Mpi.PROC_NULL, Mpi.ANY_TAG);
            assertThat(none.waitStatus()).isEqualTo(new Status(Mpi.PROC_NULL, Mpi.ANY_TAG, 0, false, 0));
            Request vain = world.iRecv(in, 1, Datatype.INT, other, 99);
            vain.cancel();
            assertThat(vain.waitStatus().isCancelled()).isTrue();
        });
    }

    @Test
    void persistentBufferedAndPackedMessagesGoTheSameWay() throws Exception {
        onTwoRanks(mpi -> {
            Intracomm world = mpi.world;
            Datatype column = Datatype.createVector(2, 1, 2, Datatype.DOUBLE);
            double[] cells = world.getRank() == 0 ? new double[] {1, 2, 3, 4} : new double[4];
            if (world.getRank() == 0) {
                Prequest send = world.sendInit(cells, 1, column, 1, 3);
                for (int round = 0; round < 3; round++) {
                    send.start();
                    send.waitFor();
                }
                mpi.attachBuffer(new byte[1000]);
                world.bSend(new int[] {5}, 1, Datatype.INT, 1, 4);
                world.send(new String[] {"an object"}, 1, Datatype.OBJECT, 1, 5);
            } else {
                Prequest receive = world.recvInit(cells, 1, column, 0, 3);
                for (int round = 0; round < 3; round++) {
                    receive.start();
                    assertThat(receive.waitStatus().getCount(column)).isEqualTo(1);
                }
                assertThat(cells).containsExactly(1, 0, 3, 0);
                assertThat(world.probe(0, 4).getCount(Datatype.INT)).isEqualTo(1);
                world.recv(new int[1], 1, Datatype.INT, 0, 4);
                Object[] objects = new Object[1];
                world.recv(objects, 1, Datatype.OBJECT, 0, 5);
                assertThat(objects).containsExactly("an object");
            }
        });
    }

    @Test
    void collectivesAndCommunicatorsOfThemAreCalls() throws Exception {
        onTwoRanks(mpi -> {
            Intracomm world = mpi.world;
            int[] sum = {world.getRank() + 1};
            world.allReduce(Mpi.IN_PLACE, sum, 1, Datatype.INT, Op.SUM);
            assertThat(sum).containsExactly(3);
            Op last = new Op((in, inAt, inOut, inOutAt, count) -> {}, false);
            world.allReduce(new int[] {world.getRank()}, sum, 1, Datatype.INT, last);
            assertThat(sum).containsExactly(1);
            int[] number = {world.getRank() == 1 ? 42 : 0};
            world.iBcast(number, 1, Datatype.INT, 1).waitFor();
            assertThat(number).containsExactly(42);
            Intracomm own = world.split(world.getRank(), 0);
            assertThat(own).isNotNull();
            Comm between = world.createIntercomm(own, 0, 1 - world.getRank(), 1);
            Request request = between.iSend(new int[] {world.getRank()}, 1, Datatype.INT, 0, 0);
            between.recv(number, 1, Datatype.INT, 0, 0);
            request.waitFor();
            assertThat(number).containsExactly(1 - world.getRank());
            own.free();
        });
    }

    @Test
    void anErrorIsTheExceptionOfTheApiAndSpeaksItsWords() throws Exception {
        onTwoRanks(mpi -> {
            Intracomm world = mpi.world;
            assertThatThrownBy(() -> world.send(new int[1], 1, Datatype.INT, 2, 0))
                    .isInstanceOfSatisfying(
                            MpiException.class,
                            wrong -> assertThat(wrong.getErrorClass()).isEqualTo(ErrorClass.RANK))
                    .hasMessageContaining("valid are 0 to 1 and MPI_PROC_NULL")
                    .hasMessageNotContaining("MPI.");
            assertThatThrownBy(() -> world.recv(new int[1], 2, Datatype.INT, Mpi.ANY_SOURCE, Mpi.ANY_TAG))
                    .isInstanceOf(MpiException.class)
                    .hasMessageContaining("from MPI_ANY_SOURCE, tag MPI_ANY_TAG");
            assertThatThrownBy(() -> world.bSend(new int[1], 1, Datatype.INT, 1, 0))
                    .isInstanceOf(MpiException.class)
                    .hasMessageContaining("call attachBuffer before the first one");
            assertThatThrownBy(() -> world.send(Mpi.IN_PLACE, 1, Datatype.INT, 1, 0))
                    .isInstanceOf(MpiException.class)
                    .hasMessageContaining("MPI_IN_PLACE cannot take the place of this buffer");
            assertThatThrownBy(() -> world.allReduce(new int[1], new int[1], 1, Datatype.INT, Op.MAXLOC))
                    .isInstanceOf(MpiException.class)
                    .hasMessageContaining("MPI_MAXLOC needs pairs of a value and a location, such as MPI_2INT");
        });
    }
}
