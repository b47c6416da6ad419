package example.ranks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.galerna.ranks.Ranks;
import org.galerna.ranks.RanksResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ranks print. */
@Timeout(60)
class OutputTest {
    private final PrintStream before = System.out;
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @BeforeEach
    void replace() {
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    @AfterEach
    void putBack() {
        System.setOut(before);
    }

    private List<String> lines() {
        return printed.toString(StandardCharsets.UTF_8).lines().sorted().toList();
    }

    @Test
    void outputGoesToThatOfTheJvm() {
        Ranks.of(2).run(world -> System.out.println("rank " + world.Rank()));
        assertThat(lines()).containsExactly("rank 0", "rank 1");
    }

    @Test
    void linesAreLabelled() {
        Ranks.of(2).labelled().run(world -> System.out.println("hello"));
        assertThat(lines()).containsExactly("[0] hello", "[1] hello");
    }

    @Test
    void outputIsCapturedByRank() {
        RanksResult<?> result = Ranks.of(2).captured().tryRun(world -> {
            System.out.println("first [7] of " + world.Rank());
            System.out.print("sec");
            world.Barrier();
            System.out.println("ond");
            System.err.println("error of " + world.Rank());
        });
        assertThat(result.output(0)).containsExactly("first [7] of 0", "second");
        assertThat(result.output(1)).containsExactly("first [7] of 1", "second");
        assertThat(result.errorOutput(1)).containsExactly("error of 1");
        assertThat(lines()).isEmpty();
    }

    @Test
    void capturedOutputIsShownIfTheJobFails() {
        Throwable failure = catchThrowable(() -> Ranks.of(2).captured().run(world -> {
            System.out.println("before");
            world.Barrier();
            throw new IllegalStateException();
        }));
        assertThat(failure).isNotNull();
        assertThat(lines()).containsExactly("[0] before", "[1] before");
    }

    @Test
    void jobsAtTheSameTimePrintToTheSameStream() throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(3)) {
            var jobs = List.of("a", "b", "c").stream()
                    .map(name -> pool.submit(() -> Ranks.of(2).run(world -> {
                        for (int i = 0; i < 50; i++) {
                            System.out.println(name + world.Rank());
                            world.Barrier();
                        }
                    })))
                    .toList();
            for (var job : jobs) {
                job.get();
            }
        }
        assertThat(lines()).hasSize(300);
        assertThat(lines().stream().distinct()).containsExactly("a0", "a1", "b0", "b1", "c0", "c1");
    }

    @Test
    void ranksOfARankPrintToItsStream() {
        RanksResult<?> result = Ranks.of(2)
                .captured()
                .tryRun(outer -> Ranks.of(2).labelled().run(inner -> System.out.println("inner")));
        assertThat(result.output(1)).containsExactlyInAnyOrder("[0] inner", "[1] inner");
    }
}
