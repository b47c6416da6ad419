package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is left of a job whose launcher is told to end, or is killed: nothing. */
class LauncherDeathTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("ready (\\d+)");

    @TempDir
    static Path classes;

    @TempDir
    Path temporary;

    @BeforeAll
    static void compile() {
        Launched.compile(classes);
    }

    private ChildProcess launch(String what) {
        return ChildProcess.start(ChildProcess.java(
                List.of("-Djava.io.tmpdir=" + temporary),
                LauncherProgram.class,
                List.of("2", classes.toString(), "", "", what)));
    }

    private static List<ProcessHandle> awaitRanks(ChildProcess launcher, int number) throws InterruptedException {
        launcher.awaitOut(text -> READY.matcher(text).results().count() == number, LONGEST);
        return READY.matcher(launcher.out())
                .results()
                .map((MatchResult ready) -> Long.parseLong(ready.group(1)))
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }

    private static void awaitEnd(List<ProcessHandle> ranks) throws Exception {
        for (ProcessHandle rank : ranks) {
            rank.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void aSignalEndsTheRanksInOrder(String signal, int status) throws Exception {
        try (ChildProcess launcher = launch("hook")) {
            List<ProcessHandle> ranks = awaitRanks(launcher, 2);
            launcher.signal(signal);
            assertThat(launcher.awaitExit(LONGEST)).isEqualTo(status);
            assertThat(launcher.err()).isEqualTo("galerna: interrupted\n");
            assertThat(launcher.out().lines().filter(line -> line.equals("hook")))
                    .hasSize(2);
            assertThat(ranks).noneMatch(ProcessHandle::isAlive);
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    @Test
    void theRanksEndWithALauncherThatIsKilled() throws Exception {
        try (ChildProcess launcher = launch("sleep")) {
            List<ProcessHandle> ranks = awaitRanks(launcher, 2);
            assertThat(ranks).hasSize(2);
            launcher.signal("KILL");
            awaitEnd(ranks);
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    private List<Path> leftInTemporary() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("hsperfdata")
                            && !file.getFileName().toString().startsWith("galerna-cores"))
                    .toList();
        }
    }
}
