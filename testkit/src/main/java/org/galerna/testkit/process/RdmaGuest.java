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
 * A virtual machine whose kernel has software RDMA devices: {@code rxe0} for RoCE with addresses {@code 10.77.0.1} to
 * {@code .4} (GIDs 1 to 4), on request {@code siw0} for iWARP. It sees the files of this machine, and is emulated, so
 * everything takes ten to a hundred times as long. What it needs is fetched by the first test and kept in the user's
 * cache folder; where it cannot be, the test is skipped.
 */
public final class RdmaGuest {
    /** How long a run in the guest may take, its start included. */
    public static final Duration LIMIT = Duration.ofMinutes(40);

    /** Lets ranks take the addresses of {@code rxe0} in turn, as if they were on several hosts. */
    public static final String SEVERAL_ADDRESSES = "-Dgalerna.verbs.gid.index=1,2,3,4";

    /** Words before a command that talks over libfabric. Software RoCE has completion queues of 32767, and libfabric wants one for 256 ranks. */
    public static final List<String> LIBFABRIC = List.of("env", "FI_UNIVERSE_SIZE=16");

    /** Leaves out the tests that are {@linkplain TestLauncher#SLOW_IN_GUEST slow here}. */
    public static final String QUICK = "-D" + TestLauncher.PART + "=quick";

    /** Runs the tests that {@link #QUICK} leaves out. */
    public static final String REST = "-D" + TestLauncher.PART + "=rest";

    /**
     * 4.3 s. An adapter that is emulated may be silent for long, too, and what is sent again because of that breaks
     * connections: the kernel's software RoCE (of Linux 6.1) then skips or repeats messages if several are under way.
     */
    private static final int ACK_TIMEOUT = 20;

    private static final Duration FILLING = Duration.ofMinutes(9);
    private static final int UNUSABLE = 125;

    private final Path tool;
    private final List<String> options = new ArrayList<>(List.of("--mem", "4G"));
    private String clock = "hpet"; // right however busy this machine is

    private RdmaGuest(Path tool) {
        this.tool = tool;
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
        RdmaGuest guest = new RdmaGuest(tool);
        if (iwarp) {
            guest.options.add("--siw");
        }
        try (ChildProcess filling = ChildProcess.start(guest.command(List.of("--fill")))) {
            int status = filling.awaitExit(FILLING);
            Assumptions.assumeTrue(status == 0, "no virtual machine with RDMA devices can be had: " + filling.err());
        }
        return guest;
    }

    /**
     * One of two guests that are joined by a cable, each with an adapter of its own at {@code 10.50.0.<node>}.
     *
     * @param cable a folder of both
     * @param node 1 or 2
     */
    public RdmaGuest onCable(Path cable, int node) {
        options.addAll(List.of("--link", cable.toString(), "--node", String.valueOf(node)));
        return this;
    }

    /** Lets the guest write to a folder of this machine; otherwise what it writes is gone at its end. */
    public RdmaGuest sharing(Path folder) {
        options.addAll(List.of("--scratch", folder.toString()));
        return this;
    }

    /** Gives it the clock that perftest needs, which is right only if this machine has nothing else to do. */
    public RdmaGuest withCycleCounter() {
        clock = "tsc";
        return this;
    }

    /** Words before a command that talks over UCX with one of its transports for {@code rxe0}. */
    public static List<String> ucx(String transport) {
        // an adapter that is emulated may be silent for long, and software RoCE must not have to send again
        return List.of(
                "env",
                "UCX_TLS=" + transport + ",self",
                "UCX_NET_DEVICES=rxe0:1",
                "UCX_UD_ETH_DGID_CHECK=n", // software RoCE does not say where a datagram was sent to
                "UCX_RC_TIMEOUT=4s",
                "UCX_UD_TIMEOUT=600s", // an end of UCX's own to a connection that is silent ends the process
                "UCX_KEEPALIVE_INTERVAL=60s");
    }

    private List<String> command(List<String> rest) {
        List<String> command = new ArrayList<>(List.of(tool.toString()));
        command.addAll(options);
        command.addAll(rest);
        return command;
    }

    /**
     * Runs tests there.
     *
     * @param javaOptions for the virtual machine for Java, e.g. {@code "-Dgalerna.verbs.adapter=siw0"}
     * @param tests classes, or methods written as {@code class#method}
     * @return what {@link TestLauncher} has written
     * @throws AssertionError if one of them has failed
     */
    public String runTests(List<String> javaOptions, List<String> tests) throws InterruptedException {
        return runTests(List.of(), javaOptions, tests);
    }

    /**
     * Runs tests there. What they write comes to this process's standard output at once: a run takes long.
     *
     * @param before words of a command that starts the command that is added to it
     */
    public String runTests(List<String> before, List<String> javaOptions, List<String> tests)
            throws InterruptedException {
        List<String> command = new ArrayList<>(before);
        command.addAll(java(javaOptions, TestLauncher.class, tests));
        try (ChildProcess guest = start(command)) {
            guest.copyOut(System.out);
            return outputOf(guest);
        }
    }

    /** The command for a Java program in the guest, with the class path of this virtual machine. */
    public static List<String> java(List<String> javaOptions, Class<?> main, List<String> arguments) {
        List<String> java = new ArrayList<>(List.of(
                "-XX:TieredStopAtLevel=1", // the better compiler would have one of the two emulated processors
                "-XX:+UseSerialGC",
                "-Xmx700m",
                "-XX:+ErrorFileToStdout",
                "--enable-native-access=ALL-UNNAMED",
                "-D" + RankThreads.PATIENCE + "=30",
                "-Dgalerna.peer.timeout=600", // a rank that is emulated may be silent for long
                "-Dgalerna.verbs.ack.timeout=" + ACK_TIMEOUT));
        java.addAll(javaOptions);
        return ChildProcess.java(java, main, arguments);
    }

    /** Starts a command there. */
    public ChildProcess start(List<String> words) {
        List<String> rest = new ArrayList<>(List.of("--timeout", String.valueOf(LIMIT.toSeconds()), "--"));
        rest.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command(rest));
        builder.environment().put("RXE_VM_CLOCK", clock);
        return ChildProcess.start(builder);
    }

    /**
     * Runs a command there.
     *
     * @return its standard output
     * @throws AssertionError if its status is not 0
     */
    public String run(List<String> words) throws InterruptedException {
        try (ChildProcess guest = start(words)) {
            return outputOf(guest);
        }
    }

    /** Waits for the end of a command that was {@linkplain #start started}; otherwise as {@link #run}. */
    public static String outputOf(ChildProcess guest) throws InterruptedException {
        int status = guest.awaitExit(LIMIT.plusMinutes(2));
        Assumptions.assumeTrue(status != UNUSABLE, "the virtual machine does not run: " + guest.err());
        if (status != 0) {
            throw new AssertionError("status " + status + "\n" + guest.out() + "\n" + guest.err());
        }
        return guest.out();
    }
}
