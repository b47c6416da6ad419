package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.shm.attachment.Admission;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.UserFolder;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How ranks come to the files of a job and go, all at once and in any order. */
class AdmissionTest {
    private static final String JOB = "job";
    private static final int RANKS = 3;

    private SharedFolder folder;

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = new SharedFolder();
    }

    @AfterEach
    void removeTheFolder() throws IOException {
        folder.close();
    }

    private static Admission.Place enter(String job, int attachment, int rank) {
        return enter(job, attachment, rank, RANKS);
    }

    private static Admission.Place enter(String job, int attachment, int rank, int ranks) {
        try {
            Admission.Place place = Admission.enter(job, attachment, rank, ranks);
            place.board().enter(rank, false);
            return place;
        } catch (IOException failed) {
            throw new AssertionError("rank " + rank + " of " + job, failed);
        }
    }

    private static void leave(Admission.Place place, int attachment, int rank) {
        try {
            Admission.leave(place, attachment, rank);
        } catch (IOException failed) {
            throw new AssertionError("rank " + rank, failed);
        }
    }

    /** Gives the locks back and removes nothing, as the system does for a process that is killed. */
    private static void die(Admission.Place place) {
        PosixFiles files = place.folder().files();
        try {
            files.unlockAll(place.board().descriptor());
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
        files.close(place.board().descriptor());
        place.folder().close();
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(RankThreads.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    @Test
    @Fault({16, 20})
    void allRanksHaveOneBoardHoweverTheirStartsAndEndsMeet() throws IOException {
        long seed = System.nanoTime();
        System.out.println("AdmissionTest seed " + seed);
        int rounds = 150;
        CyclicBarrier together = new CyclicBarrier(RANKS);
        AtomicInteger running = new AtomicInteger(RANKS);
        RankThreads.run(RANKS + 2, me -> {
            SplittableRandom random = new SplittableRandom(seed + me);
            if (me < RANKS) {
                for (int round = 0; round < rounds; round++) {
                    Admission.Place place = enter(JOB, round, me);
                    place.board().beat(me);
                    await(together);
                    for (int rank = 0; rank < RANKS; rank++) {
                        assertThat(place.board().heartbeat(rank))
                                .as("seed %s, round %s: what rank %s has written", seed, round, rank)
                                .isOne();
                    }
                    await(together);
                    if (random.nextInt(4) == 0) {
                        die(place);
                    } else {
                        leave(place, round, me);
                    }
                }
                running.decrementAndGet();
            } else {
                // other jobs come and go, remove what is dead, and are killed
                for (int number = 0; running.get() > 0; number++) {
                    Admission.Place place = enter("other-" + me + "-" + number % 3, 0, 0);
                    if (random.nextBoolean()) {
                        die(place);
                    } else {
                        leave(place, 0, 0);
                    }
                }
            }
        });
        leave(enter("last", 0, 0), 0, 0);
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    void whoComesWhileTheLastOneGoesMakesEverythingAnew() throws IOException {
        RankThreads.run(2, me -> {
            int rounds = 250;
            for (int round = 0; round < rounds; round++) {
                int rank = me * rounds + round;
                Admission.Place place = enter(JOB, 0, rank, 2 * rounds);
                assertThat(folder.job(JOB).resolve("0.board")).exists();
                leave(place, 0, rank);
            }
        });
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    void aRankThatIsThereIsNamedToWhoComesAsTheSame() {
        Admission.Place place = enter(JOB, 0, 1);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Admission.enter(JOB, 0, 1, RANKS))
                .withMessageContaining("rank 1 already");
        leave(place, 0, 1);
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    @Fault(12)
    void aJobOfTheNameOfADeadOneBeginsAnew() throws IOException {
        Admission.Place dead = enter(JOB, 0, 1);
        die(dead);
        Admission.Place place = enter(JOB, 0, 1);
        assertThat(place.board().state(1)).isEqualTo(ControlPageLayout.ATTACHED);
        leave(place, 0, 1);
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    @Fault(12)
    void filesThatWereNeverCompletedAreRemoved() throws IOException {
        Path job = folder.user().resolve("killed-0123456789abcdef");
        Files.createDirectories(
                job, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.write(job.resolve("0.board~12ab"), new byte[0]);
        leave(enter(JOB, 0, 0), 0, 0);
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    @Fault(12)
    void whatKilledRanksHaveLeftIsRemovedWhereTheirSettingsSay() throws IOException {
        Admission.Place living = enter("living", 0, 1);
        die(enter(JOB, 0, 1));
        System.clearProperty(UserFolder.BASE); // as in a launcher, which has other settings
        Path above = folder.path().getParent();
        String relative = above.relativize(folder.path()).toString();
        ShmLinkProvider provider = new ShmLinkProvider();
        provider.removeLeftovers(above, name -> Optional.empty());
        assertThat(folder.job(JOB)).exists();
        provider.removeLeftovers(
                above,
                name -> Optional.ofNullable(Map.of(UserFolder.BASE, relative).get(name)));
        assertThat(folder.job(JOB)).doesNotExist();
        assertThat(folder.job("living")).exists();
        System.setProperty(UserFolder.BASE, folder.path().toString());
        leave(living, 0, 1);
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    void aBoardThatSomebodyIsMakingIsLeftToHim() throws IOException {
        Path job = folder.user().resolve("coming-0123456789abcdef");
        Files.createDirectories(
                job, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        PosixFiles files = PosixFiles.instance().orElseThrow();
        int opened = files.openFolder(job.toString());
        int file = files.create(opened, "0.board~12ab");
        assertThat(files.tryLock(file, 7)).isTrue();
        leave(enter(JOB, 0, 0), 0, 0);
        assertThat(job.resolve("0.board~12ab")).exists();
        files.close(file);
        files.close(opened);
        leave(enter(JOB, 0, 0), 0, 0);
        assertThat(folder.user()).doesNotExist();
    }
}
