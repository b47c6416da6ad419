package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A launcher that has been started as the virtual machine of its job is that machine. */
class LauncherWithRanksIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int RANKS = 2;

    /** The bit of the signal, number 10. */
    private static final long USR1 = 1L << 9;

    private static ChildProcess start(List<String> options, List<String> ofRun, String end) {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options);
        command.addAll(
                List.of("-jar", Path.of("target/galerna.jar").toAbsolutePath().toString()));
        command.addAll(List.of("run", "-n", String.valueOf(RANKS)));
        command.addAll(ofRun);
        command.addAll(
                List.of("-cp", Path.of("target/test-classes").toAbsolutePath().toString()));
        command.addAll(List.of(OwnProcessProgram.class.getName(), end));
        return ChildProcess.start(command);
    }

    private static ChildProcess startAsJob(String end, String... ofRun) {
        return start(GalernaJvm.optionsOfThreadsAlone(RANKS), List.of(ofRun), end);
    }

    private static String line(ChildProcess launcher) {
        return "in " + launcher.pid() + ".\n";
    }

    @Test
    void ranksAreItsThreads() throws Exception {
        try (ChildProcess launcher = startAsJob("exit")) {
            assertThat(launcher.awaitExit(LONGEST)).as(launcher.err()).isEqualTo(7);
            assertThat(launcher.out()).contains(line(launcher));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xmx100m", "--procs", "-wdir=."})
    @Tag("slow")
    void ranksThatNeedAnotherMachineGetItByAnyOption(String option) throws Exception {
        ranksThatNeedAnotherMachineGetIt(option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Dx=y"})
    void ranksThatNeedAnotherMachineGetIt(String option) throws Exception {
        try (ChildProcess launcher = startAsJob("end", option)) {
            assertThat(launcher.awaitExit(LONGEST)).as(launcher.err()).isZero();
            assertThat(launcher.out()).contains("in ").doesNotContain(line(launcher));
        }
    }

    @Test
    @Tag("slow")
    void aLauncherWithOtherOptionsStartsAnother() throws Exception {
        try (ChildProcess launcher = start(List.of("-XX:+UseSerialGC"), List.of(), "end")) {
            assertThat(launcher.awaitExit(LONGEST)).as(launcher.err()).isZero();
            assertThat(launcher.out()).contains("in ").doesNotContain(line(launcher));
        }
    }

    /** Galerna's own handler of a signal is none of the program's, which might end the deadlock. */
    @Test
    @Tag("slow")
    void aDeadlockIsFoundAlthoughASignalAsksWhereTheRanksAre() throws Exception {
        try (ChildProcess launcher = startAsJob("circle", "--deadlock-timeout", "6")) {
            launcher.awaitOut(out -> out.split("in ", -1).length == RANKS + 1 && out.contains(line(launcher)), LONGEST);
            Deadline.after(LONGEST).await("it handles the signal", () -> handlesUsr1(launcher.pid()));
            launcher.signal("USR1");
            launcher.awaitErr(err -> err.contains("  cycle: 0 "), LONGEST);
            assertThat(launcher.awaitExit(LONGEST)).as(launcher.err()).isEqualTo(ExitStatus.DEADLOCK);
        }
    }

    private static boolean handlesUsr1(long process) {
        try {
            return Files.readAllLines(Path.of("/proc", String.valueOf(process), "status")).stream()
                    .filter(line -> line.startsWith("SigCgt:"))
                    .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & USR1) != 0);
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    @Test
    void aSignalEndsTheJob() throws Exception {
        try (ChildProcess launcher = startAsJob("circle")) {
            launcher.awaitOut(out -> out.contains(line(launcher)), LONGEST);
            launcher.signal("TERM");
            assertThat(launcher.awaitExit(LONGEST)).isEqualTo(128 + 15);
            assertThat(launcher.err()).contains("interrupted");
        }
    }
}
