package org.galerna.link.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.memory.SystemRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which folders a sweep removes, and which it never touches. */
class TemporaryFolderTest {
    private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    private static final int NOBODY = 65534;

    @TempDir
    Path temporary;

    @TempDir
    Path elsewhere;

    private final List<Process> processes = new ArrayList<>();
    private Path file;

    @BeforeEach
    void writeSomething() throws IOException {
        file = Files.writeString(elsewhere.resolve("file"), "of the user");
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Process each : processes) {
            each.destroyForcibly().waitFor();
        }
    }

    private Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                TemporaryFolderProgram.class.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    private static String line(Process process) throws IOException {
        BufferedReader lines = process.inputReader();
        return String.valueOf(lines.readLine());
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void sweepInAnotherProcess() throws Exception {
        assertThat(start("sweep", temporary.toString()).waitFor()).isZero();
    }

    private Path leave(String name, String... files) throws IOException {
        Path folder = Files.createDirectory(
                temporary.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        for (String each : files) {
            Files.createFile(folder.resolve(each));
        }
        return folder;
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> all = Files.list(temporary)) {
            return all.filter(each -> !each.getFileName().toString().startsWith("hsperfdata"))
                    .toList();
        }
    }

    @Test
    void theFolderOfAProcessThatLivesStaysAndThatOfOneThatWasKilledGoes() throws Exception {
        Process maker = start("make", elsewhere.toString());
        Path folder = Path.of(line(maker));
        TemporaryFolder.removeStale(temporary);
        assertThat(folder.resolve("of/classes/A.class")).exists();
        kill(maker);
        assertThat(folder).exists();
        TemporaryFolder.removeStale(temporary);
        assertThat(left()).isEmpty();
        assertThat(file).hasContent("of the user");
    }

    @Test
    void aFolderStaysAsLongAsAnybodyKeepsIt() throws Exception {
        Process maker = start("make", elsewhere.toString());
        Path folder = Path.of(line(maker));
        Process user = start("keep", folder.toString());
        assertThat(line(user)).isEqualTo("kept");
        kill(maker);
        TemporaryFolder.removeStale(temporary);
        assertThat(folder.resolve("of/classes/A.class")).exists();
        kill(user);
        TemporaryFolder.removeStale(temporary);
        assertThat(left()).isEmpty();
    }

    @Test
    void aFolderUntilTheEndGoesWithItsProcess() throws Exception {
        Process maker = start("end");
        assertThat(line(maker)).startsWith(temporary + "/galerna-test-");
        assertThat(maker.waitFor()).isZero();
        assertThat(left()).isEmpty();
    }

    @Test
    void theNextFolderIsMadeAfterASweep() throws Exception {
        Process killed = start("make", elsewhere.toString());
        Path folder = Path.of(line(killed));
        kill(killed);
        Path next = Path.of(line(start("make", elsewhere.toString())));
        assertThat(folder).doesNotExist();
        assertThat(left()).containsExactly(next);
    }

    @Test
    void whatOnlyLooksLikeOneIsNotTouched() throws Exception {
        Process killed = start("make", elsewhere.toString());
        Path stale = Path.of(line(killed));
        kill(killed);
        Path link =
                Files.createSymbolicLink(temporary.resolve("galerna-test-1"), leave("mine", ".galerna-lock", "file"));
        Path linkToStale = Files.createSymbolicLink(
                elsewhere.resolve("galerna-test-2"), Files.move(stale, elsewhere.resolve("galerna-other-3")));
        Path lockIsALink = leave("galerna-test-4", "file");
        Files.createSymbolicLink(lockIsALink.resolve(".galerna-lock"), file);
        Path openToAll = leave("galerna-test-5", ".galerna-lock");
        Files.setPosixFilePermissions(openToAll, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path ofTheUser = leave("galerna-test-6", "file");
        Path notOurName = leave("galerna-checkout-of-mine", ".galerna-lock");
        Path regular = Files.createFile(temporary.resolve("galerna-test-7"));
        Path beginning = leave("galerna-test-8");
        for (Path each : List.of(lockIsALink, openToAll, ofTheUser, notOurName, regular)) {
            Files.setLastModifiedTime(each, LONG_AGO);
        }
        sweepInAnotherProcess();
        assertThat(left())
                .containsExactlyInAnyOrder(
                        link,
                        temporary.resolve("mine"),
                        lockIsALink,
                        openToAll,
                        ofTheUser,
                        notOurName,
                        regular,
                        beginning);
        assertThat(link.resolve("file")).exists();
        assertThat(linkToStale.resolve("of/classes/A.class")).exists();
        assertThat(ofTheUser.resolve("file")).exists();
        assertThat(file).hasContent("of the user");
    }

    @Test
    void aFolderOfAnotherUserIsNotTouched() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root gives files away");
        Process killed = start("make", elsewhere.toString());
        Path folder = Path.of(line(killed));
        kill(killed);
        Files.setAttribute(folder, "unix:uid", NOBODY);
        sweepInAnotherProcess();
        assertThat(folder.resolve("of/classes/A.class")).exists();
        Files.setAttribute(folder, "unix:uid", 0);
        sweepInAnotherProcess();
        assertThat(folder).doesNotExist();
    }

    @Test
    void whatWasLeftInTheMomentOfMakingItGoesAfterAnHour() throws Exception {
        Path empty = leave("galerna-test-1");
        Path unlocked = leave("galerna-test-2", ".galerna-draft");
        sweepInAnotherProcess();
        assertThat(left()).containsExactlyInAnyOrder(empty, unlocked);
        Files.setLastModifiedTime(empty, LONG_AGO);
        Files.setLastModifiedTime(unlocked, LONG_AGO);
        sweepInAnotherProcess();
        assertThat(left()).isEmpty();
    }

    /** Hosts may share a file system, and no locks on it. */
    @Test
    void aFolderOfAnotherHostIsNotTouched() throws Exception {
        Path folder = leave("galerna-test-1", "file");
        Files.writeString(folder.resolve(".galerna-lock"), "a host with another name");
        Files.setLastModifiedTime(folder, LONG_AGO);
        sweepInAnotherProcess();
        assertThat(folder.resolve("file")).exists();
    }

    /** The system takes all locks of a process on a file if it closes one that it has opened. */
    @Test
    void aFolderThatAnotherClassLoaderOfTheProcessHasMadeStays() throws Exception {
        List<URL> places = new ArrayList<>();
        for (Class<?> each : List.of(TemporaryFolder.class, SystemRandom.class)) {
            places.add(each.getProtectionDomain().getCodeSource().getLocation());
        }
        try (URLClassLoader loader =
                new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> other = loader.loadClass(TemporaryFolder.class.getName());
            Object made = other.getMethod("makeIn", Path.class, String.class).invoke(null, temporary, "test");
            TemporaryFolder.removeStale(temporary);
            sweepInAnotherProcess();
            assertThat(left()).containsExactly((Path) other.getMethod("path").invoke(made));
            other.getMethod("close").invoke(made);
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void aThreadThatIsInterruptedMakesOneAndStaysInterrupted() throws Exception {
        Thread.currentThread().interrupt();
        TemporaryFolder made = TemporaryFolder.makeIn(temporary, "test");
        assertThat(Thread.interrupted()).isTrue();
        sweepInAnotherProcess();
        assertThat(left()).containsExactly(made.path());
        made.close();
        assertThat(left()).isEmpty();
    }
}
