package org.galerna.tools.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs, with a script in the place of Maven. */
class TestRunTest {
    @TempDir
    private Path root;

    /** What Maven does where it looks at the formatting. */
    private String format = "true";

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    /** Runs the tests of a checkout whose Maven writes reports into the folders, then does the command. */
    private int run(String command, String... folders) throws IOException, InterruptedException {
        return run(List.of(), command, folders);
    }

    private int run(List<String> arguments, String command, String... folders)
            throws IOException, InterruptedException {
        StringBuilder script = new StringBuilder("#!/usr/bin/env bash\ncd '" + root + "' || exit 9\n"
                + "[[ $* != *spotless:check* ]] || { " + format + "; exit; }\n");
        for (String folder : folders) {
            script.append("mkdir -p ")
                    .append(folder)
                    .append("; cat > ")
                    .append(folder)
                    .append("/TEST-A.xml <<'XML'\n");
            script.append(
                    "<testsuite name=\"A\" time=\"0.1\" tests=\"5\" errors=\"0\" skipped=\"0\" failures=\"0\">\n");
            script.append("XML\n");
        }
        Path maven =
                Files.writeString(root.resolve("mvn"), script.append(command).append('\n'));
        Files.setPosixFilePermissions(maven, PosixFilePermissions.fromString("rwx------"));
        return new TestRun(root, maven.toString(), arguments, new PrintStream(text, true, StandardCharsets.UTF_8))
                .alone();
    }

    private String text() {
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theReportsOfAllModulesAreAddedUp() throws Exception {
        assertThat(run("true", "memory/target/surefire-reports", "dist/target/failsafe-reports"))
                .isZero();
        assertThat(text()).endsWith("\n10 passed, 0 failed\n");
    }

    @ParameterizedTest
    @CsvSource({"'', true", "--all -X, false", "-pl one, false", "-DslowTests, false"})
    void onlyTheFastTierOfAllModulesLeavesErrorProneOutForTests(String arguments, boolean left) throws Exception {
        assertThat(run(
                        arguments.isEmpty() ? List.of() : List.of(arguments.split(" ")),
                        "echo \"$@\" > words",
                        "one/target/surefire-reports"))
                .isZero();
        assertThat(Files.readString(root.resolve("words")).contains(" -Dcompiler.testPlugin=-proc:none"))
                .isEqualTo(left);
    }

    @Test
    void adaptersAreTriedInTheModulesThatHaveTestsOfThem() throws Exception {
        for (String module : List.of("one", "two", "three")) {
            Path tests = Files.createDirectories(root.resolve(module).resolve("src/test/java/some"));
            Files.writeString(tests.resolve("Some.java"), module.equals("two") ? "class Some {}" : "@Tag(\"adapter\")");
        }
        assertThat(run(List.of("--adapters"), "echo \"$@\" > words", "one/target/surefire-reports"))
                .isZero();
        assertThat(Files.readString(root.resolve("words"))).contains(" -pl one,three -am");
        assertThat(run(List.of("--adapters", "-pl", "two"), "echo \"$@\" > words", "one/target/surefire-reports"))
                .isZero();
        assertThat(Files.readString(root.resolve("words")))
                .doesNotContain("-am")
                .contains("-pl two");
    }

    @Test
    void slowTestsOfAdaptersAreRunWhereTheyAreAskedFor() throws Exception {
        String write = "echo \"$@\" > words";
        assertThat(run(List.of("--adapters", "-pl", "two"), write, "one/target/surefire-reports"))
                .isZero();
        assertThat(Files.readString(root.resolve("words"))).contains(" -Dtest.excludedTags=slow");
        assertThat(run(List.of("--adapters", "-pl", "two", "-DslowTests"), write, "one/target/surefire-reports"))
                .isZero();
        assertThat(Files.readString(root.resolve("words")))
                .contains(" -Dgroups=adapter", " -DslowTests")
                .doesNotContain("excludedTags");
    }

    @Test
    void aTestMachineThatHadToBeKilledIsAFailure() throws Exception {
        assertThat(run("echo '[ERROR] There was a timeout in the fork'", "memory/target/surefire-reports"))
                .isEqualTo(1);
        assertThat(text()).contains("did not end", "timeout in the fork").endsWith("\n5 passed, 1 failed\n");
    }

    @Test
    void aBuildThatFailedIsAFailure() throws Exception {
        assertThat(run("exit 1", "memory/target/surefire-reports")).isEqualTo(1);
        assertThat(text()).endsWith("\n5 passed, 1 failed\n");
    }

    @Test
    void sourcesThatAreNotFormattedEndTheRunAtOnce() throws Exception {
        format = "until [ -e running ]; do :; done; echo '[ERROR] Some.java'; exit 1";
        String tests = "trap 'exit 1' TERM; touch running; while :; do :; done";
        assertThat(run(tests, "memory/target/surefire-reports")).isEqualTo(1);
        assertThat(text())
                .contains("[ERROR] Some.java\nThis mends it: mvn spotless:apply -pl '!bom'\n")
                .endsWith("\n5 passed, 1 failed\n");
    }

    @Test
    void theFormattingOfOneModuleIsLeftToItsBuild() throws Exception {
        format = "exit 1";
        assertThat(run(List.of("-pl", "memory"), "true", "memory/target/surefire-reports"))
                .isZero();
    }

    @Test
    void aRunOfNoTestIsAFailure() throws Exception {
        assertThat(run("true")).isEqualTo(1);
        assertThat(text()).endsWith("\n0 passed, 1 failed\n");
    }
}
