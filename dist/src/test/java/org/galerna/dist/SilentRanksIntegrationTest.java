package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that make no call while others cancel sends to them, and ranks that still talk in shutdown hooks. */
class SilentRanksIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final int KILLED = 128 + 9;

    @TempDir
    Path folder;

    /** The contract of devices has a send that is cancelled while its receiver makes no call. */
    @ParameterizedTest
    @CsvSource({
        "-n 2 --procs --device shmdev, 2",
        "-n 3, 3",
        "-n 3 --procs, 3",
        "-n 2 --procs --device niodev, 2",
        "-n 4 --procs --device niodev, 4",
        "-n 2 --procs --device iodev, 2",
        "-n 3 --procs --device unixdev, 3",
        "-n 4 --procs --ranks-per-process 2, 4"
    })
    @Tag("slow")
    void sendsAreCancelledWhileTheirReceiversSleep(String options, int ranks) throws InterruptedException {
        cancelled(options, ranks);
    }

    private void cancelled(String options, int ranks) throws InterruptedException {
        List<String> expected = new ArrayList<>();
        expected.addAll(Collections.nCopies(ranks - 1, "cancelled 4 of 4"));
        expected.addAll(Collections.nCopies(ranks - 1, "received 5 with tag 2, then null"));
        assertThat(run(
                        options,
                        SleepingReceiverProgram.class,
                        folder.resolve("over").toString()))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "-n 2 --procs --device shmdev, at-once",
        "-n 2 --procs --device niodev, late",
    })
    @Tag("slow")
    void cancelledSendsToADeadRankEnd(String options, String when) throws InterruptedException {
        cancelledForDead(options, when);
    }

    @ParameterizedTest
    @CsvSource({
        "-n 2 --procs --device shmdev, late",
        "-n 2 --procs --device niodev, at-once",
        "-n 2 --procs --device unixdev, at-once",
        "-n 2 --procs --device unixdev, late",
        "-n 2 --procs --device iodev, at-once",
        "-n 2 --procs, late"
    })
    @Tag("slow")
    void cancelledSendsToADeadRankEndInEveryMode(String options, String when) throws InterruptedException {
        cancelledForDead(options, when);
    }

    private static void cancelledForDead(String options, String when) throws InterruptedException {
        try (ChildProcess process = start(options, CancelledForDeadProgram.class, when)) {
            process.endInput();
            assertThat(process.awaitExit(LONGEST)).as(process::err).isEqualTo(KILLED);
            assertThat(process.out()).isEqualToIgnoringNewLines("ended 3 of 3");
        }
    }

    @Test
    @Tag("slow")
    void shutdownHooksOfProcessesCommunicate() throws InterruptedException {
        hooksTalk("-n 2 --procs --device shmdev", "exit");
    }

    @ParameterizedTest
    @CsvSource({
        "-n 2, exit",
        "-n 2, return",
        "-n 2 --procs, return",
        "-n 2 --procs --device niodev, exit",
        "-n 2 --procs --device niodev, return",
        "-n 2 --procs --device unixdev, exit",
        "-n 2 --ranks-per-process 2, exit"
    })
    @Tag("slow")
    void shutdownHooksCommunicateInEveryMode(String options, String how) throws InterruptedException {
        hooksTalk(options, how);
    }

    private static void hooksTalk(String options, String how) throws InterruptedException {
        assertThat(run(options, LastWordsProgram.class, how))
                .containsExactlyInAnyOrder(
                        "last words 0", "last words 1", "last words 2", "rank 0 is through", "rank 1 is through");
    }

    private static List<String> run(String options, Class<?> program, String argument) throws InterruptedException {
        try (ChildProcess process = start(options, program, argument)) {
            process.endInput();
            int status = process.awaitExit(LONGEST);
            assertThat(status)
                    .as(() -> options + ":\n" + process.out() + process.err())
                    .isZero();
            return process.out().lines().toList();
        }
    }

    private static ChildProcess start(String options, Class<?> program, String argument) {
        List<String> command = GalernaCommand.of(List.of("run"));
        command.addAll(List.of(options.split(" ")));
        command.addAll(List.of(
                "-XX:TieredStopAtLevel=1",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                program.getName(),
                argument));
        return ChildProcess.start(command);
    }
}
