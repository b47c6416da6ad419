package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.galerna.launch.BindTo;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.memory.Cpus;
import org.galerna.memory.Topology;
import org.galerna.nativeaccess.process.ProcessNiceness;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks as processes of this host. */
class ProcessJobTest {
    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() {
        Launched.compile(classes);
    }

    @Test
    @Fault(31)
    void everyRankLearnsWhatAllHavePublishedAndGetsItsArguments() {
        Launched job = Launched.of(classes, 3, run -> run.labelled(true), "end", "a b", "$HOME 'x' \"y\"", "");
        assertThat(job.err()).isEmpty();
        assertThat(job.sortedLines())
                .containsExactly(
                        "[0] r0r1r2 [a b, $HOME 'x' \"y\", ]",
                        "[1] r0r1r2 [a b, $HOME 'x' \"y\", ]",
                        "[2] r0r1r2 [a b, $HOME 'x' \"y\", ]");
        assertThat(job.result().outcome()).isInstanceOf(Outcome.Completed.class);
        assertThat(job.result().report()).isEmpty();
    }

    @Test
    void manyProcessesMayTakeLongerToEnd() {
        ProcessJob few = ProcessJob.builder().ranks(2).mainClass("Main").build();
        ProcessJob many = ProcessJob.builder().ranks(1024).mainClass("Main").build();
        ProcessJob together = ProcessJob.builder()
                .ranks(1024)
                .ranksPerProcess(512)
                .mainClass("Main")
                .build();
        assertThat(many.patience()).isGreaterThan(few.patience());
        assertThat(together.patience()).isEqualTo(few.patience());
    }

    @Test
    void severalRanksMayShareAProcess() {
        Launched job = Launched.of(classes, 5, run -> run.ranksPerProcess(2).labelled(true), "process");
        assertThat(job.err()).isEmpty();
        assertThat(job.out().lines().filter(line -> line.matches("\\[\\d] r0r1r2r3r4 .*")))
                .hasSize(5);
        assertThat(job.out().lines().filter(line -> line.contains("process")).map(line -> line.substring(4)))
                .hasSize(5)
                .satisfies(lines -> assertThat(lines.stream().distinct()).hasSize(3));
    }

    @Test
    void theExitOfARankEndsTheJobWithItsStatus() {
        theExitOfARankEndsTheJobWithItsStatus(2);
    }

    private static void theExitOfARankEndsTheJobWithItsStatus(int ranksPerProcess) {
        Launched job = Launched.of(classes, 3, run -> run.ranksPerProcess(ranksPerProcess), "exit");
        assertThat(job.result().status()).isEqualTo(7);
        assertThat(job.result().report()).isEqualTo("galerna: rank 1 has ended the job with exit status 7\n");
    }

    @Test
    void anExceptionThatNobodyCatchesEndsTheJob() {
        anExceptionThatNobodyCatchesEndsTheJob(1);
    }

    private static void anExceptionThatNobodyCatchesEndsTheJob(int ranksPerProcess) {
        Launched job = Launched.of(classes, 3, run -> run.ranksPerProcess(ranksPerProcess), "throw");
        assertThat(job.result().status()).isEqualTo(ExitStatus.FAILED);
        assertThat(job.result().report()).matches("""
                        galerna: rank 1 has failed: java.lang.IllegalStateException: no good
                            at Main.main\\(Main.java:\\d+\\)
                        """);
        assertThat(job.err()).as("the report says it once").isEmpty();
    }

    @Test
    @Tag("slow")
    void anExceptionInAnyThreadEndsTheJob() {
        Launched job = Launched.of(classes, 2, "thread");
        assertThat(job.result().status()).isEqualTo(ExitStatus.FAILED);
        assertThat(job.result().report()).contains("rank 1 has failed", "in thread worker", "no good");
    }

    @Test
    void abortEndsTheJobWithItsStatus() {
        abortEndsTheJobWithItsStatus(2);
    }

    private static void abortEndsTheJobWithItsStatus(int ranksPerProcess) {
        Launched job = Launched.of(classes, 2, run -> run.ranksPerProcess(ranksPerProcess), "abort");
        assertThat(job.result().status()).isEqualTo(9);
        assertThat(job.result().report()).isEqualTo("galerna: rank 1 has aborted the job with status 9: because\n");
    }

    @Test
    @Tag("slow")
    void jobsEndAlikeHoweverManyRanksShareAProcess() {
        theExitOfARankEndsTheJobWithItsStatus(1);
        anExceptionThatNobodyCatchesEndsTheJob(2);
        abortEndsTheJobWithItsStatus(1);
    }

    // ---- an interrupt is the program's own affair

    @Test
    @Tag("slow")
    void aThreadThatIsInterruptedStillReachesTheOthers() {
        aThreadThatIsInterruptedStillReachesTheOthers(1);
    }

    private static void aThreadThatIsInterruptedStillReachesTheOthers(int ranksPerProcess) {
        Launched job = Launched.of(classes, 2, run -> run.ranksPerProcess(ranksPerProcess), "interrupted");
        assertThat(job.result().report()).isEmpty();
        assertThat(job.sortedLines()).contains("r0true", "r1true");
    }

    @Test
    @Tag("slow")
    void theExitOfARankEndsTheJobWithItsStatusWhileOthersAreInterrupted() {
        theExitOfARankEndsTheJobWithItsStatusWhileOthersAreInterrupted(2);
    }

    private static void theExitOfARankEndsTheJobWithItsStatusWhileOthersAreInterrupted(int ranksPerProcess) {
        Launched job = Launched.of(classes, 2, run -> run.ranksPerProcess(ranksPerProcess), "interruptedExit");
        assertThat(job.result().report()).isEqualTo("galerna: rank 1 has ended the job with exit status 7\n");
        assertThat(job.result().status()).isEqualTo(7);
    }

    @Test
    @Tag("slow")
    void aThreadThatIsInterruptedMayAbortTheJob() {
        aThreadThatIsInterruptedMayAbortTheJob(1);
    }

    private static void aThreadThatIsInterruptedMayAbortTheJob(int ranksPerProcess) {
        Launched job = Launched.of(classes, 2, run -> run.ranksPerProcess(ranksPerProcess), "interruptedAbort");
        assertThat(job.result().report()).isEqualTo("galerna: rank 1 has aborted the job with status 9: because\n");
        assertThat(job.result().status()).isEqualTo(9);
    }

    @Test
    void anExceptionOfAThreadThatIsInterruptedIsReported() {
        anExceptionOfAThreadThatIsInterruptedIsReported(2);
    }

    private static void anExceptionOfAThreadThatIsInterruptedIsReported(int ranksPerProcess) {
        Launched job = Launched.of(classes, 2, run -> run.ranksPerProcess(ranksPerProcess), "interruptedThrow");
        assertThat(job.result().report()).contains("rank 1 has failed", "IllegalStateException: no good");
        assertThat(job.result().status()).isEqualTo(ExitStatus.FAILED);
    }

    @Test
    @Tag("slow")
    void anInterruptIsTheProgramsOwnAffairHoweverManyRanksShareAProcess() {
        aThreadThatIsInterruptedStillReachesTheOthers(2);
        theExitOfARankEndsTheJobWithItsStatusWhileOthersAreInterrupted(1);
        aThreadThatIsInterruptedMayAbortTheJob(2);
        anExceptionOfAThreadThatIsInterruptedIsReported(1);
    }

    // ---- output

    /** Takes a while for the first piece, and more than one for the next. */
    private static final class SlowReader extends ByteArrayOutputStream {
        private static final long BEHIND_ALL_PATIENCE = Duration.ofSeconds(3).toNanos();

        private final long start = System.nanoTime();
        private boolean begun;

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            if (!begun) {
                begun = true;
                Deadline.after(Duration.ofSeconds(60))
                        .await("the reader has taken his time", () -> System.nanoTime() - start > BEHIND_ALL_PATIENCE);
            }
            super.write(bytes, offset, length);
        }
    }

    @Test
    @Tag("slow")
    void aSlowReaderLosesNothing() {
        readSlowly("exit", 2, 7);
    }

    @ParameterizedTest
    @CsvSource({"end, 1, 0", "end, 2, 0", "exit, 1, 7"})
    @Tag("slow")
    void aSlowReaderLosesNothingEither(String end, int ranksPerProcess, int status) {
        readSlowly(end, ranksPerProcess, status);
    }

    private void readSlowly(String end, int ranksPerProcess, int status) {
        SlowReader reader = new SlowReader();
        Launched job = Launched.of(
                classes, 1, run -> run.ranksPerProcess(ranksPerProcess).standardOutput(reader), "lines", end);
        assertThat(job.result().status()).as(job.result().report()).isEqualTo(status);
        assertThat(reader.toString(StandardCharsets.UTF_8).lines().skip(1))
                .containsExactlyElementsOf(IntStream.range(0, 4000)
                        .mapToObj(line -> "line " + line)
                        .toList());
    }

    @Test
    void aKilledRankIsNamedAndTheOthersMayGoOn() {
        Launched job = Launched.of(classes, 3, "kill");
        assertThat(job.result().status()).isEqualTo(137);
        assertThat(job.result().report()).isEqualTo("galerna: rank 1 was killed by signal 9 (SIGKILL)\n");
        assertThat(job.out().lines()).hasSize(3);
    }

    @Test
    @Tag("slow")
    void aKilledRankLeavesNoFile(@TempDir Path temporary) {
        Launched job = Launched.of(
                classes,
                2,
                run -> run.deadlockTimeout(Duration.ofMillis(300)).jvmOptions(List.of("-Djava.io.tmpdir=" + temporary)),
                "listed",
                "killed");
        assertThat(job.result().report()).isEqualTo("galerna: rank 0 was killed by signal 9 (SIGKILL)\n");
        assertThat(temporary).isEmptyDirectory();
    }

    /** Its processes have to be killed, and their output keeps the launcher busy for ever. */
    @Test
    @Fault(16)
    @Tag("slow")
    void nothingIsLeftOfAJobWhoseOutputNobodyReads(@TempDir Path temporary) throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CountDownLatch read = new CountDownLatch(1);
        OutputStream unread = new OutputStream() {
            @Override
            public void write(int one) {
                written.countDown();
                while (read.getCount() > 0) {
                    LockSupport.park();
                }
            }
        };
        ProcessJob job = ProcessJob.builder()
                .ranks(2)
                .classPath(classes.toString())
                .mainClass("Main")
                .arguments(List.of("unread"))
                .jvmOptions(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary))
                .standardInput(new ByteArrayInputStream(new byte[0]))
                .standardOutput(unread)
                .build();
        AtomicReference<JobResult> result = new AtomicReference<>();
        Thread runs = Thread.ofPlatform().start(() -> result.set(job.run()));
        try {
            assertThat(written.await(60, TimeUnit.SECONDS)).isTrue();
            Deadline.after(Duration.ofSeconds(60))
                    .await("both ranks have something to leave", () -> count(temporary) == 2);
            assertThat(job.interrupt()).isTrue();
            assertThat(runs.join(Duration.ofSeconds(60))).isTrue();
            assertThat(result.get().outcome()).isInstanceOf(Outcome.Interrupted.class);
            assertThat(temporary).isEmptyDirectory();
        } finally {
            read.countDown();
        }
    }

    private static int count(Path folder) {
        String[] names = folder.toFile().list();
        return names == null ? 0 : names.length;
    }

    @Test
    @Tag("slow")
    void theOthersLearnHowARankHasEnded() {
        Launched job = Launched.of(classes, 2, "ends");
        assertThat(job.out()).contains("rank 1: it was killed by signal 9 (SIGKILL)\n");
    }

    @Test
    void whoWaitsForARankThatIsGoneFailsAndTheRankThatWasKilledIsReportedAlone() {
        Launched job = Launched.of(classes, 3, "fence");
        assertThat(job.result().status()).isEqualTo(137);
        assertThat(job.result().report()).isEqualTo("galerna: rank 1 was killed by signal 9 (SIGKILL)\n");
        assertThat(job.out()).contains("waits for all ranks to arrive, but rank 1 has ended");
    }

    @Test
    @Tag("slow")
    void aJobThatTakesTooLongSaysWhereItsRanksAre() {
        String report = "";
        for (int seconds = 3; seconds < 100 && !(report.contains("rank 0, w") && report.contains("rank 1, w")); ) {
            Duration limit = Duration.ofSeconds(seconds);
            Launched job = Launched.of(classes, 2, run -> run.timeout(limit), "sleep");
            assertThat(job.result().status()).isEqualTo(ExitStatus.TIMEOUT);
            report = job.result().report();
            assertThat(report).contains("within " + seconds + " s");
            seconds *= 3; // the ranks have to start within this time, too
        }
        assertThat(report).contains("rank 0, waiting", "rank 1, waiting", "at Main.sleep");
    }

    @Test
    void rankZeroReadsTheStandardInput() {
        byte[] text = "first\nsecond\n".repeat(10_000).getBytes(StandardCharsets.UTF_8);
        Launched job = Launched.of(classes, 2, run -> run.standardInput(new ByteArrayInputStream(text)), "echo");
        // the other rank's line may come at any time, also between two pieces of a long text
        assertThat(job.out().replace("r0r1 []\n", "")).contains(new String(text, StandardCharsets.UTF_8));
    }

    @Test
    void aClassThatIsNotThereIsNamed() {
        Launched job = Launched.of(classes, 2, run -> run.mainClass("Mainn"), "end");
        assertThat(job.result().status()).isEqualTo(ExitStatus.USAGE);
        assertThat(job.result().report())
                .isEqualTo("galerna: class Mainn not found in " + classes + "; did you mean Main?\n");
    }

    @Test
    void aFolderThatIsNotThereIsNamed(@TempDir Path folder) {
        Path none = folder.resolve("none");
        Launched job = Launched.of(classes, 1, run -> run.workingFolder(none), "end");
        assertThat(job.result().status()).isEqualTo(ExitStatus.USAGE);
        assertThat(job.result().report()).contains("there is no folder " + none);
        assertThat(Launched.of(classes, 1, run -> run.workingFolder(folder), "folder")
                        .out())
                .contains(folder.toString());
    }

    @Test
    @Fault({31, 32})
    void theJobsKeyIsInNoArgumentAndNoVariableOfARankOrItsLauncher() {
        Launched job = Launched.of(classes, 2, "secret");
        assertThat(job.err()).isEmpty();
        assertThat(job.out().lines().filter(line -> line.startsWith("key ")))
                .containsExactly("key hidden", "key hidden");
    }

    @Test
    @Tag("slow")
    void saysWhereRanksRun() {
        Launched job = Launched.of(classes, 2, run -> run.bindTo(BindTo.NONE).bindingsReported(true), "end");
        assertThat(job.err().lines())
                .containsExactly(
                        "galerna: rank 0 is not bound: --bind-to none", "galerna: rank 1 is not bound: --bind-to none");
    }

    /** Otherwise they would take each other for ranks that share a core, and wait as such. */
    @Test
    void ranksOnCoresOfTheirOwnKnowThatTheOthersHaveOnesToo() {
        List<Topology.Core> cores = Topology.ofMachine().cores();
        assumeTrue(cores.size() > 1, "there is one core only");
        Launched job = Launched.of(classes, 2, run -> run.bindTo(BindTo.CORE), "processors");
        assertThat(job.err()).isEmpty();
        int ofTwo = 2 * cores.getFirst().mask().cardinality();
        String line = "of the process " + Cpus.available() + ", of the ranks " + ofTwo;
        assertThat(job.out().lines().filter(each -> each.startsWith("of"))).containsExactly(line, line);
    }

    /** Otherwise an agent would wait for the processor as long as they do. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void ranksThatCrowdAHostLeaveTheProcessorsToTheirAgent() {
        int crowd = 16 * Cpus.available() + 1;
        int wanted = Math.min(ProcessNiceness.ofCaller() + 10, 19);
        Launched job = Launched.of(classes, crowd, run -> run.ranksPerProcess(crowd), "nice", "" + wanted);
        assertThat(job.niceness()).hasSize(crowd).containsOnly(wanted);
    }

    @ParameterizedTest
    @CsvSource({"16, 1, false", "17, 1, true", "32, 2, false", "128, 2, true", "4096, 256, false"})
    void ranksCrowdAHostWhereAProcessorHasMoreThanSixteen(int ranks, int processors, boolean crowded) {
        assertThat(Crowd.isOne(ranks, processors)).isEqualTo(crowded);
    }

    @Test
    @Tag("slow")
    void anOptionThatTheVirtualMachineDoesNotKnowEndsTheJob() {
        Launched job = Launched.of(classes, 2, run -> run.jvmOptions(List.of("-XX:+NoSuchOption")), "end");
        assertThat(job.result().status()).isEqualTo(1);
        assertThat(job.err()).contains("NoSuchOption");
    }
}
