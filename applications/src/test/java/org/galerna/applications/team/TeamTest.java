package org.galerna.applications.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import mpi.MPI;
import org.galerna.launch.ThreadJob;
import org.junit.jupiter.api.Test;

class TeamTest {
    /** A program: the threads of each rank add, and the ranks too. */
    static final class Sums {
        public static void main(String[] arguments) {
            MPI.Init(arguments);
            int[] shares = new int[100];
            Team.run(MPI.COMM_WORLD, 3, member -> {
                for (int round = 1; round <= 200; round++) {
                    double sum = member.sum(round * (member.index() + 1));
                    if (sum != 6.0 * round * MPI.COMM_WORLD.Size()) {
                        throw new IllegalStateException("round " + round + " gives " + sum);
                    }
                }
                for (int index = member.from(100); index < member.to(100); index++) {
                    shares[index]++;
                }
            });
            if (!Arrays.stream(shares).allMatch(times -> times == 1)) {
                throw new IllegalStateException("a share is not done once");
            }
            MPI.Finalize();
        }
    }

    /** A program: one thread fails while the others wait for it. */
    static final class Failure {
        public static void main(String[] arguments) {
            MPI.Init(arguments);
            assertThatThrownBy(() -> Team.run(MPI.COMM_WORLD, 3, member -> {
                        if (member.index() == 1) {
                            throw new ArithmeticException("on purpose");
                        }
                        member.barrier();
                    }))
                    .isInstanceOf(ArithmeticException.class);
            MPI.Finalize();
        }
    }

    /** A program: the work before what is timed is done equally often everywhere, and at least once and so long. */
    static final class WarmUp {
        public static void main(String[] arguments) {
            MPI.Init(arguments);
            int[] times = new int[2];
            double[] least = new double[1];
            Team.run(MPI.COMM_WORLD, 2, member -> {
                double start = System.nanoTime() * 1e-9;
                member.warmUp(0, () -> {});
                member.warmUp(0.05, () -> times[member.index()]++);
                if (member.isFirst()) {
                    least[0] = System.nanoTime() * 1e-9 - start;
                }
            });
            int[] most = new int[2];
            MPI.COMM_WORLD.Allreduce(times, 0, most, 0, 2, MPI.INT, MPI.MAX);
            if (most[0] < 1 || !Arrays.equals(times, most) || times[0] != times[1] || least[0] < 0.05) {
                throw new IllegalStateException(Arrays.toString(times) + " in " + least[0] + " s");
            }
            MPI.Finalize();
        }
    }

    private static void run(int ranks, Class<?> program) {
        assertThat(ThreadJob.builder()
                        .ranks(ranks)
                        .mainClass(program.getName())
                        .arguments(List.of())
                        .build()
                        .run()
                        .status())
                .isZero();
    }

    @Test
    void everyThreadOfEveryRankKnowsTheSum() {
        run(2, Sums.class);
    }

    @Test
    void allWarmUpEquallyOften() {
        run(2, WarmUp.class);
    }

    @Test
    void theFailureOfOneThreadIsThatOfTheTeam() {
        run(1, Failure.class);
    }
}
