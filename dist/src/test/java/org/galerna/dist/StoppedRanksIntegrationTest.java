package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks whose processes are stopped for much longer than the time-out, and go on: nobody is lost, and the job ends right. */
class StoppedRanksIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Pattern PROCESS = Pattern.compile("rank (\\d+) is process (\\d+)\\.");

    @Test
    @Fault(
            value = 19,
            on = {Where.SHM, Where.TCP, Where.LAUNCH})
    @Tag("slow")
    void aRankThatIsStoppedForLongGoesOn(@TempDir Path folder) throws Exception {
        run("-n 3 --procs --device niodev", "0", folder);
    }

    @ParameterizedTest
    @Fault(
            value = 19,
            on = {Where.SHM, Where.TCP, Where.UCX, Where.OFI, Where.LAUNCH})
    @CsvSource(
            delimiter = '|',
            value = {
                "-n 3 --procs --device niodev | 2",
                "-n 4 --procs --device niodev | 0 1 2",
                "-n 3 --procs --device iodev | 0",
                "-n 4 --procs --device iodev | 1 2 3",
                "-n 3 --procs --device unixdev | 0",
                "-n 4 --procs --device unixdev | 1 2 3",
                "-n 3 --procs --device shmdev | 0",
                "-n 4 --procs --device shmdev | 0 1 3",
                "-n 3 --procs | 1",
                "-n 4 --procs --ranks-per-process 2 | 0",
                "-n 4 --procs --ranks-per-process 2 -Dgalerna.hybrid.links=threads,tcp | 3",
                "-n 2 --procs --device niodev -Dgalerna.tls=true | 1",
                "-n 3 --procs --device ofidev | 0",
                "-n 4 --procs --device ofidev | 1 2 3",
                "-n 3 --procs --device ucxdev | 0",
                "-n 4 --procs --device ucxdev | 1 2 3"
            })
    @Tag("slow")
    void whoIsStoppedForLongGoesOnEverywhere(String options, String stopped, @TempDir Path folder) throws Exception {
        run(options, stopped, folder);
    }

    private static void run(String options, String stopped, Path folder) throws Exception {
        int size = Integer.parseInt(options.split(" ")[1]);
        Path end = folder.resolve("end");
        try (ChildProcess job = ChildProcess.start(command(options, end))) {
            job.endInput();
            awaitRounds(job, size, 1);
            Set<Long> processes = new LinkedHashSet<>();
            for (String rank : stopped.split(" ")) {
                processes.add(process(job.out(), Integer.parseInt(rank)));
            }
            for (long each : processes) {
                ChildProcess.signal("STOP", each);
            }
            job.awaitErr(text -> text.contains("It may be stopped"), LONGEST);
            long since = System.nanoTime();
            Deadline.after(LONGEST).await("twice the time-out more", () -> System.nanoTime() - since > 2_000_000_000L);
            assertThat(job.out() + job.err()).doesNotContain("gone").doesNotContain("deadlock");
            for (long each : processes) {
                ChildProcess.signal("CONT", each);
            }
            awaitRounds(job, size, rounds(job.out(), 0) + 3);
            Files.createFile(end);
            int status = job.awaitExit(LONGEST);
            assertThat(status).as(job::err).isZero();
            for (int rank = 0; rank < size; rank++) {
                assertThat(job.out()).contains("rank " + rank + " is done.");
            }
            assertThat(job.err().lines()).allMatch(line -> line.contains("It may be stopped"));
        }
    }

    private static List<String> command(String options, Path end) {
        List<String> command = GalernaCommand.of(List.of("run"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "--deadlock-timeout",
                "1",
                "-Dgalerna.peer.timeout=1",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                StoppedRanksProgram.class.getName(),
                end.toString()));
        return command;
    }

    private static void awaitRounds(ChildProcess job, int size, long rounds) throws InterruptedException {
        for (int rank = 0; rank < size; rank++) {
            int one = rank;
            job.awaitOut(out -> rounds(out, one) >= rounds, LONGEST);
        }
    }

    private static long rounds(String out, int rank) {
        return out.lines()
                .filter(line -> line.startsWith("rank " + rank + " round "))
                .count();
    }

    private static long process(String out, int rank) {
        Matcher all = PROCESS.matcher(out);
        while (all.find()) {
            if (Integer.parseInt(all.group(1)) == rank) {
                return Long.parseLong(all.group(2));
            }
        }
        throw new AssertionError("rank " + rank + " has not said which process it is in: " + out);
    }
}
