package org.galerna.tools.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
    private static final String PASSED =
            "<testsuite name=\"A\" tests=\"5\" errors=\"0\" skipped=\"0\" failures=\"0\"></testsuite>";

    @TempDir
    private Path root;

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);

    private void report(String folder, String xml) throws IOException {
        Path reports = Files.createDirectories(root.resolve(folder));
        Files.writeString(reports.resolve("TEST-A" + xml.hashCode() + ".xml"), xml);
    }

    private int status() throws IOException {
        Summary summary = new Summary(Reports.readOf(root), out);
        summary.printFailures();
        summary.failIfNothingWasRun();
        return summary.print();
    }

    private String text() {
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theReportsOfAllModulesAreAddedUp() throws IOException {
        report("memory/target/surefire-reports", PASSED);
        report("dist/target/failsafe-reports", PASSED);
        report("dist/target/run/surefire-reports", PASSED);
        report("dist/other", PASSED);
        assertThat(status()).isZero();
        assertThat(text()).isEqualTo("10 passed, 0 failed\n");
    }

    @Test
    void reportsOfAnEarlierRunAreForgotten() throws IOException {
        report("memory/target/surefire-reports", PASSED);
        Reports.deleteOf(root);
        assertThat(status()).isEqualTo(1);
        assertThat(text()).isEqualTo("No test was run, which counts as a failure.\n0 passed, 1 failed\n");
    }

    /** A virtual machine that was killed leaves half a file. */
    @Test
    void aReportThatEndsInTheMiddleCountsAsFarAsItGoes() throws IOException {
        report(
                "link/target/surefire-reports",
                "<testsuite name=\"B\" tests=\"6\" errors=\"1\" skipped=\"2\" failures=\"1\">"
                        + "\n<testcase name=\"breaks\" classname=\"org.B\">\n<failure message=\"no\"/>");
        assertThat(status()).isEqualTo(1);
        assertThat(text()).contains("  org.B.breaks\n    no\n").endsWith("\n2 passed, 2 failed, 2 skipped\n");
    }

    @Test
    void testsThatPassedOnlyWhenTheyWereRunOnceMoreAreNamed() throws IOException {
        report("memory/target/surefire-reports", """
                <testsuite name="A" tests="2" errors="0" skipped="0" failures="0" flakes="1">
                <testcase name="holds" classname="org.galerna.A" time="1">
                </testcase>
                <testcase name="wavers" classname="org.galerna.A" time="1">
                  <flakyError message="rank 1: &lt;1&gt;" type="java.lang.AssertionError">
                    <stackTrace><![CDATA[java.lang.AssertionError: rank 1: <1>]]></stackTrace>
                  </flakyError>
                </testcase>
                </testsuite>""");
        assertThat(status()).isZero();
        assertThat(text()).isEqualTo("""
                Failed, and passed when run once more:
                  org.galerna.A.wavers
                    java.lang.AssertionError: rank 1: <1>
                2 passed, 0 failed
                """);
    }

    @Test
    void eachFailureIsShownWithItsCauseAndWhere() throws IOException {
        report("memory/target/surefire-reports", """
                <testsuite name="A" tests="2" errors="1" skipped="0" failures="0">
                <testcase name="holds" classname="org.galerna.A" time="1">
                </testcase>
                <testcase name="breaks(int)[2]" classname="org.galerna.A" time="1">
                  <error message="rank 1: &lt;1&gt; &amp; 2" type="x"><![CDATA[java.lang.AssertionError: rank 1: <1> & 2
                	at org.junit.Runner.run(Runner.java:1)
                	at org.galerna.testkit.RankThreads.run(RankThreads.java:60)
                	at java.base/java.lang.Thread.run(Thread.java:1)
                Caused by: java.io.IOException: it is gone
                	at org.galerna.Inner.look(Inner.java:12)
                	... 3 more
                ]]></error>
                <system-out><![CDATA[much ado]]></system-out>
                </testcase>
                </testsuite>""");
        assertThat(status()).isEqualTo(1);
        assertThat(text()).isEqualTo("""
                Failed:
                  org.galerna.A.breaks(int)[2]
                    java.lang.AssertionError: rank 1: <1> & 2
                      at org.galerna.testkit.RankThreads.run(RankThreads.java:60)
                    Caused by: java.io.IOException: it is gone
                      at org.galerna.Inner.look(Inner.java:12)
                    	... 3 more
                1 passed, 1 failed
                """);
    }

    @Test
    void manyFailuresHaveFewLinesEach() {
        String stack = "java.lang.AssertionError: it\nis\na\nlong\nstory\nof\nmany\nlines"
                + "\n\tat org.galerna.A.one(A.java:1)".repeat(20);
        Failure failure = new Failure("org.galerna.A.breaks", "x", "", stack);
        assertThat(failure.lines(6)).hasSize(1 + 6);
        assertThat(failure.lines(45)).hasSize(1 + 8 + 8);
    }

    @Test
    void reasonsForSkippedTestsAreCounted() throws IOException {
        report("memory/target/surefire-reports", """
                <testsuite name="A" tests="4" errors="0" skipped="3" failures="0">
                <testcase name="one" classname="org.galerna.A"><skipped message="Assumption failed: there is no &quot;mpirun&quot;"/></testcase>
                <testcase name="two" classname="org.galerna.A"><skipped><![CDATA[x: Assumption failed: there is no "mpirun"
                	at somewhere]]></skipped></testcase>
                <testcase name="three" classname="org.galerna.A"><skipped message="void"/></testcase>
                <testcase name="four" classname="org.galerna.A"></testcase>
                </testsuite>""");
        assertThat(status()).isZero();
        assertThat(text()).isEqualTo("""
                Skipped:
                      2   there is no "mpirun"
                      1   void
                1 passed, 0 failed, 3 skipped
                """);
    }

    @Test
    void stressTestsCountAsTests() throws IOException {
        report("memory/target/surefire-reports", PASSED);
        Summary summary = new Summary(Reports.readOf(root), out);
        summary.add(StressTests.of(List.of(
                "  Results: 1 planned; 1 passed, 0 failed, 0 soft errs, 0 hard errs.",
                "  Observed forbidden state: 1, 0",
                "  Observed forbidden state: 1, 0",
                "  Results: 14 planned; 10 passed, 2 failed, 1 soft errs, 1 hard errs.")));
        summary.printFailures();
        assertThat(summary.print()).isEqualTo(1);
        assertThat(text()).isEqualTo("Failed:\n  Observed forbidden state: 1, 0\n15 passed, 4 failed\n");
    }

    @Test
    void stressTestsThatDoNotTellHaveFailed() {
        assertThat(StressTests.of(List.of("Error: Unable to access jarfile")).failed())
                .isEqualTo(1);
    }
}
