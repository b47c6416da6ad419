package org.galerna.link.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.galerna.link.CommunicationException;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.process.PeerTimeout;
import org.galerna.link.shm.file.UserFolder;
import org.galerna.link.wireup.FolderWireup;
import org.galerna.link.wireup.InProcessWireup;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.RankThreads;
import org.galerna.testkit.link.LinkRank;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a job: who may get at them, what may be in them, and when they are gone. */
class ShmFilesTest {
    private static final LinkProvider PROVIDER = LinkProvider.named("shm");

    private static final FileAttribute<Set<PosixFilePermission>> OWNERS =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private SharedFolder folder;

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = new SharedFolder();
    }

    @AfterEach
    void removeTheFolder() throws IOException {
        folder.close();
    }

    private static Link open(InProcessWireup wireup) {
        return PROVIDER.open(wireup, LinkOptions.DEFAULT);
    }

    private void refusesWith(String... reasons) {
        InProcessWireup wireup = SharedFolder.newJob(1).getFirst();
        assertThat(PROVIDER.unavailable(wireup))
                .hasValueSatisfying(reason -> assertThat(reason).contains(reasons));
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> open(wireup))
                .withMessageContaining("rank 0 cannot use shared memory")
                .satisfies(thrown -> assertThat(thrown).hasMessageContainingAll((CharSequence[]) reasons));
    }

    @Test
    @Fault(12)
    void filesAreTheirOwnersAloneAndLoseTheirNamesWhenThePeerHasThem() {
        List<InProcessWireup> job = SharedFolder.newJob(2);
        RankThreads.run(2, me -> {
            try (LinkRank rank = LinkRank.open(PROVIDER, job.get(me), LinkOptions.DEFAULT)) {
                rank.sendLong(1 - me, 1);
                rank.receiveLong(1 - me);
                rank.wireup().fence();
                if (me == 0) {
                    assertThat(folder.contents())
                            .allSatisfy(each -> assertThat(Files.getPosixFilePermissions(each))
                                    .isEqualTo(PosixFilePermissions.fromString(
                                            Files.isDirectory(each) ? "rwx------" : "rw-------")));
                    try (Stream<Path> files = Files.list(folder.job(job.getFirst()))) {
                        assertThat(files.map(Path::getFileName)).containsExactly(Path.of("0.board"));
                    }
                }
                rank.wireup().fence();
            }
        });
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    @Fault(12)
    void aLinkInPlaceOfTheFolderIsRefused() throws IOException {
        Path elsewhere = Files.createDirectory(folder.path().resolve("elsewhere"), OWNERS);
        Files.createSymbolicLink(folder.user(), elsewhere);
        refusesWith(folder.user().toString(), "something else");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    @Fault(12)
    void aFileInPlaceOfTheFolderIsRefused() throws IOException {
        Files.createFile(folder.user());
        refusesWith(folder.user().toString(), "something else");
    }

    @Test
    @Fault(12)
    void aFolderThatOthersCanEnterIsRefused() throws IOException {
        Files.createDirectory(folder.user());
        Files.setPosixFilePermissions(
                folder.user(), Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OTHERS_EXECUTE));
        refusesWith(folder.user().toString(), "chmod 700");
    }

    @Test
    @Fault(12)
    void aFolderOfAnotherUserIsRefused() throws Exception {
        assumeTrue(PosixFiles.instance().orElseThrow().user() == 0, "only root can give a folder away");
        Files.createDirectory(folder.user(), OWNERS);
        Files.setAttribute(folder.user(), "unix:uid", 12345);
        refusesWith(folder.user().toString(), "belongs to user 12345");
    }

    @Test
    @Fault(12)
    void aLinkPlantedForAJobIsRefused() throws IOException {
        InProcessWireup wireup = SharedFolder.newJob(1).getFirst();
        Files.createDirectory(folder.user(), OWNERS);
        Path victim = Files.writeString(folder.path().resolve("victim"), "untouched");
        Files.createSymbolicLink(folder.job(wireup), folder.path());
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> open(wireup))
                .withMessageContaining("something else");
        assertThat(victim).hasContent("untouched");
    }

    @Test
    @Fault(8)
    void aMissingBaseIsNamed() {
        System.setProperty(UserFolder.BASE, "/no/such/folder");
        refusesWith("/no/such/folder", UserFolder.BASE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "0", "-4", "4s", "99999999999"})
    void aTimeoutThatIsNoNumberOfSecondsIsNamed(String timeout) throws IOException {
        System.setProperty(PeerTimeout.PROPERTY, timeout);
        try {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> open(SharedFolder.newJob(1).getFirst()))
                    .withMessageContaining(PeerTimeout.PROPERTY)
                    .withMessageContaining("\"" + timeout + "\"");
        } finally {
            System.clearProperty(PeerTimeout.PROPERTY);
        }
        assertThat(folder.contents()).isEmpty();
    }

    @Test
    @Fault({13, 28})
    void aFullFileSystemIsAClearErrorAndNoCrash() throws Exception {
        assumeTrue(PosixFiles.instance().orElseThrow().user() == 0, "only root can mount a small file system");
        Path small = Files.createDirectory(folder.path().resolve("small"));
        run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", small.toString());
        try {
            System.setProperty(UserFolder.BASE, small.toString());
            List<InProcessWireup> job = SharedFolder.newJob(2);
            try (Link one = open(job.getFirst());
                    Link other = open(job.getLast())) {
                for (Link each : List.of(one, other)) {
                    assertThatExceptionOfType(CommunicationException.class)
                            .isThrownBy(() -> each.connect(0))
                            .withMessageContaining("no room")
                            .withMessageContaining(small.toString())
                            .withMessageContaining(UserFolder.BASE);
                }
            }
            assertThat(small).isEmptyDirectory();
        } finally {
            run("umount", "--lazy", small.toString()); // memory stays mapped until it is collected
        }
    }

    private static void run(String... command) throws IOException, InterruptedException {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor())
                .as(String.join(" ", command))
                .isZero();
    }

    @Test
    @Fault({6, 13})
    void aBoardOfAnotherVersionIsRefused() throws IOException {
        List<InProcessWireup> job = SharedFolder.newJob(2);
        try (Link link = open(job.getFirst())) {
            Path board = folder.job(job.getFirst()).resolve("0.board");
            byte[] sound = Files.readAllBytes(board);
            try (FileChannel file = FileChannel.open(board, StandardOpenOption.WRITE)) {
                file.write(ByteBuffer.wrap(new byte[] {77}), 0);
                assertThatExceptionOfType(CommunicationException.class)
                        .isThrownBy(() -> open(job.getLast()))
                        .withMessageContaining(board.toString())
                        .withMessageContaining("same version");
                file.write(ByteBuffer.wrap(sound, 0, 1), 0);
            }
            assertThat(link.poll(NoFrames.INSTANCE, 1)).isZero();
        }
    }

    @Test
    @Fault(13)
    void aBoardThatIsCutOffIsRefused() throws IOException {
        List<InProcessWireup> job = SharedFolder.newJob(2);
        Files.createDirectories(folder.job(job.getFirst()), OWNERS);
        Path board = Files.write(folder.job(job.getFirst()).resolve("0.board"), new byte[100]);
        PosixFiles files = PosixFiles.instance().orElseThrow();
        int opened = files.openFolder(board.getParent().toString());
        int held = files.open(opened, "0.board");
        assertThat(files.tryLock(held, 0)).isTrue(); // by its maker; otherwise it is what the dead have left
        assertThatExceptionOfType(CommunicationException.class)
                .isThrownBy(() -> open(job.getLast()))
                .withMessageContaining("0.board")
                .withMessageContaining("100 bytes");
        files.close(held);
        files.close(opened);
        open(job.getLast()).close(); // its next attachment, which removes nothing of the first
        open(SharedFolder.newJob(1).getFirst()).close();
        assertThat(folder.user()).doesNotExist();
    }

    @Test
    void nobodyCanBeARankThatIsThere() throws IOException {
        Path meeting = Files.createDirectory(folder.path().resolve("meeting"));
        try (Link link = PROVIDER.open(new FolderWireup(meeting, 0, 1), LinkOptions.DEFAULT)) {
            assertThatExceptionOfType(CommunicationException.class)
                    .isThrownBy(() -> PROVIDER.open(new FolderWireup(meeting, 0, 1), LinkOptions.DEFAULT))
                    .withMessageContaining("rank 0 already");
            assertThat(link.poll(NoFrames.INSTANCE, 1)).isZero();
        }
    }

    @Test
    @Fault({12, 16})
    void aJobFolderThatNobodyUsesIsRemovedWhateverIsInIt() throws IOException {
        Path stale = folder.user().resolve("some-job-0123456789abcdef");
        Files.createDirectories(stale, OWNERS);
        Files.write(stale.resolve("0.board"), new byte[4096]);
        Files.write(stale.resolve("0.frames-0-1.0"), new byte[4096]);
        Files.write(stale.resolve("0.frames-0-1.1~"), new byte[4096]);
        try (Link link = open(SharedFolder.newJob(1).getFirst())) {
            assertThat(link.name()).isEqualTo("shm");
            assertThat(stale).doesNotExist();
        }
        assertThat(folder.contents()).isEmpty();
    }

    @Test
    @Fault(27)
    void memoryForMessagesHasANameUntilNobodyHoldsIt() throws IOException {
        InProcessWireup wireup = SharedFolder.newJob(1).getFirst();
        try (Link link = open(wireup)) {
            Path file = folder.job(wireup).resolve("0.memory-0.1");
            allocateAndForget(link);
            assertThat(file).exists();
            Deadline.after(RankThreads.LIMIT).await("the memory is collected", () -> {
                System.gc();
                return !Files.exists(file);
            });
        }
    }

    private static void allocateAndForget(Link link) {
        assertThat(link.rma().allocate(100_000, Arena.ofAuto()).orElseThrow().byteSize())
                .isEqualTo(100_000);
    }

    @Test
    @Fault({20, 27})
    @Tag("slow")
    void aThousandChannelsLeaveNeitherNamesNorOpenFiles() throws IOException {
        InProcessWireup wireup = SharedFolder.newJob(1).getFirst();
        try (LinkRank rank = LinkRank.open(PROVIDER, wireup, LinkOptions.DEFAULT)) {
            long before = openFiles();
            for (int number = 0; number < 1000; number++) {
                rank.sendLong(0, number);
                rank.link().connect(0).close();
                assertThat(rank.receiveLong(0)).isEqualTo(number);
            }
            try (Stream<Path> files = Files.list(folder.job(wireup))) {
                assertThat(files.map(Path::getFileName)).containsExactly(Path.of("0.board"));
            }
            assertThat(openFiles()).isLessThan(before + 20);
        }
    }

    private static long openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }

    @Test
    void sixtyFourRanksHaveAQueueEachAndRingsWhereTheyTalkMuch() {
        int ranks = 64;
        int many = 40;
        List<InProcessWireup> job = SharedFolder.newJob(ranks);
        RankThreads.run(ranks, me -> {
            try (LinkRank rank = LinkRank.open(PROVIDER, job.get(me), LinkOptions.DEFAULT)) {
                int next = (me + 1) % ranks;
                int before = (me + ranks - 1) % ranks;
                rank.sendLong(next, me);
                assertThat(rank.receiveLong(before)).isEqualTo(before);
                rank.wireup().fence();
                if (me == 0) {
                    assertThat(sizes(".frames-")).isEmpty();
                    assertThat(sizes(".queue-"))
                            .hasSize(ranks)
                            .allSatisfy(size -> assertThat(size / ranks)
                                    .as("bytes for each peer of a rank")
                                    .isLessThan(4 * 1024));
                    Path board = folder.job(job.getFirst()).resolve("0.board");
                    assertThat(Files.size(board) / ranks)
                            .as("memory for a peer that is never talked to")
                            .isLessThan(1024);
                }
                rank.wireup().fence();
                for (int number = 0; number < many; number++) {
                    rank.sendLong(next, number);
                }
                rank.wireup().fence();
                if (me == 0) {
                    assertThat(sizes(".frames-"))
                            .hasSize(ranks)
                            .allSatisfy(size -> assertThat(size).isLessThan(32 * 1024));
                }
                rank.wireup().fence();
                for (int number = 0; number < many; number++) {
                    assertThat(rank.receiveLong(before)).isEqualTo(number);
                }
            }
        });
    }

    private List<Long> sizes(String part) throws IOException {
        List<Long> sizes = new ArrayList<>();
        for (Path each : folder.contents()) {
            if (each.toString().contains(part)) {
                sizes.add(Files.size(each));
            }
        }
        return sizes;
    }
}
