package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.galerna.launch.watch.ThreadWait.Frame;
import org.galerna.launch.watch.ThreadWait.Kind;
import org.junit.jupiter.api.Test;

class ThreadWaitTest {
    private static Kind kind(Thread.State state, String... frames) {
        return ThreadWait.of(
                        state,
                        Arrays.stream(frames)
                                .map(frame -> new Frame(
                                        frame.substring(0, frame.lastIndexOf('.')),
                                        frame.substring(frame.lastIndexOf('.') + 1)
                                                .replace("!", ""),
                                        frame.endsWith("!")))
                                .toList())
                .kind();
    }

    @Test
    void aThreadThatComputesOrIsYetToBeginGoesOn() {
        assertThat(kind(Thread.State.RUNNABLE, "Main.compute", "Main.main")).isEqualTo(Kind.RUNS);
        assertThat(kind(Thread.State.RUNNABLE)).isEqualTo(Kind.RUNS);
        assertThat(kind(Thread.State.RUNNABLE, "java.lang.System.arraycopy!", "Main.main"))
                .isEqualTo(Kind.RUNS);
    }

    @Test
    void aThreadThatWaitsForAnotherOneDoesNot() {
        assertThat(kind(Thread.State.WAITING, "java.lang.Object.wait0!", "Main.main"))
                .isEqualTo(Kind.ANOTHER_THREAD);
        assertThat(kind(Thread.State.BLOCKED, "Main.main")).isEqualTo(Kind.ANOTHER_THREAD);
        assertThat(kind(Thread.State.TERMINATED)).isEqualTo(Kind.NOTHING);
    }

    @Test
    void whatComesFromOutsideMayCome() {
        List<String> calls = List.of(
                "sun.nio.ch.Net.accept!",
                "sun.nio.ch.EPoll.wait!",
                "java.io.FileInputStream.readBytes!",
                "java.lang.ProcessHandleImpl.waitForProcessExit0!",
                "sun.nio.fs.LinuxWatchService.poll!",
                "org.example.Library.await!");
        assertThat(calls).allMatch(call -> kind(Thread.State.RUNNABLE, call) == Kind.OUTSIDE);
        List<String> waits = List.of(
                "sun.nio.ch.Poller.poll",
                "java.lang.ProcessImpl.waitFor",
                "sun.nio.fs.AbstractWatchService.take",
                "java.lang.ref.ReferenceQueue.remove");
        assertThat(waits)
                .allMatch(call -> kind(Thread.State.WAITING, "java.util.concurrent.locks.LockSupport.park", call)
                        == Kind.OUTSIDE);
    }

    @Test
    void timePassesUnlessNothingComesOfIt() {
        assertThat(kind(Thread.State.TIMED_WAITING, "java.lang.Thread.sleep0!", "Main.main"))
                .isEqualTo(Kind.OUTSIDE);
        assertThat(kind(
                        Thread.State.TIMED_WAITING,
                        "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue.take",
                        "java.util.concurrent.ThreadPoolExecutor.getTask"))
                .isEqualTo(Kind.OUTSIDE);
        assertThat(kind(
                        Thread.State.TIMED_WAITING,
                        "java.util.concurrent.SynchronousQueue.poll",
                        "java.util.concurrent.ThreadPoolExecutor.getTask"))
                .isEqualTo(Kind.NOTHING);
        assertThat(kind(Thread.State.TIMED_WAITING, "java.util.concurrent.ForkJoinPool.awaitWork"))
                .isEqualTo(Kind.NOTHING);
    }
}
