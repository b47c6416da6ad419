package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that cannot be started: one line says why. */
class NotStartedTest {
    @TempDir
    Path folder;

    @BeforeEach
    void compile() {
        Programs.compile(folder, """
                package org.example;

                public class Simulation {
                    public static void main(String[] args) {}
                }
                """, """
                package org.example;

                public class NoMain {
                    private static void main(String[] args) {}

                    static int main() {
                        return 1;
                    }
                }
                """, """
                package org.example;

                public abstract class NoInstance {
                    void main() {}
                }
                """);
    }

    private String reason(String mainClass) {
        Run run = Run.of(folder, 2, mainClass);
        assertThat(run.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(run.report()).startsWith("galerna: ").endsWith("\n");
        assertThat(run.report().lines()).hasSize(1);
        return run.report().substring("galerna: ".length()).strip();
    }

    @Test
    void aMissingClassIsReportedWithThePlacesAndSimilarNames() {
        assertThat(reason("Simulation"))
                .isEqualTo("class Simulation not found in " + folder + "; did you mean org.example.Simulation?");
        assertThat(reason("org.example.Simulaton")).endsWith("; did you mean org.example.Simulation?");
        assertThat(reason("org/example/simulation.class")).endsWith("; did you mean org.example.Simulation?");
        assertThat(reason("org.example.Other")).isEqualTo("class org.example.Other not found in " + folder);
        assertThat(reason("Simulation.java")).contains("source file");
    }

    @Test
    void placesThatAreNotThereAreMarked() throws Exception {
        Path missing = folder.resolve("missing.jar");
        Path text = Files.writeString(folder.resolve("text.jar"), "no archive");
        Run run = Run.of(folder, 1, "X", job -> job.classPath(List.of(missing, text)));
        assertThat(run.report())
                .isEqualTo(
                        "galerna: class X not found in " + missing + " (not found), " + text + " (not an archive)\n");
    }

    @Test
    void aClassNameMayHaveSlashes() {
        assertThat(Run.of(folder, 1, "org/example/Simulation").status()).isZero();
    }

    @Test
    void aClassWithoutMainMethodIsReported() {
        assertThat(reason("org.example.NoMain"))
                .isEqualTo("class org.example.NoMain has no main method:"
                        + " it needs a method public static void main(String[] args)");
        assertThat(reason("org.example.NoInstance")).contains("is not static, and no instance can be made");
    }

    @Test
    void aClassForANewerJavaIsReported() throws Exception {
        Path file = folder.resolve("org/example/Simulation.class");
        byte[] bytes = Files.readAllBytes(file);
        bytes[7] = (byte) (bytes[7] + 20);
        Files.write(file, bytes);
        assertThat(reason("org.example.Simulation"))
                .startsWith("class org.example.Simulation is compiled for a newer Java than this one, which is "
                        + Runtime.version().feature());
    }

    @Test
    void aDamagedClassIsReported() throws Exception {
        Path file = folder.resolve("org/example/Simulation.class");
        Files.write(file, new byte[] {1, 2, 3, 4, 0, 0, 0, 60, 0});
        assertThat(reason("org.example.Simulation")).startsWith("class org.example.Simulation cannot be loaded: ");
    }

    @Test
    void aClassUnderAnotherNameIsReported() throws Exception {
        Files.copy(folder.resolve("org/example/Simulation.class"), folder.resolve("Simulation.class"));
        assertThat(reason("Simulation"))
                .startsWith("class Simulation cannot be loaded: ")
                .contains("wrong name: org/example/Simulation");
    }

    @Test
    void aJobNeedsRanksAndAClass() {
        assertThatThrownBy(() -> ThreadJob.builder().ranks(0)).hasMessage("a job needs at least one rank, not 0");
        assertThatThrownBy(() -> ThreadJob.builder().build()).hasMessage("a job needs a main class");
    }
}
