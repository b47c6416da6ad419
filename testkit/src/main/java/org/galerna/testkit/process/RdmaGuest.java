package org.galerna.testkit.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.RankThreads;
import org.junit.jupiter.api.Assumptions;

/**
 * A virtual machine whose kernel has software RDMA devices: {@code rxe0} for RoCE, on request {@code siw0} for iWARP. It
 * sees the files of this machine, and is emulated, so everything takes ten to a hundred times as long. What it needs is
 * fetched by the first test and kept in the user's cache folder; where it cannot be, the test is skipped.
 */
public final class RdmaGuest {
    /** How long a test may take in the guest, its start included. */
    public static final Duration LIMIT = Duration.ofMinutes(15);

    private static final Duration FILLING = Duration.ofMinutes(9);
    private static final int UNUSABLE = 125;

    private final Path tool;
    private final boolean iwarp;

    private RdmaGuest(Path tool, boolean iwarp) {
        this.tool = tool;
        this.iwarp = iwarp;
    }

    /**
     * A guest to run tests in.
     *
     * @param iwarp whether it needs {@code siw0} too, which is compiled by the first test
     */
    public static RdmaGuest prepare(boolean iwarp) throws InterruptedException {
        Path tool = Stream.iterate(Path.of("").toAbsolutePath(), folder -> folder != null, Path::getParent)
                .map(folder -> folder.resolve("tools/rxe-vm"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(() -> Assumptions.abort("tools/rxe-vm is not in this checkout"));
        RdmaGuest guest = new RdmaGuest(tool, iwarp);
        try (ChildProcess filling = ChildProcess.start(guest.command(List.of("--fill")))) {
            int status = filling.awaitExit(FILLING);
            Assumptions.assumeTrue(status == 0, "no virtual machine with RDMA devices can be had: " + filling.err());
        }
        return guest;
    }

    private List<String> command(List<String> rest) {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        if (iwarp) {
            command.add("--siw");
        }
        command.addAll(rest);
        return command;
    }

    /**
     * Runs tests there.
     *
     * @param options for the virtual machine for Java, e.g. {@code "-Dgalerna.verbs.adapter=siw0"}
     * @param tests classes, or methods written as {@code class#method}
     * @return what {@link TestLauncher} has written
     * @throws AssertionError if one of them has failed
     */
    public String runTests(List<String> options, List<String> tests) throws InterruptedException {
        List<String> java = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-Xmx600m",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + RankThreads.PATIENCE + "=30",
                "-Dgalerna.peer.timeout=600")); // a rank that is emulated may be silent for long
        java.addAll(options);
        List<String> rest =
                new ArrayList<>(List.of("--mem", "1500M", "--timeout", String.valueOf(LIMIT.toSeconds()), "--"));
        rest.addAll(ChildProcess.java(java, TestLauncher.class, tests));
        ProcessBuilder builder = new ProcessBuilder(command(rest));
        builder.environment().put("RXE_VM_CLOCK", "hpet"); // right however busy this machine is
        try (ChildProcess guest = ChildProcess.start(builder)) {
            int status = guest.awaitExit(LIMIT.plusMinutes(2));
            Assumptions.assumeTrue(status != UNUSABLE, "the virtual machine does not run: " + guest.err());
            if (status != 0) {
                throw new AssertionError("status " + status + "\n" + guest.out() + "\n" + guest.err());
            }
            return guest.out();
        }
    }
}
