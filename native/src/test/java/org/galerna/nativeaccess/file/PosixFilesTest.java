package org.galerna.nativeaccess.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class PosixFilesTest {
    @TempDir
    private Path path;

    private PosixFiles files;
    private int folder;

    @BeforeEach
    void openTheFolder() throws IOException {
        assertThat(PosixFiles.unavailable()).isEmpty();
        files = PosixFiles.instance().orElseThrow();
        folder = files.openFolder(path.toString());
    }

    @AfterEach
    void closeTheFolder() {
        files.close(folder);
    }

    private static void fails(int errno, ThrowingCallable call) {
        assertThatExceptionOfType(SystemCallException.class)
                .isThrownBy(call)
                .satisfies(thrown -> assertThat(thrown.errno()).isEqualTo(errno));
    }

    @Test
    void aFileThatIsMadeIsItsOwnersAloneAndIsMadeOnce() throws IOException {
        int file = files.create(folder, "file");
        fails(SystemCallException.EEXIST, () -> files.create(folder, "file"));
        fails(SystemCallException.ENOENT, () -> files.open(folder, "other"));
        PosixFiles.Status status = files.status(file);
        assertThat(status.user()).isEqualTo(files.user());
        assertThat(status.permissions()).isEqualTo(0600);
        assertThat(status.regular()).isTrue();
        assertThat(status.folder()).isFalse();
        assertThat(status.bytes()).isZero();
        assertThat(status.links()).isOne();
        assertThat(status.inode()).isEqualTo((long) Files.getAttribute(path.resolve("file"), "unix:ino"));
        files.rename(folder, "file", "another");
        assertThat(path.resolve("another")).exists();
        assertThat(files.remove(folder, "another")).isTrue();
        assertThat(files.remove(folder, "another")).isFalse();
        assertThat(files.status(file).links()).isZero();
        files.close(file);
    }

    @Test
    void foldersAreTheirOwnersAlone() throws IOException {
        files.makeFolder(folder, "inner");
        fails(SystemCallException.EEXIST, () -> files.makeFolder(folder, "inner"));
        assertThat(Files.getPosixFilePermissions(path.resolve("inner")))
                .isEqualTo(PosixFilePermissions.fromString("rwx------"));
        int inner = files.openFolder(folder, "inner");
        assertThat(files.status(inner).folder()).isTrue();
        files.close(files.create(inner, "file"));
        assertThat(files.removeFolder(folder, "inner")).isFalse();
        assertThat(files.remove(inner, "file")).isTrue();
        assertThat(files.removeFolder(folder, "inner")).isTrue();
        files.close(inner);
    }

    @Test
    void symbolicLinksAreNotFollowed() throws IOException {
        Files.createDirectory(path.resolve("real"));
        Files.createSymbolicLink(path.resolve("link"), path.resolve("real"));
        Files.createSymbolicLink(path.resolve("nowhere"), path.resolve("missing"));
        assertThatExceptionOfType(SystemCallException.class).isThrownBy(() -> files.openFolder(folder, "link"));
        fails(SystemCallException.EEXIST, () -> files.create(folder, "nowhere"));
        fails(SystemCallException.ELOOP, () -> files.openOrCreate(folder, "nowhere"));
        fails(SystemCallException.ELOOP, () -> files.open(folder, "nowhere"));
        assertThat(path.resolve("missing")).doesNotExist();
    }

    @Test
    void twoMappingsShareMemoryUntilTheyAreReleased() throws IOException {
        int file = files.create(folder, "file");
        files.reserve(file, 100_000);
        assertThat(files.status(file).bytes()).isEqualTo(100_000);
        AtomicBoolean released = new AtomicBoolean();
        try (Arena arena = Arena.ofShared()) {
            MemorySegment one = files.map(file, 100_000, arena);
            MemorySegment other = files.map(file, 4096, 95_904, arena, () -> released.set(true));
            assertThat(one.byteSize()).isEqualTo(100_000);
            one.set(ValueLayout.JAVA_LONG, 4096, 42);
            assertThat(other.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(42);
            assertThat(released).isFalse();
        }
        assertThat(released).isTrue();
        files.close(file);
    }

    @Test
    void aFileSystemThatIsFullIsToldBeforeAnythingIsWritten() throws Exception {
        Path full = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(full));
        int shared = files.openFolder(full.toString());
        String name = "galerna-test-" + ProcessHandle.current().pid();
        int file = files.create(shared, name);
        assertThat(files.remove(shared, name)).isTrue();
        long more = Files.getFileStore(full).getTotalSpace() + (1L << 30);
        fails(SystemCallException.ENOSPC, () -> files.reserve(file, more));
        files.close(file);
        files.close(shared);
    }

    @Test
    void locksBelongToTheOpenFileAndEndWithIt() throws IOException {
        int one = files.create(folder, "file");
        int other = files.open(folder, "file");
        assertThat(files.tryLock(one, 5)).isTrue();
        assertThat(files.tryLock(other, 5)).isFalse();
        assertThat(files.tryLock(other, 6)).isTrue();
        assertThat(files.isLockedByOthers(other, 5, 1)).isTrue();
        assertThat(files.isLockedByOthers(other, 6, 1)).isFalse();
        assertThat(files.isLockedByOthers(one, 0, 0)).isTrue();
        files.unlock(other, 6);
        assertThat(files.isLockedByOthers(one, 0, 0)).isFalse();
        int third = files.open(folder, "file");
        files.close(third); // the locks of POSIX would be gone with this
        assertThat(files.isLockedByOthers(other, 5, 1)).isTrue();
        files.close(one);
        assertThat(files.isLockedByOthers(other, 5, 1)).isFalse();
        files.close(other);
    }

    @Test
    void theWholeLockIsForOneWhoIsAlone() throws IOException {
        int one = files.create(folder, "file");
        int other = files.open(folder, "file");
        assertThat(files.tryLock(one, 1L << 40)).isTrue();
        assertThat(files.tryLockAll(other)).isFalse();
        assertThat(files.isLockedAloneByOthers(other, 1L << 40)).isTrue();
        assertThat(files.isLockedAloneByOthers(other, 5)).isFalse();
        files.unlock(one, 1L << 40);
        assertThat(files.tryLockAll(other)).isTrue();
        assertThat(files.tryLock(one, 5)).isFalse();
        assertThat(files.isLockedByOthers(one, 5, 1)).isTrue();
        assertThat(files.isLockedAloneByOthers(one, 5)).isFalse();
        files.close(other);
        assertThat(files.tryLockAll(one)).isTrue();
        files.close(one);
    }

    @Test
    void aSecondNameIsGivenOnlyIfItIsFree() throws IOException {
        int one = files.create(folder, "one");
        int other = files.create(folder, "other");
        files.link(folder, "one", "second");
        assertThat(files.status(one).links()).isEqualTo(2);
        fails(SystemCallException.EEXIST, () -> files.link(folder, "other", "second"));
        assertThat((long) Files.getAttribute(path.resolve("second"), "unix:ino"))
                .isEqualTo(files.status(one).inode());
        assertThat(files.remove(folder, "other")).isTrue();
        fails(SystemCallException.ENOENT, () -> files.link(folder, "other", "third"));
        files.close(one);
        files.close(other);
    }
}
