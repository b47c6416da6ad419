package org.galerna.bench.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.galerna.bench.galerna.MpiRank;
import org.galerna.bench.galerna.ProcessRanks;
import org.galerna.bench.galerna.ThreadRanks;
import org.galerna.bench.messaging.MessagingRank;
import org.galerna.bench.sockets.SocketWork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GalernaBuildTest {
    private static final int MAJOR_VERSION_AT = 7;

    @TempDir
    private Path folder;

    /** Builds of other ages have these by these names: whoever moves one cuts all earlier builds off. */
    @Test
    void theWorkersKeepTheirNames() {
        assertThat(GalernaBuild.WORKERS)
                .containsExactly(
                        MpiRank.class.getName(),
                        ProcessRanks.class.getName(),
                        ThreadRanks.class.getName(),
                        MessagingRank.class.getName(),
                        SocketWork.class.getName());
    }

    @Test
    void aJarWithAllWorkersTakesPart() throws Exception {
        Path jar = jar("Galerna", GalernaBuild.WORKERS, 0);
        GalernaBuild build = GalernaBuild.baseline(jar);
        assertThat(build.system()).isEqualTo("baseline");
        assertThat(build.describe()).startsWith("0.1.0 (" + jar);
        assertThat(build.ranksAsThreads(2, "Main", List.of("a", "b")))
                .containsSubsequence("-jar", jar.toString(), "run", "-n", "2", "-cp", jar.toString(), "Main", "a", "b");
        assertThat(build.java(List.of("-Dx=y"))).contains("-Dx=y").endsWith("-cp", jar.toString());
        assertThat(build.fastSockets(17)).contains("-javaagent:" + jar + "=exclude=17");
    }

    @Test
    void aMissingFileIsNamed() {
        refused(folder.resolve("none.jar"), "there is no file " + folder.resolve("none.jar"));
        refused(folder, folder + " is not a file that can be read");
    }

    @Test
    void whatIsNoArchiveIsRefused() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "no archive");
        refused(text, text + " is not a galerna.jar: it is no archive");
        Path empty = Files.createFile(folder.resolve("empty.jar"));
        refused(empty, empty + " is not a galerna.jar: it is no archive");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Galerna sockets", "another program"})
    void anotherJarIsRefused(String title) throws IOException {
        Path jar = jar(title, GalernaBuild.WORKERS, 0);
        refused(jar, jar + " is not a galerna.jar");
    }

    @Test
    void aJarWithoutAWorkerIsTooOld() throws IOException {
        Path jar = jar("Galerna", GalernaBuild.WORKERS.subList(0, 4), 0);
        refused(jar, jar + " is too old to be measured: it has no org.galerna.bench.sockets.SocketWork");
    }

    @Test
    void aJarForANewerJavaIsRefused() throws IOException {
        Path jar = jar("Galerna", GalernaBuild.WORKERS, 1);
        int next = Runtime.version().feature() + 1;
        refused(jar, jar + " needs Java " + next + " or newer, and this is Java " + (next - 1));
    }

    private static void refused(Path file, String message) {
        assertThatThrownBy(() -> GalernaBuild.baseline(file))
                .isInstanceOf(UnusableJarException.class)
                .hasMessage(message);
    }

    /** A jar with classes of this test's under the names of workers. */
    private Path jar(String title, List<String> workers, int newerBy) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.IMPLEMENTATION_TITLE, title);
        attributes.put(Attributes.Name.IMPLEMENTATION_VERSION, "0.1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, "org.galerna.cli.Start");
        byte[] bytes;
        try (InputStream in = GalernaBuildTest.class.getResourceAsStream("GalernaBuildTest.class")) {
            bytes = in.readAllBytes();
        }
        bytes[MAJOR_VERSION_AT] = (byte) (Runtime.version().feature() + 44 + newerBy);
        Path file = folder.resolve("older.jar");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (String worker : workers) {
                jar.putNextEntry(new JarEntry(worker.replace('.', '/') + ".class"));
                jar.write(bytes);
            }
        }
        return file;
    }
}
