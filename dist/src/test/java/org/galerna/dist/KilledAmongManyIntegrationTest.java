package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.dist.KilledAmongManyProgram.Phase;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of many processes is killed, in each phase of a job: the others end, or go on where they do not need it, the launcher says which
 * it was, and nothing is left behind. {@code -Dgalerna.test.processes=128} takes more of them.
 */
@Tag("slow")
class KilledAmongManyIntegrationTest {
    private static final int PROCESSES = Integer.getInteger("galerna.test.processes", 32);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    /** From the death to the end of the launcher: the time-out of peers, and what many processes need to end. */
    private static final long NOTICING_MILLIS = 10_000 + 100L * PROCESSES;

    private static final Pattern KILLED =
            Pattern.compile("galerna: rank (\\d+) was killed by signal 9 \\(SIGKILL\\)\n");

    static Stream<Arguments> everything() {
        return Stream.of("shmdev", "niodev")
                .flatMap(device -> Stream.of(Phase.values())
                        .filter(phase -> phase != Phase.ALL)
                        .map(phase -> Arguments.of(device, phase)));
    }

    @ParameterizedTest
    @MethodSource("everything")
    @Fault(
            value = {16, 17},
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    void theOthersEndOrGoOnAndNameIt(
            String device,
            Phase phase,
            @TempDir(factory = ManyRanksIntegrationTest.InMemory.class) Path shared,
            @TempDir Path temporary,
            @TempDir Path counted)
            throws Exception {
        try (ChildProcess job = start(PROCESSES, device, phase, shared, temporary, counted)) {
            int status = job.awaitExit(LONGEST);
            long ended = System.currentTimeMillis();
            Matcher report = KILLED.matcher(withoutWarnings(job.err()));
            assertThat(report.matches()).as(job.err()).isTrue();
            assertThat(status).isEqualTo(137);
            List<Long> died = numbers(job.out(), KilledAmongManyProgram.DIES);
            assertThat(died).hasSize(1);
            System.out.println(
                    phase + " over " + device + ": all have ended after " + (ended - died.getFirst()) + " ms");
            assertThat(ended - died.getFirst()).isLessThan(NOTICING_MILLIS);
            String rank = "rank " + report.group(1);
            if (phase == Phase.FINALIZE || phase == Phase.APART) {
                assertThat(lines(job.out(), KilledAmongManyProgram.DONE)).hasSize(PROCESSES - 1);
            } else {
                assertThat(lines(job.out(), KilledAmongManyProgram.FAILED))
                        .isNotEmpty()
                        .anyMatch(line -> line.contains(rank + " is gone") || line.contains(rank + " has ended"));
            }
            assertThat(numbers(job.out(), KilledAmongManyProgram.PROCESS))
                    .noneMatch(process -> ProcessHandle.of(process).isPresent());
            assertThat(left(shared)).isEmpty();
            assertThat(left(temporary))
                    .allMatch(file -> file.getFileName().toString().matches("galerna-cores-.*\\.lock"));
        }
    }

    /** The launcher removes what they leave, in the folder that their own options name. */
    @Test
    @Fault(value = 12, on = Where.SHM)
    void nothingIsLeftOfAJobOfWhichNobodyIs(
            @TempDir(factory = ManyRanksIntegrationTest.InMemory.class) Path shared,
            @TempDir Path temporary,
            @TempDir Path counted)
            throws Exception {
        try (ChildProcess job = start(2, "shmdev", Phase.ALL, shared, temporary, counted)) {
            assertThat(job.awaitExit(LONGEST)).as(job.err()).isEqualTo(137);
            assertThat(numbers(job.out(), KilledAmongManyProgram.DIES)).hasSize(2);
            assertThat(left(shared)).isEmpty();
        }
    }

    private static ChildProcess start(
            int processes, String device, Phase phase, Path shared, Path temporary, Path counted) throws IOException {
        List<String> command = GalernaCommand.of(List.of(
                "run",
                "-n",
                String.valueOf(processes),
                "--procs",
                "--yes",
                "--device",
                device,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx48m",
                "-Djava.io.tmpdir=" + temporary,
                "-Dgalerna.shm.folder=" + shared,
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                KilledAmongManyProgram.class.getName(),
                phase.name(),
                counted.toString(),
                String.valueOf(processes)));
        command.add(1, "-Djava.io.tmpdir=" + temporary);
        return ChildProcess.start(command);
    }

    /** On a machine with far more to do than cores a rank may get none for a while, and is waited for. */
    private static String withoutWarnings(String err) {
        return err.lines()
                .filter(line -> !line.contains("has shown no sign of life"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static List<Path> left(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(each -> !each.equals(folder)).toList();
        }
    }

    private static List<String> lines(String out, String what) {
        return out.lines().filter(line -> line.contains(what)).toList();
    }

    private static List<Long> numbers(String out, String before) {
        return out.lines()
                .filter(line -> line.startsWith(before))
                .map(line -> Long.parseLong(line.substring(before.length())))
                .toList();
    }
}
