package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No process and no file is left of a job, however it, its launcher or a rank ends. */
class LeftBehindIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int RANKS = 3;
    private static final Pattern STAYS = Pattern.compile(LeftBehindProgram.STAYS + "(\\d+)");

    @TempDir(factory = ManyRanksIntegrationTest.InMemory.class)
    Path shared;

    @TempDir
    Path temporary;

    @ParameterizedTest
    @CsvSource({"shmdev, 2", "unixdev, 1", "niodev, 1"})
    @Fault(
            value = 16,
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    @Tag("slow")
    void nothingIsLeftOfAJobWhoseLauncherIsKilled(String device, int ranksPerProcess) throws Exception {
        theLauncherGets("KILL", device, ranksPerProcess);
    }

    @Test
    @Fault(
            value = 16,
            on = {Where.SHM, Where.LAUNCH})
    void nothingIsLeftInSharedMemoryIfTheLauncherIsKilled() throws Exception {
        theLauncherGets("KILL", "shmdev", 1);
    }

    @ParameterizedTest
    @CsvSource({"TERM, shmdev", "INT, shmdev", "HUP, shmdev", "TERM, unixdev", "TERM, niodev"})
    @Fault(
            value = 16,
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    @Tag("slow")
    void nothingIsLeftOfAJobWhoseLauncherIsToldToEnd(String signal, String device) throws Exception {
        theLauncherGets(signal, device, 1);
    }

    private void theLauncherGets(String signal, String device, int ranksPerProcess) throws Exception {
        try (ChildProcess job = start(device, ranksPerProcess, "stay")) {
            job.awaitOut(out -> processes(out).size() == RANKS, LONGEST);
            List<ProcessHandle> ranks = processes(job.out()).stream()
                    .flatMap(process -> ProcessHandle.of(process).stream())
                    .toList();
            assertThat(ranks).hasSize(RANKS);
            job.signal(signal);
            job.awaitExit(LONGEST);
            for (ProcessHandle rank : ranks) {
                rank.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            }
            assertThat(left(shared)).isEmpty();
            assertThat(left(temporary)).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"killed, shmdev, 137", "killed, niodev, 137", "halt, unixdev, 0"})
    @Fault(
            value = 16,
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    @Tag("slow")
    void nothingIsLeftOfRanksThatEndInNoOrder(String how, String device, int status) throws Exception {
        theRanksEnd(how, device, status);
    }

    @ParameterizedTest
    @CsvSource({"killed, unixdev, 137", "halt, shmdev, 0"})
    @Fault(
            value = 16,
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    void theLauncherRemovesWhatRanksLeave(String how, String device, int status) throws Exception {
        theRanksEnd(how, device, status);
    }

    private void theRanksEnd(String how, String device, int status) throws Exception {
        try (ChildProcess job = start(device, 1, how)) {
            assertThat(job.awaitExit(LONGEST)).as(job.err()).isEqualTo(status);
            assertThat(processes(job.out()))
                    .hasSize(RANKS)
                    .noneMatch(rank -> ProcessHandle.of(rank).isPresent());
            assertThat(left(shared)).isEmpty();
            assertThat(left(temporary)).isEmpty();
        }
    }

    private ChildProcess start(String device, int ranksPerProcess, String how) {
        List<String> command = GalernaCommand.of(List.of(
                "run",
                "-n",
                String.valueOf(RANKS),
                "--procs",
                "--ranks-per-process",
                String.valueOf(ranksPerProcess),
                "--deadlock-timeout",
                "0",
                "--device",
                device,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + temporary,
                "-Dgalerna.shm.folder=" + shared,
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                LeftBehindProgram.class.getName(),
                how));
        command.add(1, "-Djava.io.tmpdir=" + temporary);
        return ChildProcess.start(command);
    }

    private static List<Long> processes(String out) {
        List<Long> found = new ArrayList<>();
        STAYS.matcher(out).results().forEach(each -> found.add(Long.parseLong(each.group(1))));
        return found;
    }

    /** What is in a folder, except the locks of cores, which stay for the next job. */
    private static List<Path> left(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> !each.equals(folder)
                            && !each.getFileName().toString().matches("galerna-cores-.*\\.lock"))
                    .toList();
        }
    }
}
