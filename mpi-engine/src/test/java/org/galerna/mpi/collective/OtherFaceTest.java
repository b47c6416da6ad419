package org.galerna.mpi.collective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.galerna.collectives.reduction.Operator;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.link.wireup.Wireups;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.comm.Creation;
import org.galerna.mpi.comm.Face;
import org.galerna.mpi.datatype.Datatype;
import org.galerna.mpi.datatype.ElementType;
import org.galerna.mpi.datatype.Layout;
import org.galerna.mpi.request.Stage;
import org.galerna.mpi.request.Started;
import org.galerna.mpi.session.Session;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The engine with a face that is not package {@code mpi}: other buffers, other exceptions. */
class OtherFaceTest {
    private static final Datatype NUMBERS = new Datatype("NUMBER", "NUMBER", Layout.of(ElementType.INT), false);
    private static final Operation SUM = Operation.of("SUM", Operator.SUM, "PAIR");

    /** A kind of buffer that only this face has. */
    private record Box(
            @SuppressWarnings("ArrayRecordComponent") int[] numbers) {}

    /** The exception that only this face throws. */
    private static final class Mistake extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Mistake(String call, RuntimeException cause) {
            super(call, cause);
        }
    }

    private static final class BoxFace implements Face {
        @Override
        public RuntimeException failed(String call, RuntimeException failure) {
            return new Mistake(call, failure);
        }

        @Override
        public String nameOf(Word word) {
            return word.name();
        }

        @Override
        public Object memoryOf(Object buffer, @Nullable Datatype type) {
            return buffer instanceof Box box ? box.numbers() : buffer;
        }
    }

    /** Runs two ranks, each with the communicator of both. */
    private static void onTwoRanks(Consumer<Communicator> body) throws Exception {
        List<InProcessWireup> wireups = InProcessWireup.create(2, (rank, _, reason) -> {
            throw new AssertionError("rank " + rank + " ends the job: " + reason);
        });
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<?>> ranks = new ArrayList<>();
            for (InProcessWireup wireup : wireups) {
                ranks.add(threads.submit(() -> runRank(wireup, body)));
            }
            for (Future<?> rank : ranks) {
                rank.get(60, TimeUnit.SECONDS);
            }
        }
    }

    private static void runRank(InProcessWireup wireup, Consumer<Communicator> body) {
        ClassLoader loader = new URLClassLoader(new URL[0], OtherFaceTest.class.getClassLoader());
        Wireups.bind(loader, wireup);
        try {
            Session session = Session.open(loader);
            Communicator world = Communicator.world(session);
            world.face(new BoxFace());
            body.accept(world);
            session.close();
        } finally {
            wireup.close();
            Wireups.unbind(loader);
        }
    }

    @Test
    void aCollectiveTakesBuffersThatOnlyTheFaceHas() throws Exception {
        onTwoRanks(world -> {
            Box sum = new Box(new int[1]);
            Started started = new CollectiveCalls(world, Execution.BLOCKING)
                    .allreduce(new Box(new int[] {world.rank() + 1}), 0, sum, 0, 1, NUMBERS, SUM);
            assertThat(started).isNull();
            assertThat(sum.numbers()).containsExactly(3);
        });
    }

    @Test
    void aCollectiveGoesOnWithoutTheRank() throws Exception {
        onTwoRanks(world -> {
            Box numbers = new Box(new int[] {world.rank() == 1 ? 42 : 0});
            Started started = new CollectiveCalls(world, Execution.NONBLOCKING).bcast(numbers, 0, 1, NUMBERS, 1);
            assertThat(started).isNotNull();
            started.operation().await();
            assertThat(started.stage().finish()).isEqualTo(Stage.Result.NOTHING);
            started.operation().release();
            assertThat(numbers.numbers()).containsExactly(42);
        });
    }

    @Test
    void aFailureIsTheExceptionOfTheFace() throws Exception {
        onTwoRanks(world -> {
            CollectiveCalls calls = new CollectiveCalls(world, Execution.BLOCKING);
            assertThatThrownBy(() -> calls.bcast(new int[1], 0, 1, NUMBERS, 7))
                    .isInstanceOf(Mistake.class)
                    .hasMessageContaining("Bcast on rank " + world.rank() + " of 2, 1 item of NUMBER, root 7")
                    .cause()
                    .hasMessageContaining("there is no rank 7");
        });
    }

    @Test
    void aCommunicatorIsDivided() throws Exception {
        onTwoRanks(world -> {
            Communicator own = Creation.split(world, world.rank(), 0);
            assertThat(own).isNotNull();
            assertThat(own.size()).isEqualTo(1);
            own.free();
            assertThatThrownBy(own::checkUsable).hasMessage("the communicator has been freed");
        });
    }
}
