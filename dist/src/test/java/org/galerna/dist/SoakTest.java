package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.BindTo;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobMain;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.ImitatedAdapter;
import org.galerna.testkit.process.RankProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Processes that talk for long: every byte is right, memory does not grow, and nothing is left. The system property
 * {@code galerna.soak.seconds} says how long, 600 unless set.
 */
@Tag("slow")
class SoakTest {
    private static final int SECONDS = Integer.getInteger("galerna.soak.seconds", 600);
    private static final Duration SLACK = Duration.ofSeconds(60);
    private static final long GROWTH_KIB = 32 * 1024;

    @Fault(
            value = {16, 27, 29},
            on = {Where.SHM, Where.TCP})
    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void nothingIsLostAndMemoryIsFlat() throws Exception {
        String seed = String.valueOf(Seeds.next("nothingIsLostAndMemoryIsFlat"));
        Path folder = Files.createTempDirectory(Path.of("/dev/shm"), "galerna-test");
        try (RankProcesses shared = start("shmdev", folder, seed);
                RankProcesses sockets = start("niodev", folder, seed)) {
            for (RankProcesses job : List.of(shared, sockets)) {
                for (int rank = 0; rank < 2; rank++) {
                    ChildProcess process = job.rank(rank);
                    int status = process.awaitExit(SLACK.plusSeconds(SECONDS));
                    assertThat(status).as(process.err()).isZero();
                    assertThat(process.out()).contains(" rounds, ");
                    System.out.println(process.out().lines().toList().getLast());
                    memoryIsFlat(process);
                }
            }
        } finally {
            // fails if anything is left
            Files.delete(folder);
        }
    }

    private static RankProcesses start(String device, Path folder, String seed) {
        // the heap is there from the start, so that what grows is something else
        List<String> options = List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xms128m",
                "-Xmx128m",
                "-XX:+AlwaysPreTouch",
                "-Dgalerna.device=" + device,
                "-Dgalerna.shm.folder=" + folder);
        return RankProcesses.start(2, options, SoakProgram.class, String.valueOf(SECONDS), seed);
    }

    @Fault(
            value = {27, 29},
            on = Where.THREADS)
    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void nothingIsLostBetweenThreadsAndTheirMemoryIsFlat() throws Exception {
        threadsSoak("nothingIsLostBetweenThreadsAndTheirMemoryIsFlat");
    }

    /** With an imitation of the adapter, which loses nothing by itself and is as fast as memory. */
    @Fault(
            value = {27, 29},
            on = Where.VERBS)
    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void nothingIsLostOverVerbsAndMemoryIsFlat() throws Exception {
        String library = ImitatedAdapter.compile().toString();
        threadsSoak(
                "nothingIsLostOverVerbsAndMemoryIsFlat",
                "-Dgalerna.device=ibvdev",
                "-Dgalerna.verbs.library=" + library,
                "-Dgalerna.verbs.cm.library=" + library);
    }

    private static void threadsSoak(String test, String... more) throws InterruptedException {
        String seed = String.valueOf(Seeds.next(test));
        try (ChildProcess threads = startThreads(seed, List.of(more))) {
            int status = threads.awaitExit(SLACK.plusSeconds(SECONDS));
            assertThat(status).as(threads.err()).isZero();
            assertThat(threads.out().lines().filter(line -> line.contains(" rounds, ")))
                    .hasSize(2);
            System.out.println(threads.out().lines().toList().getLast());
            memoryIsFlat(threads);
        }
    }

    /** Both ranks in one JVM. */
    private static ChildProcess startThreads(String seed, List<String> more) {
        JobDescription job = new JobDescription(
                2,
                System.getProperty("java.class.path"),
                SoakProgram.class.getName(),
                List.of(String.valueOf(SECONDS), seed),
                Optional.empty(),
                false,
                BindTo.NONE,
                false,
                Duration.ZERO,
                Duration.ZERO,
                OptionalLong.empty());
        List<String> options = new ArrayList<>(
                List.of("--enable-native-access=ALL-UNNAMED", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"));
        options.addAll(more);
        return ChildProcess.start(ChildProcess.java(options, JobMain.class, job.toArguments()));
    }

    private static void memoryIsFlat(ChildProcess process) {
        List<Long> resident = process.out()
                .lines()
                .filter(line -> line.startsWith("resident "))
                .map(line -> Long.valueOf(line.substring("resident ".length())))
                .toList();
        int half = resident.size() / 2;
        assertThat(half).as("samples of memory").isPositive();
        long before = resident.subList(0, half).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
        long after = resident.subList(half, resident.size()).stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
        System.out.println("resident set in KiB: first half at most " + before + ", second half " + after);
        assertThat(after).as("resident set in KiB").isLessThan(before + GROWTH_KIB);
    }
}
