package org.galerna.tools.tests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What jcstress has found.
 *
 * @param passed results, one for each test and configuration of the virtual machine
 * @param failed the same, with what could not be run
 * @param forbidden states that no test may see
 */
record StressTests(int passed, int failed, List<String> forbidden) {
    private static final Pattern RESULTS =
            Pattern.compile("Results: .*?(\\d+) passed, (\\d+) failed, (\\d+) soft errs, (\\d+) hard errs");
    private static final Pattern SHOWN = Pattern.compile("Results: |Forbidden|FAILED|ERROR");
    private static final int LAST = 20;

    /**
     * Runs the stress tests, in under three minutes on two processors. Both sides of a test are compiled alike: all mixtures
     * take four times as long.
     */
    static StressTests run(Path root, PrintStream out) throws IOException, InterruptedException {
        Path log = root.resolve("target/stress.log");
        out.println("Stress tests (the whole log: " + log + ")");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-jar",
                        "galerna-stress.jar",
                        "-m",
                        "quick",
                        "-sc",
                        "false",
                        "-time",
                        "100",
                        "-hs",
                        "128")
                .directory(root.resolve("stress/target").toFile())
                .redirectErrorStream(true)
                .start();
        List<String> lines = new ArrayList<>();
        try (BufferedReader output =
                        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
                Writer all = Files.newBufferedWriter(log)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
                all.write(line + "\n");
                if (SHOWN.matcher(line).find()) {
                    out.println(line);
                }
            }
        }
        int unused = process.waitFor();
        StressTests results = of(lines);
        if (results.passed == 0) {
            Lines.last(lines, LAST).forEach(out::println);
        }
        return results;
    }

    /** By the lines that jcstress prints; one failure if it does not tell. */
    static StressTests of(List<String> lines) {
        List<String> forbidden = lines.stream()
                .filter(line -> line.contains("Observed forbidden state"))
                .sorted()
                .distinct()
                .toList();
        StressTests last = new StressTests(0, 1, forbidden);
        for (String line : lines) {
            Matcher results = RESULTS.matcher(line);
            if (results.find()) {
                int failed = 0;
                for (int group = 2; group <= 4; group++) {
                    failed += Integer.parseInt(results.group(group));
                }
                last = new StressTests(Integer.parseInt(results.group(1)), failed, forbidden);
            }
        }
        return last;
    }
}
