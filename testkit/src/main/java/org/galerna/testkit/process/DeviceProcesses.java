package org.galerna.testkit.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every device keeps whose ranks are processes of their own and talk by a C library. */
public interface DeviceProcesses {
    /** How long anything may take. */
    Duration LONG = Duration.ofSeconds(60);

    /** Exit status of a process that SIGTERM ends. */
    int KILLED_BY_TERM = 128 + 15;

    /** Name of the device. */
    String device();

    /** Options of the virtual machines of ranks. */
    List<String> options() throws Exception;

    /** Lets ranks of a device talk, all with all, with messages of many sizes. */
    static void exchange(int size, List<String> options, String device) throws InterruptedException {
        try (RankProcesses job = RankProcesses.start(size, options, DevicePrograms.Exchange.class, device)) {
            assertThat(job.awaitExits(LONG)).as(job.rank(size - 1).err()).containsOnly(0);
            for (int rank = 0; rank < size; rank++) {
                assertThat(job.rank(rank).out()).isEqualToIgnoringWhitespace("exchanged by " + device);
                assertThat(job.rank(rank).err()).isEmpty();
            }
        }
    }

    /** Ranks talk. */
    @Test
    default void talk() throws Exception {
        exchange(2, options(), device());
    }

    /** More ranks than this machine may have processors. */
    @Test
    @Tag("slow")
    default void threeTalk() throws Exception {
        exchange(3, options(), device());
    }

    /** Neither shared memory nor sockets lock any. */
    @Fault(
            value = 28,
            on = {Where.UCX, Where.OFI})
    @Test
    @Tag("slow")
    default void whoMayLockHardlyAnyMemoryTalks() throws Exception {
        try (RankProcesses job = RankProcesses.start(
                2,
                options(),
                (rank, command) -> LockedMemory.limit(64, command),
                DevicePrograms.Exchange.class,
                device())) {
            assertThat(job.awaitExits(LONG)).as(job.rank(1).err()).containsOnly(0);
            assertThat(job.rank(1).out()).isEqualToIgnoringWhitespace("exchanged by " + device());
        }
    }

    /** A rank is killed that others wait for. */
    @Fault(
            value = 17,
            on = {Where.UCX, Where.OFI})
    @Test
    default void aKilledRankEndsCallsThatNeedIt() throws Exception {
        killTheLastThatIsNeeded("rendezvous");
    }

    /** As {@link #aKilledRankEndsCallsThatNeedIt}, with other calls. */
    @Fault(
            value = 17,
            on = {Where.UCX, Where.OFI})
    @ParameterizedTest
    @ValueSource(strings = {"receive", "probe", "poll", "synchronous", "eager"})
    @Tag("slow")
    default void aKilledRankEndsOtherCallsThatNeedIt(String call) throws Exception {
        killTheLastThatIsNeeded(call);
    }

    private void killTheLastThatIsNeeded(String call) throws Exception {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.WaitForTheLast.class, device(), call)) {
            killTheLast(job, 2);
            for (int rank = 0; rank < 2; rank++) {
                ChildProcess survivor = job.rank(rank);
                survivor.awaitOut(out -> out.contains("closed"), LONG);
                assertThat(survivor.out()).contains("failed: PROC_FAILED: ", "rank 2");
                assertThat(survivor.awaitExit(LONG)).isZero();
                assertThat(survivor.err()).isEmpty();
            }
        }
    }

    /** A rank is killed while others leave. */
    @Fault(
            value = 17,
            on = {Where.UCX, Where.OFI})
    @Test
    @Tag("slow")
    default void aKilledRankEndsTheLeavingOfTheOthers() throws Exception {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.WaitForTheLast.class, device(), "leave")) {
            killTheLast(job, 2);
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).contains("closed");
            }
        }
    }

    /** All that a receive may come from are killed. */
    @Fault(
            value = 18,
            on = {Where.UCX, Where.OFI})
    @Test
    @Tag("slow")
    default void aWildcardReceiveFailsWhenAllOthersAreKilled() throws Exception {
        try (RankProcesses job =
                RankProcesses.start(2, options(), DevicePrograms.WaitForTheLast.class, device(), "wildcard")) {
            killTheLast(job, 1);
            job.rank(0).awaitOut(out -> out.contains("closed"), LONG);
            assertThat(job.rank(0).out()).contains("all other ranks are gone");
            assertThat(job.rank(0).awaitExit(LONG)).isZero();
        }
    }

    /** A rank is killed before it has joined. */
    @Fault(
            value = 17,
            on = {Where.UCX, Where.OFI})
    @ParameterizedTest
    @ValueSource(strings = {"put", "fence", "get", "talk"})
    @Tag("slow")
    default void whoIsKilledWhileItJoinsIsNamed(String call) throws Exception {
        try (RankProcesses job =
                RankProcesses.start(3, options(), DevicePrograms.EndWhileJoining.class, device(), call)) {
            for (int rank = 0; rank < 2; rank++) {
                assertThat(job.rank(rank).awaitExit(LONG))
                        .as(job.rank(rank).err())
                        .isZero();
                assertThat(job.rank(rank).out()).contains("failed: ", "rank 2");
            }
        }
    }

    private static void killTheLast(RankProcesses job, int last) throws InterruptedException {
        for (int rank = 0; rank <= last; rank++) {
            job.rank(rank).awaitOut(out -> out.contains("ready"), LONG);
        }
        job.rank(last).signal("KILL");
    }

    /** Such libraries take the same signals, if they are not kept from it. */
    @Test
    @Tag("slow")
    default void theVirtualMachineKeepsItsSignals() throws Exception {
        try (RankProcesses job = RankProcesses.start(1, options(), DevicePrograms.Signals.class, device())) {
            ChildProcess rank = job.rank(0);
            rank.awaitOut(out -> out.contains("null was caught always"), LONG);
            rank.signal("QUIT");
            rank.awaitOut(out -> out.contains("Full thread dump"), LONG);
            rank.signal("TERM");
            assertThat(rank.awaitExit(LONG)).isEqualTo(KILLED_BY_TERM);
            assertThat(rank.out()).contains("the hook has run");
        }
    }
}
