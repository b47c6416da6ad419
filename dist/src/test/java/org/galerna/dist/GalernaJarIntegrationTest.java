package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GalernaJarIntegrationTest {
    /** The packages that galerna.jar adds to the class path of a program. */
    private static final String OWN_PACKAGES = "(org/galerna|mpi|mpjdev|mpjbuf|xdev)/.*";

    private JarFile jar;

    @BeforeEach
    void open() throws IOException {
        jar = new JarFile(Path.of("target/galerna.jar").toFile());
    }

    @AfterEach
    void close() throws IOException {
        jar.close();
    }

    @Test
    void canBeRunWithoutWarningsAboutNativeAccess() throws IOException {
        Attributes manifest = jar.getManifest().getMainAttributes();
        assertThat(manifest.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo("org.galerna.cli.Start");
        assertThat(manifest.getValue("Enable-Native-Access")).isEqualTo("ALL-UNNAMED");
    }

    @Test
    void anOlderJavaIsToldWhichOneIsNeeded() throws Exception {
        Optional<Path> older = olderJava();
        assumeTrue(older.isPresent(), "no older Java in /usr/lib/jvm");
        try (ChildProcess started = ChildProcess.start(
                List.of(older.get().toString(), "-jar", "target/galerna.jar", "run", "-n", "2", "Hello.java"))) {
            assertThat(started.awaitExit(Duration.ofMinutes(1))).isEqualTo(2);
            assertThat(started.err().lines()).hasSize(1);
            assertThat(started.err()).contains("Galerna needs Java 25 or newer");
        }
    }

    private static Optional<Path> olderJava() throws IOException {
        Path all = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(all)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(all)) {
            return homes.filter(home -> home.getFileName().toString().matches(".*\\b(8|11|17|21)\\b.*"))
                    .map(home -> home.resolve("bin/java"))
                    .filter(Files::isExecutable)
                    .findFirst();
        }
    }

    @Test
    void bringsNoPackageThatAProgramMayBringItself() {
        assertThat(names())
                .filteredOn(name -> name.endsWith(".class"))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(name).matches(OWN_PACKAGES));
    }

    @Test
    void offersTheLinksAsServices() throws IOException {
        ZipEntry service = jar.getEntry("META-INF/services/org.galerna.link.LinkProvider");
        assertThat(service).isNotNull();
        String providers = new String(jar.getInputStream(service).readAllBytes(), StandardCharsets.UTF_8);
        assertThat(providers).contains("org.galerna.link.threads.ThreadsLinkProvider");
    }

    @Test
    void carriesTheLicences() {
        assertThat(names()).contains("META-INF/LICENSE", "META-INF/THIRD-PARTY.txt");
    }

    private List<String> names() {
        return jar.stream().map(ZipEntry::getName).toList();
    }
}
