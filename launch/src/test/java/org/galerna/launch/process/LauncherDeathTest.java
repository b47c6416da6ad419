package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.nativeaccess.process.ProcessSignals;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
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
        return launch(2, what);
    }

    private ChildProcess launch(int ranks, String what) {
        return ChildProcess.start(ChildProcess.java(
                List.of("-Djava.io.tmpdir=" + temporary),
                LauncherProgram.class,
                List.of(String.valueOf(ranks), classes.toString(), "", "", what)));
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

    @Test
    void aSignalEndsTheRanksInOrder() throws Exception {
        aSignalEndsTheRanksInOrder("TERM", 143);
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "HUP, 129"})
    @Tag("slow")
    void otherSignalsEndTheRanksInOrder(String signal, int status) throws Exception {
        aSignalEndsTheRanksInOrder(signal, status);
    }

    @Test
    void aSignalEndsMoreRanksThanProcessorsInOrder() throws Exception {
        aSignalEndsTheRanksInOrder(Runtime.getRuntime().availableProcessors() + 2, "TERM", 143);
    }

    private void aSignalEndsTheRanksInOrder(String signal, int status) throws Exception {
        aSignalEndsTheRanksInOrder(2, signal, status);
    }

    private void aSignalEndsTheRanksInOrder(int number, String signal, int status) throws Exception {
        try (ChildProcess launcher = launch(number, "hook")) {
            List<ProcessHandle> ranks = awaitRanks(launcher, number);
            launcher.signal(signal);
            assertThat(launcher.awaitExit(LONGEST)).isEqualTo(status);
            assertThat(launcher.err()).isEqualTo("galerna: interrupted\n");
            assertThat(launcher.out().lines().filter(line -> line.equals("hook")))
                    .hasSize(number);
            assertThat(ranks).noneMatch(ProcessHandle::isAlive);
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    @Test
    @Fault(16)
    void aSignalDoesNotCutAnEndThatHasBegun() throws Exception {
        try (ChildProcess launcher = launch("slowHook")) {
            launcher.awaitOut(text -> text.contains("ends\n"), LONGEST);
            launcher.signal("TERM");
            assertThat(launcher.awaitExit(LONGEST)).isEqualTo(143);
            assertThat(launcher.err()).contains("no good");
            assertThat(launcher.out()).contains("has ended\n");
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

    @Test
    void ranksThatItHasStoppedEndWithALauncherThatIsKilled() throws Exception {
        try (ChildProcess launcher = launch("sleep")) {
            List<ProcessHandle> ranks = awaitRanks(launcher, 2);
            assertThat(ranks).hasSize(2).allMatch(rank -> ProcessSignals.stop(rank.pid()));
            launcher.signal("KILL");
            awaitEnd(ranks);
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aRankThatHasListedItsThreadsEndsWithALauncherThatIsKilled() throws Exception {
        try (ChildProcess launcher = launch("listed")) {
            List<ProcessHandle> ranks = awaitRanks(launcher, 2);
            awaitList();
            launcher.signal("KILL");
            awaitEnd(ranks);
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    @Test
    @Fault({16, 23})
    @Tag("slow")
    void signalsAtAnyMomentOfTheStartLeaveNothing() throws Exception {
        RandomGenerator random = new Random(Seeds.next("signalsAtAnyMomentOfTheStartLeaveNothing"));
        for (int attempt = 0; attempt < 4; attempt++) {
            try (ChildProcess launcher = launch("sleep")) {
                LockSupport.parkNanos(random.nextLong(TimeUnit.SECONDS.toNanos(1)));
                launcher.signal("TERM");
                launcher.terminate(); // it may still be there, or not
                assertThat(launcher.awaitExit(LONGEST)).isEqualTo(143);
            }
            Deadline.after(LONGEST)
                    .await(
                            "no rank is left",
                            () -> ProcessHandle.allProcesses()
                                    .noneMatch(each ->
                                            each.info().commandLine().orElse("").contains(classes.toString())));
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    @Test
    @Fault(19)
    @Tag("slow")
    void aLauncherThatIsStoppedForAMomentGoesOn() throws Exception {
        try (ChildProcess launcher = launch("echo")) {
            launcher.awaitOut(text -> text.lines().count() == 2, LONGEST);
            launcher.signal("STOP");
            launcher.type("typed meanwhile\n");
            launcher.endInput();
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            launcher.signal("CONT");
            assertThat(launcher.awaitExit(LONGEST)).isZero();
            assertThat(launcher.out()).contains("typed meanwhile\n");
            assertThat(launcher.err()).isEmpty();
        }
    }

    /** The socket of the agent is there until all ranks have come: these do not come. */
    @Test
    @Fault(16)
    void theNextStartRemovesTheSocketOfALauncherThatWasKilled() throws Exception {
        try (ChildProcess alive = launchPaused()) {
            List<ProcessHandle> ranks = awaitPaused(alive);
            List<Path> inUse = leftInTemporary();
            try (ChildProcess killed = launchPaused()) {
                killAtOnce(killed, awaitPaused(killed));
            }
            List<Path> left = leftInTemporary();
            left.removeAll(inUse);
            assertThat(left).hasSize(1);
            removesWhatIsLeft(left);
            assertThat(inUse).hasSize(1).allMatch(Files::exists);
            ranks.forEach(ProcessHandle::destroyForcibly);
            alive.awaitExit(LONGEST);
            assertThat(leftInTemporary()).isEmpty();
        }
    }

    @Test
    @Fault(16)
    @Tag("slow")
    void theNextStartRemovesTheListsOfThreadsOfRanksThatWereKilled() throws Exception {
        try (ChildProcess killed = launch("listed")) {
            List<ProcessHandle> ranks = awaitRanks(killed, 2);
            awaitList();
            killAtOnce(killed, ranks);
        }
        List<Path> left = leftInTemporary();
        assertThat(left).isNotEmpty();
        removesWhatIsLeft(left);
    }

    private ChildProcess launchPaused() {
        return ChildProcess.start(ChildProcess.java(
                List.of("-Djava.io.tmpdir=" + temporary, "-D" + LauncherProgram.OPTION + "=-XX:+PauseAtStartup"),
                LauncherProgram.class,
                List.of("2", classes.toString(), "", "", "sleep")));
    }

    /** Until the virtual machines of both ranks wait for somebody who removes their files. */
    private static List<ProcessHandle> awaitPaused(ChildProcess launcher) throws InterruptedException {
        Deadline.after(LONGEST).await("both ranks wait", () -> paused(launcher).size() == 2);
        return paused(launcher);
    }

    private static List<ProcessHandle> paused(ChildProcess launcher) {
        return launcher.children().stream()
                .filter(each -> Files.exists(classes.resolve("vm.paused." + each.pid())))
                .toList();
    }

    private void removesWhatIsLeft(List<Path> left) throws InterruptedException {
        try (ChildProcess next = launch("sleep")) {
            List<ProcessHandle> ranks = awaitRanks(next, 2);
            Deadline.after(LONGEST)
                    .await("what is left is removed", () -> left.stream().noneMatch(Files::exists));
            next.signal("TERM");
            next.awaitExit(LONGEST);
            assertThat(ranks).noneMatch(ProcessHandle::isAlive);
        }
    }

    /** Until a rank has made its folder for lists of threads. */
    private void awaitList() throws InterruptedException {
        Deadline.after(LONGEST)
                .await(
                        "rank 0 has listed its threads",
                        () -> List.of(Objects.requireNonNull(temporary.toFile().list())).stream()
                                .filter(name -> name.startsWith("galerna-dumps-"))
                                .anyMatch(name ->
                                        Files.exists(temporary.resolve(name).resolve(".galerna-lock"))));
    }

    /** A rank that does not run cannot see that the launcher is gone. */
    private static void killAtOnce(ChildProcess launcher, List<ProcessHandle> ranks) throws Exception {
        for (ProcessHandle rank : ranks) {
            ChildProcess.signal("STOP", rank.pid());
        }
        launcher.signal("KILL");
        ranks.forEach(ProcessHandle::destroyForcibly);
        launcher.awaitExit(LONGEST);
        awaitEnd(ranks);
    }

    private List<Path> leftInTemporary() throws IOException {
        try (Stream<Path> files = Files.list(temporary)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("hsperfdata")
                            && !file.getFileName().toString().startsWith("galerna-cores"))
                    .collect(Collectors.toCollection(ArrayList::new));
        }
    }
}
