package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.VirtualHosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks on two hosts with networks and names of their own, reached by real ssh. */
class SshJobTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("ready (\\d+)");

    @TempDir
    static Path classes;

    @SuppressWarnings("NullAway.Init") // before all tests
    private static VirtualHosts hosts;

    @BeforeAll
    static void create() throws Exception {
        hosts = VirtualHosts.create("a", "b");
        Launched.compile(classes);
    }

    @AfterAll
    @SuppressWarnings("NullAway") // where there are no hosts
    static void remove() throws Exception {
        if (hosts != null) {
            hosts.close();
        }
    }

    private static ChildProcess launch(int ranks, String where, String... arguments) {
        List<String> words = new ArrayList<>(
                List.of(String.valueOf(ranks), classes.toString(), where, String.join(" ", hosts.ssh())));
        words.addAll(List.of(arguments));
        return ChildProcess.start(hosts.on("a", ChildProcess.java(List.of(), LauncherProgram.class, words)));
    }

    @Test
    @Fault(31)
    void ranksOfSeveralHostsMeetAndArgumentsArriveAsTheyAre() throws Exception {
        try (ChildProcess job = launch(4, "a:1,b:3", "end", "a b", "$HOME 'x' \"y\" ; exit 3")) {
            assertThat(job.awaitExit(LONGEST)).isZero();
            assertThat(job.out().lines())
                    .hasSize(4)
                    .allMatch(line -> line.equals("r0r1r2r3 [a b, $HOME 'x' \"y\" ; exit 3]"));
            assertThat(job.err()).isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void aRankThatIsKilledOnAnotherHostIsNamedWithIt() throws Exception {
        try (ChildProcess job = launch(3, "a:1,b:2", "ends")) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(137);
            assertThat(job.err()).isEqualTo("galerna: rank 1 on host b was killed by signal 9 (SIGKILL)\n");
            assertThat(job.out().lines().filter(line -> line.startsWith("rank 1: ")))
                    .containsExactly(
                            "rank 1: it was killed by signal 9 (SIGKILL) on host b",
                            "rank 1: it was killed by signal 9 (SIGKILL) on host b");
        }
    }

    @Test
    @Tag("slow")
    void anExitStatusComesBack() throws Exception {
        try (ChildProcess job = launch(2, "a,b", "exit")) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(7);
            assertThat(job.err()).isEqualTo("galerna: rank 1 on host b has ended the job with exit status 7\n");
        }
    }

    @Test
    @Tag("slow")
    void rankZeroReadsTheStandardInputOnAnotherHost() throws Exception {
        try (ChildProcess job = launch(2, "b,a", "echo")) {
            job.type("what was typed\n".repeat(5_000));
            job.endInput();
            assertThat(job.awaitExit(LONGEST)).isZero();
            // the other rank's line may come at any time, also between two pieces of a long text
            assertThat(job.out().replace("r0r1 []\n", "")).contains("what was typed\n".repeat(5_000));
        }
    }

    @Test
    @Tag("slow")
    void whatRanksPrintComesBackWholeAndLineByLine() throws Exception {
        try (ChildProcess job = launch(3, "a:1,b:2", "print")) {
            assertThat(job.awaitExit(LONGEST)).isZero();
            for (int rank = 0; rank < 3; rank++) {
                String mine = " " + rank + " ";
                assertThat(job.out().lines().filter(line -> line.startsWith("out" + mine)))
                        .containsExactlyElementsOf(lines("out" + mine));
                assertThat(job.err().lines().filter(line -> line.startsWith("err" + mine)))
                        .containsExactlyElementsOf(lines("err" + mine));
            }
        }
    }

    private static List<String> lines(String start) {
        return IntStream.range(0, 3000).mapToObj(line -> start + line).toList();
    }

    @Test
    @Fault(16)
    void anInterruptEndsTheRanksOfAllHostsInOrder() throws Exception {
        try (ChildProcess job = launch(3, "a:1,b:2", "hook")) {
            List<ProcessHandle> ranks = awaitRanks(job, 3);
            // the launcher is the parent of its own host's ranks
            ProcessHandle own = ranks.stream()
                    .filter(rank -> job.children().contains(rank))
                    .findFirst()
                    .orElseThrow();
            signal("INT", own.parent().orElseThrow());
            assertThat(job.awaitExit(LONGEST)).isEqualTo(130);
            assertThat(job.err()).isEqualTo("galerna: interrupted\n");
            assertThat(job.out().lines().filter(line -> line.equals("hook"))).hasSize(3);
            assertThat(ranks).noneMatch(ProcessHandle::isAlive);
        }
    }

    @Test
    @Fault(19)
    @Tag("slow")
    void anAgentThatIsStoppedForAMomentGoesOn() throws Exception {
        Set<Long> before = hosts.processes("b");
        try (ChildProcess job = launch(2, "b,a", "echo")) {
            job.awaitOut(text -> text.lines().count() == 2, LONGEST);
            ProcessHandle agent = agent("b", before);
            signal("STOP", agent);
            job.type("typed meanwhile\n");
            job.endInput();
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(2));
            signal("CONT", agent);
            assertThat(job.awaitExit(LONGEST)).isZero();
            assertThat(job.out()).contains("typed meanwhile\n");
        }
    }

    private static void signal(String name, ProcessHandle process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-s", name, String.valueOf(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** The agent of a host, which is none of the processes that were there before the job. */
    private static ProcessHandle agent(String host, Set<Long> before) throws InterruptedException {
        return hosts.processes(host).stream()
                .filter(pid -> !before.contains(pid))
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .filter(process -> process.info().commandLine().orElse("").endsWith("AgentMain"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("slow")
    void aHostWithoutSshIsNamed() throws Exception {
        try (ChildProcess job = launch(2, "a,10.117.0.99", "end")) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(2);
            assertThat(job.err()).contains("host 10.117.0.99").doesNotContain("\tat ");
        }
    }

    @Test
    @Tag("slow")
    void theRanksOfAllHostsEndWithALauncherThatIsKilled() throws Exception {
        Set<Long> before = hosts.processes("b");
        try (ChildProcess job = launch(3, "a:1,b:2", "sleep")) {
            List<ProcessHandle> ranks = awaitRanks(job, 3);
            job.children().forEach(each -> assertThat(each.isAlive()).isTrue());
            job.signal("KILL");
            for (ProcessHandle rank : ranks) {
                rank.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            }
            Set<Long> after = hosts.processes("b");
            long deadline = System.nanoTime() + LONGEST.toNanos();
            while (!before.containsAll(after) && System.nanoTime() < deadline) {
                after = hosts.processes("b");
            }
            assertThat(before).as("processes on host b").containsAll(after);
        }
    }

    @Test
    @Fault(16)
    @Tag("slow")
    void whatRanksHaveLeftGoesWithAnAgentThatIsToldToEnd(@TempDir Path temporary) throws Exception {
        Set<Long> before = hosts.processes("b");
        try (ChildProcess job = ChildProcess.start(hosts.on(
                "a",
                ChildProcess.java(
                        List.of("-Djava.io.tmpdir=" + temporary),
                        LauncherProgram.class,
                        List.of("2", classes.toString(), "b", String.join(" ", hosts.ssh()), "leave"))))) {
            List<ProcessHandle> ranks = awaitRanks(job, 2);
            signal("TERM", agent("b", before));
            assertThat(job.awaitExit(LONGEST)).isEqualTo(1);
            assertThat(job.err()).contains("host b is lost, and the job with it");
            assertThat(ranks).noneMatch(ProcessHandle::isAlive);
            assertThat(ranks).hasSize(2);
            assertThat(temporary.toFile().list((folder, name) -> name.startsWith("galerna-left-")))
                    .isEmpty();
        }
    }

    @Test
    @Tag("slow")
    void theJobEndsWithAnAgentThatIsKilled() throws Exception {
        Set<Long> before = hosts.processes("b");
        try (ChildProcess job = launch(3, "a:1,b:2", "sleep")) {
            List<ProcessHandle> ranks = awaitRanks(job, 3);
            agent("b", before).destroyForcibly();
            assertThat(job.awaitExit(LONGEST)).isEqualTo(1);
            assertThat(job.err()).contains("host b is lost, and the job with it");
            for (ProcessHandle rank : ranks) {
                rank.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    private static List<ProcessHandle> awaitRanks(ChildProcess launcher, int number) throws InterruptedException {
        launcher.awaitOut(text -> READY.matcher(text).results().count() == number, LONGEST);
        return READY.matcher(launcher.out())
                .results()
                .map(ready -> Long.parseLong(ready.group(1)))
                .flatMap(pid -> ProcessHandle.of(pid).stream())
                .toList();
    }
}
