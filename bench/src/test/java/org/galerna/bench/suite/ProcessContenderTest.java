package org.galerna.bench.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProcessContenderTest {
    private static final int RANKS = 3;

    /** Ranks that add up what they were told; the answer is the sum over all ranks. */
    static final class Adder {
        private Adder() {}

        public static void main(String[] arguments) throws Exception {
            System.out.println("first line");
            System.out.println("last words of " + arguments[0]);
            Path folder = Path.of(arguments[1]);
            AtomicLong sum = new AtomicLong();
            CyclicBarrier barrier = new CyclicBarrier(RANKS);
            for (int rank = RANKS - 1; rank >= 0; rank--) {
                int mine = rank;
                Thread thread = Thread.ofPlatform().start(() -> {
                    try {
                        ContenderServer.serve(folder, mine, command -> answer(command, mine, sum, barrier));
                    } catch (IOException broken) {
                        Runtime.getRuntime().halt(9);
                    }
                });
                if (rank == 0) {
                    thread.join();
                }
            }
        }

        private static Answer answer(Command command, int rank, AtomicLong sum, CyclicBarrier barrier)
                throws IOException {
            if (command.benchmark().equals("die") && rank == 1) {
                Runtime.getRuntime().halt(7);
            }
            if (!command.benchmark().equals("percentiles sum")
                    && !command.benchmark().equals("die")) {
                return Answer.unknown(command);
            }
            try {
                barrier.await();
                sum.addAndGet((rank + 1) * command.bytes() * command.iterations() + command.window());
                barrier.await();
                long total = sum.get();
                barrier.await();
                sum.set(0);
                return Answer.of((double) total, 0.5);
            } catch (InterruptedException | BrokenBarrierException broken) {
                throw new IOException(broken);
            }
        }
    }

    private static ProcessContender start(String name) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Adder.class.getName(),
                name);
        return ProcessContender.start(name, "", RANKS, command, Map.of());
    }

    @Test
    void everyRankGetsEveryCommandAndRankZeroAnswers() {
        try (ProcessContender contender = start("adder")) {
            assertThat(contender.run(new Command("percentiles sum", 10, 20, 3))).isEqualTo(Answer.of(1209, 0.5));
            assertThat(contender.run(List.of(
                            new Command("percentiles sum", 1, 1, 0),
                            new Command("percentiles sum", 2, 1, 0),
                            new Command("percentiles sum", 3, 1, 0))))
                    .containsExactly(Answer.of(6, 0.5), Answer.of(12, 0.5), Answer.of(18, 0.5));
        }
    }

    @Test
    void ranksInJavaAnswerWhenTheyHaveBeenCompiled() {
        try (ProcessContender contender = start("adder")) {
            Command compiled = new Command(Command.COMPILED, 0, 1, 0);
            assertThat(contender.run(List.of(compiled, compiled))).allMatch(Answer.Values.class::isInstance);
        }
    }

    @Test
    void whatTheSystemDoesNotHaveIsRefused() {
        try (ProcessContender contender = start("adder")) {
            assertThat(contender.run(new Command("alltoall", 1, 1, 0)))
                    .isEqualTo(new Answer.Refused("there is no benchmark \"alltoall\" here"));
        }
    }

    @Test
    void theEndOfTheProcessIsReportedWithItsStatusAndItsLastWords() {
        try (ProcessContender contender = start("mortal")) {
            assertThatThrownBy(() -> contender.run(new Command("die", 1, 1, 0)))
                    .isInstanceOf(ContenderException.class)
                    .hasMessageMatching(
                            "mortal has ended at \"die 1 1 0\" with status 7: first line / last words of .*");
        }
    }

    @Test
    void aProgramThatCannotBeStartedIsNamed() {
        assertThatThrownBy(() -> ProcessContender.start("ghost", "", 2, List.of("/no/such/program"), Map.of()))
                .isInstanceOf(ContenderException.class)
                .hasMessageContainingAll("ghost", "/no/such/program");
    }

    @Test
    void nothingIsLeftBehind() {
        ProcessContender contender = start("adder");
        assertThat(contender.folder()).isDirectory();
        contender.close();
        contender.close();
        assertThat(contender.folder()).doesNotExist();
    }
}
