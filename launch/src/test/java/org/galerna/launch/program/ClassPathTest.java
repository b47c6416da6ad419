package org.galerna.launch.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Manifest;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathTest {
    @TempDir
    Path folder;

    @Test
    void isParsedAsJavaDoes() throws Exception {
        Files.writeString(folder.resolve("b.jar"), "");
        Files.writeString(folder.resolve("a.JAR"), "");
        Files.writeString(folder.resolve("jar"), "");
        String text = String.join(File.pathSeparator, "classes", "", folder + "/*", folder + "/nowhere/*");
        assertThat(ClassPath.parse(text))
                .containsExactly(Path.of("classes"), Path.of(""), folder.resolve("a.JAR"), folder.resolve("b.jar"));
    }

    @Test
    void theFirstPlaceWins() throws Exception {
        Path first = Files.createDirectories(folder.resolve("first"));
        Path second = Files.createDirectories(folder.resolve("second"));
        Files.writeString(first.resolve("both"), "1");
        Files.writeString(second.resolve("both"), "2");
        Files.writeString(second.resolve("one"), "3");
        Path archive = Programs.jar(folder.resolve("third.jar"), second, new Manifest());
        try (ClassPath path = ClassPath.open(List.of(first, folder.resolve("missing"), archive, first))) {
            assertThat(path.read("both").bytes()).asString().isEqualTo("1");
            assertThat(path.read("one").bytes()).asString().isEqualTo("3");
            assertThat(path.read("none")).isNull();
            assertThat(path.find("both"))
                    .extracting(Object::toString)
                    .containsExactly(
                            first.resolve("both").toUri().toURL().toString(),
                            "jar:" + archive.toUri().toURL() + "!/both");
            assertThat(path.description())
                    .isEqualTo(first + ", " + archive + ", " + folder.resolve("missing") + " (not found)");
        }
    }

    @Test
    void namesDoNotLeadOutOfAFolder() throws Exception {
        Path inside = Files.createDirectories(folder.resolve("inside"));
        Path secret = Files.writeString(folder.resolve("secret"), "");
        try (ClassPath path = ClassPath.open(List.of(inside))) {
            assertThat(path.find("../secret")).isEmpty();
            assertThat(path.find(secret.toString())).isEmpty();
            assertThat(path.read("../secret")).isNull();
            assertThat(path.find("nul\0l")).isEmpty();
            assertThat(path.find("x/../../inside")).hasSize(1);
        }
    }
}
