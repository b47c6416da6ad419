package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Locks of files between ranks, which are as those between processes. */
class LocksTest {
    @TempDir
    Path folder;

    private Run run(int ranks, String body) {
        Programs.compile(folder, """
                import java.nio.channels.*;
                import java.nio.file.*;
                import mpi.*;

                public class Main {
                    static int rank;

                    static void barrier() {
                        MPI.COMM_WORLD.Barrier();
                    }

                    static void show(String text) {
                        System.out.println(rank + " " + text);
                    }

                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        rank = MPI.COMM_WORLD.Rank();
                        try (FileChannel file = FileChannel.open(Path.of(args[0]),
                                StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                """ + body + """
                        }
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, ranks, "Main", folder.resolve("file").toString());
        assertThat(run.report()).isEmpty();
        return run;
    }

    /** The lock that another rank has is of another file. */
    @Test
    void aRankThatLocksTwiceIsToldSoWhateverOthersLock() {
        Run run = run(2, """
                try (FileChannel own = FileChannel.open(Path.of(args[0] + rank),
                        StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock first = own.lock(0, 10, false)) {
                    barrier();
                    try {
                        show("second " + own.tryLock(5, 10, false));
                    } catch (OverlappingFileLockException twice) {
                        show("tryLock");
                    }
                    try {
                        show("second " + own.lock());
                    } catch (OverlappingFileLockException twice) {
                        show("lock");
                    }
                    show("beyond " + own.tryLock(10, 5, false).isValid());
                    barrier();
                }
                """);
        assertThat(run.sortedLines())
                .containsExactly("0 beyond true", "0 lock", "0 tryLock", "1 beyond true", "1 lock", "1 tryLock");
    }

    @Test
    void aSecondRankGetsNoLockAndWaitsForOne() {
        Run run = run(2, """
                if (rank == 0) {
                    FileLock lock = file.lock();
                    barrier();
                    barrier();
                    MPI.COMM_WORLD.Recv(new byte[1], 0, 1, MPI.BYTE, 1, 0);
                    Thread waiting = Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().equals("rank-1")).findFirst().get();
                    while (waiting.getState() != Thread.State.TIMED_WAITING) {
                        Thread.onSpinWait();
                    }
                    System.out.println("releases " + lock.isValid());
                    System.out.flush();
                    file.write(java.nio.ByteBuffer.wrap(new byte[] {1}));
                    lock.release();
                } else {
                    barrier();
                    show("" + file.tryLock());
                    show("" + file.tryLock(5, 1, false));
                    try (AsynchronousFileChannel other = AsynchronousFileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE)) {
                        show("" + other.tryLock());
                    }
                    barrier();
                    MPI.COMM_WORLD.Send(new byte[1], 0, 1, MPI.BYTE, 0, 0);
                    try (FileLock lock = file.lock()) {
                        show("locked " + lock.isValid() + " " + file.size());
                    }
                }
                """);
        assertThat(run.sortedLines()).containsExactly("1 locked true 1", "1 null", "1 null", "1 null", "releases true");
    }

    @Test
    void ranksShareALock() {
        Run run = run(3, """
                if (rank < 2) {
                    try (FileLock lock = rank == 0 ? file.lock(0, 10, true) : file.tryLock(0, 10, true)) {
                        show("shared " + lock.isShared());
                        barrier();
                        barrier();
                        if (rank == 0) {
                            lock.release();
                        }
                        barrier();
                        barrier();
                    }
                } else {
                    barrier();
                    show("both " + file.tryLock());
                    barrier();
                    barrier();
                    show("one " + file.tryLock());
                    barrier();
                }
                barrier();
                if (rank == 2) {
                    show("free " + (file.tryLock() != null));
                }
                """);
        assertThat(run.sortedLines())
                .containsExactly("0 shared true", "1 shared true", "2 both null", "2 free true", "2 one null");
    }

    @Test
    void everyRankThatAsksForASharedLockGetsItWheneverItAsks() {
        Run run = run(2, """
                int refused = 0;
                for (int turn = 0; turn < 5000; turn++) {
                    try (FileLock lock = file.tryLock(0, 10, true)) {
                        refused += lock == null ? 1 : 0;
                    }
                }
                show("refused " + refused);
                """);
        assertThat(run.sortedLines()).containsExactly("0 refused 0", "1 refused 0");
    }

    @Test
    void aRankThatLocksTwiceMakesAMistake() {
        Run run = run(2, """
                if (rank == 0) {
                    FileLock first = file.lock(0, 10, false);
                    FileLock apart = file.lock(10, 10, false);
                    try {
                        file.tryLock(5, 10, false);
                    } catch (OverlappingFileLockException mistake) {
                        show("mistake");
                    }
                    first.release();
                    apart.release();
                }
                barrier();
                """);
        assertThat(run.out()).isEqualTo("0 mistake\n");
    }

    @Test
    void theEndOfARankReleasesItsLocks() {
        Run run = run(2, """
                if (rank == 0) {
                    file.lock();
                    barrier();
                    MPI.Finalize();
                    System.exit(0);
                }
                barrier();
                show("locked " + file.lock().isValid());
                """);
        assertThat(run.out()).isEqualTo("1 locked true\n");
    }

    /** While one rank tries, the other one lets go: by a release, by a close, of its own or a common lock. */
    @Test
    void aLockThatAnotherRankGivesUpMeanwhileIsNoMistake() {
        Run run = run(2, """
                int count = 0;
                for (int turn = 0; turn < 2000; turn++) {
                    try (FileChannel again = FileChannel.open(Path.of(args[0]), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                        boolean shared = (turn / 2 + rank) % 3 == 0;
                        FileLock lock = turn % 5 == 0 ? again.tryLock(0, 10, shared) : again.lock(0, 10, shared);
                        if (lock != null && turn % 2 == 0) {
                            lock.release();
                        }
                        count++;
                    }
                }
                show("turns " + count);
                """);
        assertThat(run.out().lines()).containsExactlyInAnyOrder("0 turns 2000", "1 turns 2000");
    }
}
