package org.galerna.tools.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.galerna.tools.script.Checkout.Run;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartScriptTest {
    private static final String PASSING_REPORT =
            "<testsuite name=\"A\" time=\"0.1\" tests=\"5\" errors=\"0\" skipped=\"0\" failures=\"0\">";

    @TempDir
    private Path folder;

    private Checkout checkout;

    @BeforeEach
    void checkOut() throws IOException {
        checkout = new Checkout(
                Files.createDirectory(folder.resolve("a check out")), Files.createDirectory(folder.resolve("tools")));
    }

    @Test
    void buildsAtTheFirstStartAndNotAtTheSecond() throws Exception {
        Run first = checkout.run("run", "-n", "4", "a b");
        assertThat(first.status()).isZero();
        assertThat(first.output()).isEqualTo("[run, -n, 4, a b]\n");
        assertThat(first.errors()).contains("building", "preparing what starts jobs sooner");

        Run second = checkout.run("run", "-n", "4", "a b");
        assertThat(second).isEqualTo(new Run(0, "[run, -n, 4, a b]\n", ""));
        assertThat(checkout.mavenCalls()).hasSize(1);
    }

    @Test
    void buildsAgainAfterASourceChanged() throws Exception {
        checkout.run("doctor");
        checkout.changeSource();
        checkout.run("doctor");
        assertThat(checkout.mavenCalls()).hasSize(2);
    }

    @Test
    @Tag("slow")
    void buildsAgainAfterASourceWasRemoved() throws Exception {
        Path removed = Files.writeString(checkout.file("memory/src/main/java/Old.java"), "class Old {}");
        checkout.run("doctor");
        Files.delete(removed);
        Files.setLastModifiedTime(
                removed.getParent(), FileTime.from(Instant.now().plusSeconds(60)));
        checkout.run("doctor");
        assertThat(checkout.mavenCalls()).hasSize(2);
    }

    @Test
    void endsWithTheStatusOfTheProgram() throws Exception {
        checkout.run("doctor");
        assertThat(checkout.run("exit", "17").status()).isEqualTo(17);
    }

    @Test
    void worksThroughSymbolicLinks() throws Exception {
        Path near = Files.createSymbolicLink(checkout.file("near"), Path.of("galerna"));
        Path far = Files.createSymbolicLink(folder.resolve("far"), near);
        assertThat(checkout.run(far, "doctor").output()).isEqualTo("[doctor]\n");
    }

    @Test
    void printsNothingButTheClassPath() throws Exception {
        Run run = checkout.run("classpath");
        assertThat(run.output())
                .isEqualTo(checkout.file("dist/target/galerna.jar").toRealPath() + "\n");
        assertThat(run.errors()).contains("building");
    }

    @Test
    void helpsWithoutBuilding() throws Exception {
        assertThat(checkout.run("--help").output()).contains("demo", "run", "bench", "doctor", "classpath", "test");
        assertThat(checkout.run().output()).isEqualTo(checkout.run("help").output());
        assertThat(checkout.mavenCalls()).isEmpty();
    }

    @Test
    void handsHelpOfACommandToTheProgram() throws Exception {
        assertThat(checkout.run("help", "run").output()).isEqualTo("[help, run]\n");
    }

    @Test
    void printsTheTextOfTheProgramAsHelp() throws Exception {
        assertThat(checkout.run("help").output()).isEqualTo(Files.readString(checkout.file(Checkout.HELP)));
    }

    @Test
    void refusesAnUnknownCommandWithoutBuilding() throws Exception {
        Run run = checkout.run("frobnicate");
        assertThat(run).isEqualTo(new Run(2, "", "galerna: there is no command \"frobnicate\" (see galerna help)\n"));
        assertThat(checkout.mavenCalls()).isEmpty();
    }

    @Test
    void printsTheJdkThatItHasFoundWithoutBuilding() throws Exception {
        assertThat(checkout.run("java-home").output()).isEqualTo(System.getProperty("java.home") + "\n");
        assertThat(checkout.mavenCalls()).isEmpty();
    }

    /** The tools of this JDK print their arguments, each on a line of its own. */
    private void useToolsThatPrint() throws IOException {
        Path jdk = folder.resolve("printing");
        Checkout.writeJdk(jdk, "25");
        for (String tool : List.of("java", "javac")) {
            Path program = Files.writeString(
                    jdk.resolve("bin").resolve(tool), "#!/bin/sh\nfor each; do printf '%s\\n' \"$each\"; done\n");
            Checkout.makeExecutable(program);
        }
        checkout.setEnvironment("JAVA_HOME", jdk.toString());
    }

    private List<String> words(String command) throws Exception {
        String jar = checkout.file("dist/target/galerna.jar").toString();
        return checkout.run(command.split(" "))
                .output()
                .lines()
                .map(word -> word.replace(jar, "GALERNA"))
                .filter(word -> !word.equals("--enable-native-access=ALL-UNNAMED") && !word.startsWith("-XX:"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run -n 1 Main               | -Xone
            run -n 2 Main               | -Xtwo
            run -np 5 -cp a Main -n 1   | -Xtwo
            run --ranks 08 Main         | -Xtwo
            run Main                    | -Xtwo
            run -n x Main               | -XX:TieredStopAtLevel=1
            run -n 2 --procs Main       | -XX:TieredStopAtLevel=1
            run -n 2 -Dx=y Main         | -XX:TieredStopAtLevel=1
            run -n 2 Main.java          | -XX:TieredStopAtLevel=1
            doctor                      | -XX:TieredStopAtLevel=1
            """)
    void theLauncherOfRanksThatAreThreadsHasTheOptionsOfTheirMachine(String command, String option) throws Exception {
        useToolsThatPrint();
        checkout.run("run", "Main"); // builds
        String cache = checkout.file("dist/target").toRealPath() + "/galerna"
                + folder.resolve("printing").toString().replaceAll("[^A-Za-z0-9.]", "-") + ".aot";
        Files.writeString(Path.of(cache + ".options"), "-Xone\n-Xtwo\n");
        Files.writeString(Path.of(cache + ".threads"), "a cache");
        Files.writeString(Path.of(cache), "a cache");
        String words = checkout.run(command.split(" ")).output();
        assertThat(words.lines().findFirst()).contains(option);
        assertThat(words.lines()).contains("-XX:AOTCache=" + cache + (option.startsWith("-XX") ? "" : ".threads"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            javac -d out A.java                | -cp GALERNA:. -d out A.java
            javac -d out -cp a:b A.java        | -cp GALERNA:a:b -d out A.java
            javac A.java --class-path=a        | -cp GALERNA:a A.java
            javac -p mods -d out A.java        | -cp GALERNA:. --module-path=GALERNA:mods -d out A.java
            java Main -cp x                    | -cp GALERNA:. Main -cp x
            java -Xmx1g -classpath a Main b    | -cp GALERNA:a -Xmx1g Main b
            java --add-opens m/p=q Main        | -cp GALERNA:. --add-opens m/p=q Main
            java Hello.java -cp x              | -cp GALERNA Hello.java -cp x
            java -cp a Hello.java              | -cp GALERNA:a Hello.java
            java -p mods -m app/app.Main x     | --add-modules=ALL-DEFAULT,org.galerna --enable-native-access=org.galerna -cp GALERNA --module-path=GALERNA:mods -m app/app.Main x
            java -version                      | -cp GALERNA:. -version
            java -cp                           | -cp GALERNA:. -cp
            """)
    void javaAndJavacHaveGalernaOnTheirPaths(String command, String expected) throws Exception {
        useToolsThatPrint();
        assertThat(words(command)).containsExactly(expected.split(" "));
    }

    @Test
    void javaAndJavacObeyTheVariableOfTheClassPath() throws Exception {
        useToolsThatPrint();
        checkout.setEnvironment("CLASSPATH", "from/environment");
        assertThat(words("javac A.java")).containsExactly("-cp", "GALERNA:from/environment", "A.java");
        assertThat(words("java A.java")).containsExactly("-cp", "GALERNA:from/environment", "A.java");
        assertThat(words("java -cp x Main")).containsExactly("-cp", "GALERNA:x", "Main");
    }

    @Test
    void passesOverAJdkThatIsTooOld() throws Exception {
        Path old = folder.resolve("jdk-24");
        Checkout.writeJdk(old, "24.0.2");
        checkout.setEnvironment("JAVA_HOME", old.toString());
        checkout.setEnvironment("PATH", System.getProperty("java.home") + "/bin:" + System.getenv("PATH"));
        Run run = checkout.run("doctor");
        assertThat(run.output()).isEqualTo("[doctor]\n");
        assertThat(run.errors()).doesNotContain("wrong JDK");
    }

    @Test
    void givesOptionsToTheVirtualMachine() throws Exception {
        checkout.setEnvironment("GALERNA_JAVA_OPTS", "-Xmx64m -XshowSettings:vm");
        assertThat(checkout.run("doctor").errors()).contains("Max. Heap Size: 64.00M");
    }

    @Test
    void showsWhyABuildFailed() throws Exception {
        checkout.setMaven("echo '[INFO] much ado'; echo '[ERROR] Main.java:[1,1] it is broken'; exit 1");
        Run run = checkout.run("doctor");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.output()).isEmpty();
        assertThat(run.errors()).contains("it is broken", "build.log").doesNotContain("much ado");
    }

    @Test
    @Tag("slow")
    void runsTheOldProgramNoMoreOnceABuildFailed() throws Exception {
        checkout.run("doctor");
        checkout.setMaven("exit 1");
        checkout.changeSource();
        assertThat(checkout.run("doctor").status()).isEqualTo(1);
        assertThat(checkout.run("doctor").status()).isEqualTo(1);
    }

    @Test
    void buildsOnceForTwoStartsAtTheSameTime() throws Exception {
        Path program = folder.resolve("tools/program.jar");
        checkout.setMaven("until [ -e go ]; do sleep 0.02; done; mkdir -p dist/target/run; cp '" + program
                + "' dist/target/run/galerna.jar");
        Path errors = folder.resolve("errors");
        Process first = checkout.start(checkout.script(), folder.resolve("1"), folder.resolve("errors1"), "doctor");
        while (checkout.mavenCalls().isEmpty()) {
            pause();
        }
        Process second = checkout.start(checkout.script(), folder.resolve("2"), errors, "doctor");
        while (!Files.readString(errors).contains("waiting for the build")) {
            pause();
        }
        Files.createFile(checkout.file("go"));
        assertThat(first.waitFor()).isZero();
        assertThat(second.waitFor()).isZero();
        assertThat(folder.resolve("2")).hasContent("[doctor]\n");
        assertThat(checkout.mavenCalls()).hasSize(1);
    }

    @Test
    void installsWhereMavenIsTold() throws Exception {
        Run run = checkout.run("install", "-Dmaven.repo.local=over there");
        assertThat(run.status()).isZero();
        assertThat(run.errors()).contains("installed in ");
        assertThat(checkout.mavenCalls())
                .singleElement()
                .asString()
                .contains(" install ", " -DwithSources ", "-Dmaven.test.skip=true", "-Dmaven.repo.local=over there");
    }

    @Test
    @Tag("slow")
    void saysWhyAnInstallationFailed() throws Exception {
        checkout.setMaven("echo '[ERROR] the disk is full'; exit 1");
        Run run = checkout.run("install");
        assertThat(run.status()).isEqualTo(1);
        assertThat(run.errors()).contains("the installation failed", "the disk is full");
    }

    @Test
    void failsIfATestFailed() throws Exception {
        checkout.setMaven(report("memory/target/surefire-reports", PASSING_REPORT)
                + report(
                        "link/target/surefire-reports",
                        "<testsuite name=\"B\" tests=\"6\" errors=\"1\" skipped=\"2\" failures=\"1\">"
                                + "\n<testcase name=\"breaks\" classname=\"org.B\">\n<failure message=\"no\"/>"));
        Run run = checkout.run("test");
        assertThat(run.output()).contains("  org.B.breaks\n    no\n").endsWith("\n7 passed, 2 failed, 2 skipped\n");
        assertThat(run.status()).isEqualTo(1);
        assertThat(checkout.mavenCalls())
                .hasSize(2)
                .anyMatch(call -> call.contains(" verify "))
                .anyMatch(call -> call.contains(" spotless:check "));
    }

    /** A shell in the background has its programs ignore the keys of the terminal; tests want to see what they do. */
    @Test
    @Tag("slow")
    void testsCanBeInterruptedEvenWhereTheScriptCannot() throws Exception {
        checkout.setMaven(report("memory/target/surefire-reports", PASSING_REPORT)
                + "[[ $* = *spotless:check* ]] || grep SigIgn /proc/self/status > ignored");
        Path background = Files.writeString(
                folder.resolve("background"),
                "#!/usr/bin/env bash\ntrap '' INT QUIT\nexec '" + checkout.script() + "' \"$@\"\n");
        Checkout.makeExecutable(background);
        assertThat(checkout.run(background, "test").status()).isZero();
        String ignored = Files.readString(checkout.file("ignored")).replaceAll("\\s|SigIgn:", "");
        assertThat(Long.parseUnsignedLong(ignored, 16) & (1 << 1 | 1 << 2))
                .as("signals 2 and 3 among %s", ignored)
                .isZero();
    }

    private static String report(String module, String xml) {
        return "mkdir -p " + module + "; cat > " + module + "/TEST-A.xml <<'XML'\n" + xml + "\nXML\n";
    }

    private static void pause() {
        LockSupport.parkNanos(10_000_000);
    }
}
