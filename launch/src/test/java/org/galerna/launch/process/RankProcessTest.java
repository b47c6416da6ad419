package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.galerna.launch.rendezvous.Message;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of processes that compute, where they are more than the processors, and where they are not. */
final class RankProcessTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int CROWD = 3 * Runtime.getRuntime().availableProcessors() + 1;

    /** Starts another process, computes until it is told to end, and says goodbye. */
    private static final String PROGRAM = """
            sleep 600 &
            echo child $!
            trap 'echo goodbye; exit 3' TERM
            echo ready
            while :; do :; done
            """;

    @TempDir
    Path folder;

    private final Queue<Message> output = new ConcurrentLinkedQueue<>();
    private final List<RankProcess> all = new ArrayList<>();

    @AfterEach
    void kill() {
        RankProcess.kill(all);
    }

    private void start(int number) throws IOException, InterruptedException {
        for (int rank = 0; rank < number; rank++) {
            List<String> command = List.of("sh", "-c", PROGRAM);
            all.add(RankProcess.start(rank, command, folder, RankProcess.Input.NONE, output::add));
        }
        int begun = all.size();
        Deadline.after(LONGEST).await("all have begun", () -> count("ready") == begun);
    }

    private String text() {
        return output.stream()
                .map(message -> new String(message.body(), StandardCharsets.UTF_8))
                .collect(Collectors.joining());
    }

    private long count(String line) {
        return text().lines().filter(line::equals).count();
    }

    private List<ProcessHandle> children() {
        return text().lines()
                .filter(line -> line.startsWith("child "))
                .map(line -> ProcessHandle.of(Long.parseLong(line.substring("child ".length()))))
                .flatMap(Optional::stream)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void endInOrderWithWhatTheyHaveStarted(int number) throws Exception {
        start(number);
        List<ProcessHandle> children = children();
        assertThat(children).hasSize(number);

        RankProcess.end(all, LONGEST, () -> {});

        all.forEach(each -> {
            assertThat(each.await()).isEqualTo(3);
            each.awaitOutput();
        });
        assertThat(count("goodbye")).isEqualTo(number);
        Deadline.after(LONGEST)
                .await("no child is left", () -> children.stream().noneMatch(ProcessHandle::isAlive));
    }

    @Test
    void endInOrderWhileNobodyHearsThatTheJobIsOver() throws Exception {
        start(CROWD);
        CountDownLatch never = new CountDownLatch(1);

        RankProcess.end(all, LONGEST, () -> {
            try {
                never.await();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt();
            }
        });

        assertThat(all).allMatch(each -> each.await() == 3);
        never.countDown();
    }

    @Test
    void oneThatDoesNotEndIsKilledAndTheOthersAreNot() throws Exception {
        List<String> stubborn = List.of("sh", "-c", "trap '' TERM; echo ready; while :; do :; done");
        all.add(RankProcess.start(0, stubborn, folder, RankProcess.Input.NONE, output::add));
        start(CROWD - 1);

        RankProcess.end(all, Duration.ofSeconds(3), () -> {});

        assertThat(all.getFirst().await()).isEqualTo(137);
        assertThat(all.subList(1, CROWD)).allMatch(each -> each.await() == 3);
    }
}
