package org.galerna.tools.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(textBlock = """
            [INFO] much ado,                                               false
            [INFO] Building galerna-link 0.1.0               [3/20],       true
            '[INFO] Tests run: 5, Failures: 0, Time elapsed: 1 s - in A',  true
            [WARNING] Main.java is odd,                                    true
            what a program prints,                                         true
            """)
    void aPersonSeesStepsAndWhatIsUnusual(String line, boolean isShown) {
        assertThat(MavenRun.isShown(line)).isEqualTo(isShown);
    }

    @Test
    void errorsOfABuildAreShownWithoutAdvice() throws IOException {
        Path log = Files.writeString(folder.resolve("log"), """
                [INFO] much ado
                [WARNING] /a/Main.java:[3,4] [rawtypes] found raw type
                [ERROR] Main.java:[1,1] it is broken – truly
                [ERROR]
                [ERROR] Re-run Maven using the -X switch
                [ERROR] [Help 1] http://nowhere
                """);
        assertThat(BuildErrors.of(log))
                .containsExactly(
                        "[WARNING] /a/Main.java:[3,4] [rawtypes] found raw type",
                        "[ERROR] Main.java:[1,1] it is broken – truly");
    }

    @Test
    void aBuildWithoutErrorsShowsItsEnd() throws IOException {
        Path log = Files.writeString(folder.resolve("log"), "line\n".repeat(50) + "Killed\n");
        assertThat(BuildErrors.of(log)).hasSize(20).endsWith("line", "Killed");
    }

    @Test
    void aTestThatHangsIsNamedByItsOwnFrames() {
        assertThat(Standstill.inTests("""
                2026-01-01 00:00:00
                Full thread dump OpenJDK 64-Bit Server VM:

                "main" #1 [17] prio=5 os_prio=0 cpu=1 ms
                   java.lang.Thread.State: WAITING (parking)
                	at jdk.internal.misc.Unsafe.park(java.base@25/Native Method)
                	at org.galerna.link.LinkTest.waits(LinkTest.java:12)
                	at org.junit.platform.Launcher.launch(Launcher.java:1)

                "Reference Handler" #9 [21] daemon prio=10
                   java.lang.Thread.State: RUNNABLE
                	at java.lang.ref.Reference.waitForReferencePendingList(java.base@25/Native Method)
                """))
                .containsExactly("  \"main\"", "    at org.galerna.link.LinkTest.waits(LinkTest.java:12)");
    }

    @Test
    void virtualMachinesOfOtherCheckoutsAreLeftOut() throws IOException {
        Path root = Path.of("/some/checkout");
        process("17", "/jdk/bin/java", "-jar", root + "/link/target/surefire/surefirebooter1.jar");
        process("18", "/jdk/bin/java", "-jar", "/other/link/target/surefire/surefirebooter1.jar");
        process("19", "/usr/bin/vi", root + "/pom.xml");
        Files.createDirectory(folder.resolve("self"));
        assertThat(Standstill.machines(folder, root)).isEqualTo(List.of("17"));
    }

    private void process(String number, String... words) throws IOException {
        Path process = Files.createDirectory(folder.resolve(number));
        Files.writeString(process.resolve("cmdline"), String.join("\0", words) + "\0");
    }
}
