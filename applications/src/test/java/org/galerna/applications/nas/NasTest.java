package org.galerna.applications.nas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.JobResult;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernels as programs; what they compute is compared with the values that the benchmarks publish. */
class NasTest {
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private JobResult run(int ranks, String... arguments) {
        return ThreadJob.builder()
                .ranks(ranks)
                .mainClass(Nas.class.getName())
                .arguments(List.of(arguments))
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output)
                .standardError(errors)
                .build()
                .run();
    }

    /** In virtual machines of their own, which have more memory than that of the tests. */
    private JobResult runProcesses(int ranks, int ranksPerProcess, String... arguments) {
        return ProcessJob.builder()
                .ranks(ranks)
                .ranksPerProcess(ranksPerProcess)
                .jvmOptions(List.of("-Xmx" + (ranksPerProcess == 1 ? "2g" : "6g")))
                .classPath(classes())
                .mainClass(Nas.class.getName())
                .arguments(List.of(arguments))
                .standardInput(InputStream.nullInputStream())
                .standardOutput(output)
                .standardError(errors)
                .build()
                .run();
    }

    private static String classes() {
        return Path.of(Nas.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .getPath())
                .toString();
    }

    private String printed() {
        return output.toString(StandardCharsets.UTF_8);
    }

    private void assertVerified(JobResult result) {
        assertThat(result.status()).as("%s%s", output, errors).isZero();
        assertThat(printed()).containsPattern("Verification +=\\s+SUCCESSFUL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cg", "ep", "ft", "is", "mg"})
    void oneRankFindsThePublishedValues(String kernel) {
        assertVerified(run(1, kernel));
        assertThat(printed())
                .contains(kernel.toUpperCase(java.util.Locale.ROOT) + " Benchmark Completed.")
                .containsPattern("Class +=\\s+S\n")
                .containsPattern("Total processes +=\\s+1\n")
                .containsPattern("Mop/s total +=\\s+[0-9.]+\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cg", "ep", "ft", "is", "mg"})
    void ranksAndThreadsFindThePublishedValues(String kernel) {
        assertVerified(run(2, kernel, "--class", "s", "--threads", "2"));
        assertThat(printed()).containsPattern("Total threads +=\\s+4\n");
    }

    /** The smallest classes with this many ranks take other ways: whole grids for MG, moving keys for IS, a grid for CG. */
    @ParameterizedTest
    @ValueSource(strings = {"cg", "ft", "is", "mg"})
    @Tag("slow")
    void manyRanksFindThePublishedValues(String kernel) {
        assertVerified(run(8, kernel));
    }

    @Test
    void ranksNeedNotBeAPowerOfTwoWhereTheKernelAllowsIt() {
        assertVerified(run(3, "cg", "--threads", "3"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void aMistakeIsOneLine(String expected, int ranks, List<String> arguments) {
        assertThat(run(ranks, arguments.toArray(String[]::new)).status()).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8)).startsWith("nas: ").contains(expected);
        assertThat(printed()).isEmpty();
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of("a kernel is missing", 1, List.of()),
                Arguments.of("there is no kernel \"lu\": choose one of cg, ep, ft, is, mg", 1, List.of("lu")),
                Arguments.of("--class is S, W, A, B, C or D, not \"E\"", 2, List.of("cg", "--class", "E")),
                Arguments.of("--class needs a value", 1, List.of("cg", "--class")),
                Arguments.of("--warm-up takes a number from 0 to 3600, not -1", 1, List.of("cg", "--warm-up", "-1")),
                Arguments.of("--threads takes a number from 1 to 256, not 0", 1, List.of("cg", "--threads", "0")),
                Arguments.of("\"--size\" is not understood", 1, List.of("cg", "--size", "A")),
                Arguments.of("MG takes a power of two of ranks, not 3", 3, List.of("mg")),
                Arguments.of("IS takes a power of two of ranks, not 3", 3, List.of("is")),
                Arguments.of("FT takes a power of two of ranks, not 3", 3, List.of("ft")),
                Arguments.of("at least 2 ranks", 1, List.of("is", "--class", "D")));
    }

    @ParameterizedTest
    @MethodSource("runsOfThreads")
    @Tag("slow")
    @Timeout(900)
    void everyNumberOfThreadsFindsThePublishedValues(String kernel, String size, int ranks) {
        assertVerified(runProcesses(ranks, ranks, kernel, "--class", size, "--warm-up", "0"));
    }

    static Stream<Arguments> runsOfThreads() {
        return Stream.of("cg", "ep", "ft", "is", "mg")
                .flatMap(kernel -> Stream.of("W", "A")
                        .flatMap(size -> Stream.of(1, 2, 4, 8, 16).map(ranks -> Arguments.of(kernel, size, ranks))));
    }

    @ParameterizedTest
    @MethodSource("runsOfProcesses")
    @Tag("slow")
    @Timeout(900)
    void everyNumberOfProcessesFindsThePublishedValues(String kernel, String size, int ranks) {
        assertVerified(runProcesses(ranks, 1, kernel, "--class", size, "--warm-up", "0"));
    }

    static Stream<Arguments> runsOfProcesses() {
        return Stream.of("cg", "ep", "ft", "is", "mg")
                .flatMap(kernel -> Stream.of(
                        Arguments.of(kernel, "S", 16),
                        Arguments.of(kernel, "W", 2),
                        Arguments.of(kernel, "W", 8),
                        Arguments.of(kernel, "A", 2),
                        Arguments.of(kernel, "A", 4)));
    }

    @ParameterizedTest
    @MethodSource("runsOfClassB")
    @Tag("slow")
    @Timeout(900)
    void classBFindsThePublishedValues(String kernel, int ranks) {
        assertVerified(runProcesses(ranks, ranks, kernel, "--class", "B"));
    }

    static Stream<Arguments> runsOfClassB() {
        return Stream.of("cg", "ep", "ft", "is", "mg")
                .flatMap(kernel -> Stream.of(2, 16).map(ranks -> Arguments.of(kernel, ranks)));
    }
}
