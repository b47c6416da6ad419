package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which programs bring something that has a name of Galerna's, so that Galerna has to be on their class path. */
class OwnNamesTest {
    @TempDir
    Path folder;

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, new byte[1]);
    }

    private Path archive(String name, String classPath, String... files) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!classPath.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        }
        Path archive = folder.resolve(name);
        try (OutputStream out = Files.newOutputStream(archive);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (String file : files) {
                jar.putNextEntry(new JarEntry(file));
            }
        }
        return archive;
    }

    private boolean mayBeIn(String classPath) {
        return OwnNames.mayBeIn(classPath, folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mpi/Own.class",
                "xdev/Own.class",
                "org/galerna/examples/Own.class",
                "META-INF/services/org.galerna.link.LinkProvider",
                "META-INF/services/java.nio.channels.spi.SelectorProvider"
            })
    void somePrograms(String name) throws IOException {
        archive("own.jar", "", "org/example/Main.class", name);
        archive("around.jar", "own.jar");
        assertThat(mayBeIn("own.jar")).isTrue();
        assertThat(mayBeIn("absent.jar:" + folder.resolve("own.jar"))).isTrue();
        assertThat(mayBeIn("*")).isTrue();
        assertThat(mayBeIn("around.jar")).as("named by a manifest").isTrue();
        archive("many.jar", "", "META-INF/versions/21/" + name);
        assertThat(mayBeIn("many.jar")).as("for a release").isTrue();
        Path unused = file("classes/" + name);
        assertThat(mayBeIn("classes")).isTrue();
        assertThat(mayBeIn(folder.resolve("classes").toString())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Main.class",
                "org/example/mpi/Main.class",
                "mpiio/Main.class",
                "META-INF/services/org.example.Service"
            })
    void mostDoNot(String name) throws IOException {
        archive("program.jar", "", name);
        Path unused = file("classes/" + name);
        assertThat(mayBeIn("program.jar")).isFalse();
        assertThat(mayBeIn("classes:program.jar:absent.jar")).isFalse();
        assertThat(mayBeIn("*")).isFalse();
    }

    @Test
    void theWorkingFolderOfTheProgramCounts() throws IOException {
        Path unused = file("mpi/Own.class");
        assertThat(mayBeIn("")).as("nothing").isTrue();
        assertThat(mayBeIn(".")).isTrue();
        assertThat(mayBeIn("classes:")).isTrue();
        assertThat(OwnNames.mayBeIn(".", Files.createDirectories(folder.resolve("other"))))
                .isFalse();
    }

    @Test
    void whatIsLargeIsNotLookedThrough() throws IOException {
        String[] names = new String[10_001];
        for (int index = 0; index < names.length; index++) {
            names[index] = "a" + index;
        }
        archive("large.jar", "", names);
        assertThat(mayBeIn("large.jar")).isTrue();
        assertThat(mayBeIn("classes:".repeat(40) + "classes")).isTrue();
    }
}
