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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Processes that talk for long: every byte is right, memory does not grow, and nothing is left. The system property
 * {@code galerna.soak.seconds} says how long, 600 unless set.
 */
@Tag("slow")
class SoakTest {
    private static final int SECONDS = Integer.getInteger("galerna.soak.seconds", 600);
    private static final Duration SLACK = Duration.ofSeconds(60);
    private static final long GROWTH_KIB = 32 * 1024;
    private static final long GROWTH_FILES = 8;

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
                    endsWell(job.rank(rank));
                }
            }
        } finally {
            // fails if anything is left
            Files.delete(folder);
        }
    }

    /** With the system's versions of the libraries. */
    @Fault(
            value = {27, 29},
            on = {Where.UCX, Where.OFI})
    @ParameterizedTest
    @CsvSource({"ucxdev, none", "ofidev, tcp;ofi_rxm", "ofidev, shm"})
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void nothingIsLostOverLibrariesAndMemoryIsFlat(String device, String provider) throws Exception {
        String seed = String.valueOf(Seeds.next("nothingIsLostOverLibrariesAndMemoryIsFlat " + device));
        List<String> options = provider.equals("none") ? List.of() : List.of("-Dgalerna.ofi.provider=" + provider);
        try (RankProcesses job = start(device, options, seed)) {
            for (int rank = 0; rank < 2; rank++) {
                endsWell(job.rank(rank));
            }
        }
    }

    private static void endsWell(ChildProcess process) throws InterruptedException {
        int status = process.awaitExit(SLACK.plusSeconds(SECONDS));
        assertThat(status).as(process.err()).isZero();
        assertThat(process.out()).contains(" rounds, ");
        System.out.println(process.out().lines().toList().getLast());
        memoryIsFlat(process);
    }

    private static RankProcesses start(String device, Path folder, String seed) {
        return start(device, List.of("-Dgalerna.shm.folder=" + folder), seed);
    }

    private static RankProcesses start(String device, List<String> more, String seed) {
        // the heap is there from the start, so that what grows is something else
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Xms128m",
                "-Xmx128m",
                "-XX:+AlwaysPreTouch",
                "-Dgalerna.device=" + device));
        options.addAll(more);
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
        isFlat(process, "resident ", "resident set in KiB", GROWTH_KIB);
        isFlat(process, "open ", "open files and segments", GROWTH_FILES);
    }

    private static void isFlat(ChildProcess process, String prefix, String what, long growth) {
        List<Long> samples = process.out()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .map(line -> Long.valueOf(line.substring(prefix.length())))
                .toList();
        int half = samples.size() / 2;
        assertThat(half).as("samples of " + what).isPositive();
        long before = most(samples.subList(0, half));
        long after = most(samples.subList(half, samples.size()));
        System.out.println(what + ": first half at most " + before + ", second half " + after);
        assertThat(after).as(what).isLessThan(before + growth);
    }

    private static long most(List<Long> samples) {
        return samples.stream().mapToLong(Long::longValue).max().orElseThrow();
    }
}
