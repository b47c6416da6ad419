package org.galerna.launch.wireup;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.JobLauncher;
import org.galerna.testkit.process.JobManagers;
import org.galerna.testkit.process.JobManagers.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Jobs of real processes under real job managers. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class JobManagersTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int RANKS = 3;

    /** A process of the job was killed by SIGKILL, as a shell and {@code srun} put it; {@code mpiexec} says 9. */
    private static final int KILLED = 137;

    /** Slurm has no status for the whole job: it is the greatest of the processes, and it kills those that remain. */
    private static final Set<Kind> LOSE_STATUS = Set.of(Kind.SRUN_PMI2);

    private final JobManagers managers = new JobManagers();

    @AfterAll
    void stopDaemons() {
        managers.close();
    }

    private record Run(int status, String out, String err) {}

    private Run run(Kind kind, String... arguments) throws InterruptedException {
        return run(kind, List.of(), arguments);
    }

    private Run run(Kind kind, List<String> options, String... arguments) throws InterruptedException {
        return run(managers.launcher(kind), options, arguments);
    }

    private static Run run(JobLauncher launcher, List<String> options, String... arguments)
            throws InterruptedException {
        List<String> all = Stream.concat(Stream.of("--enable-native-access=ALL-UNNAMED"), options.stream())
                .toList();
        List<String> command = ChildProcess.java(all, RankProgram.class, List.of(arguments));
        try (ChildProcess job = launcher.start(RANKS, command)) {
            int status = job.awaitExit(LONGEST);
            assertThat(job.err()).doesNotContain("restricted method");
            return new Run(status, job.out(), job.err());
        }
    }

    private static void assertAllDone(Run run) {
        assertThat(run.err).isEmpty();
        assertThat(run.out.lines())
                .hasSize(RANKS)
                .allMatch(line -> line.matches("rank [0-2] of 3 in [A-Za-z0-9._-]+ is done"))
                .doesNotHaveDuplicates();
        assertThat(run.out.lines().map(line -> line.replaceAll(".* in ", "")).distinct())
                .as("names of the job")
                .hasSize(1);
        assertThat(run.status).isZero();
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SRUN_NONE")
    void valuesOfAllSizesReachAllRanks(Kind kind) throws Exception {
        assertAllDone(run(kind, "exchange"));
    }

    @ParameterizedTest
    @CsvSource({"MPIEXEC, MPIRUN", "MPIRUN, MPIEXEC_PORT", "SRUN_PMI2, MPIEXEC"})
    void theInnermostOfTwoManagersCounts(Kind outer, Kind inner) throws Exception {
        JobLauncher launcher = managers.launcher(inner).inside(managers.launcher(outer));
        assertAllDone(run(launcher, List.of(), "exchange"));
    }

    @ParameterizedTest
    @CsvSource({"MPIRUN, MPIEXEC", "SRUN_PMI2, MPIRUN", "SRUN_PMIX, MPIEXEC", "SRUN_PMIX, MPIRUN"})
    void theInnermostCountsInEveryPair(Kind outer, Kind inner) throws Exception {
        theInnermostOfTwoManagersCounts(outer, inner);
    }

    @Test
    void slurmSpeaksPmi1Too() throws Exception {
        assertAllDone(run(Kind.SRUN_PMI2, List.of("-Dgalerna.wireup=PMI-1"), "exchange"));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SRUN_NONE")
    void manyFencesKeepTheirOrder(Kind kind) throws Exception {
        assertAllDone(run(kind, "fences", "200"));
    }

    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_CRAY"})
    void ranksMayLeaveOneByOne(Kind kind) throws Exception {
        assertAllDone(run(kind, "leave"));
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "SRUN_NONE")
    void abortEndsTheJobWithItsStatus(Kind kind) throws Exception {
        Run run = run(kind, "abort", "13");
        assertThat(run.err).contains("galerna: rank 1 has aborted the job with status 13: had enough\n");
        assertThat(run.status).isEqualTo(LOSE_STATUS.contains(kind) ? KILLED : 13);
    }

    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_CRAY"})
    void anExceptionThatNobodyCatchesEndsTheJob(Kind kind) throws Exception {
        Run run = run(kind, "throw");
        assertThat(run.err).contains("galerna: rank 1 has failed: java.lang.IllegalStateException: bad\n");
        assertThat(run.status).isEqualTo(LOSE_STATUS.contains(kind) ? KILLED : ExitStatus.FAILED);
    }

    /** With PMI-2, Slurm sees no connection between a process that is gone and the others that wait for it. */
    @ParameterizedTest
    @Fault(17)
    @EnumSource(
            mode = Mode.EXCLUDE,
            names = {"SRUN_NONE", "SRUN_PMI2"})
    void aKilledRankEndsTheWaitingOfTheOthers(Kind kind) throws Exception {
        assertThat(run(kind, "kill").status).isNotZero();
    }

    /** Only what looks as if all were well is told to the manager as such. */
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_CRAY"})
    void exitWithoutFinalizeEndsTheJob(Kind kind) throws Exception {
        Run run = run(kind, "exit", "7");
        assertThat(run.err).contains("galerna: rank 1 has ended without MPI.Finalize\n");
        assertThat(run.status).isNotZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC", "MPIRUN", "SRUN_PMI2", "SRUN_CRAY"})
    void aRankThatForgetsFinalizeDoesNotEndTheOthers(Kind kind) throws Exception {
        Run run = run(kind, "forget");
        assertThat(run.err).isEqualTo("galerna: rank 1 has ended without MPI.Finalize\n");
        assertThat(run.out.lines()).hasSize(RANKS);
        assertThat(run.status).isZero();
    }

    /** The others have each protocol once. */
    @ParameterizedTest
    @EnumSource(names = {"MPIEXEC_PORT", "SRUN_PMIX"})
    void theSameProtocolAnotherWayEndsAlike(Kind kind) throws Exception {
        ranksMayLeaveOneByOne(kind);
        anExceptionThatNobodyCatchesEndsTheJob(kind);
        exitWithoutFinalizeEndsTheJob(kind);
        aRankThatForgetsFinalizeDoesNotEndTheOthers(kind);
    }

    @Test
    void slurmWithoutPmiIsRefusedWithAdvice() throws Exception {
        Run run = run(Kind.SRUN_NONE, "exchange");
        assertThat(run.err)
                .contains("this process is task 2 of 3 of Slurm's step ")
                .contains("use srun --mpi=pmix or srun --mpi=pmi2");
        assertThat(run.status).isEqualTo(1);
    }

    @Test
    void eachProcessCanBeMadeAJobOfItsOwn() throws Exception {
        Run run = run(Kind.SRUN_NONE, List.of("-Dgalerna.wireup=none"), "alone");
        assertThat(run.out.lines()).hasSize(RANKS).allMatch(line -> line.equals("alone"));
        assertThat(run.status).isZero();
    }
}
