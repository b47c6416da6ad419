package org.galerna.applications.nas;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import mpi.Intracomm;
import org.galerna.applications.OptionValue;
import org.galerna.applications.Program;

/**
 * Runs a kernel of the NAS Parallel Benchmarks: {@code Nas KERNEL [--class S|W|A|B|C|D] [--threads T] [--warm-up SECONDS]},
 * on any number of
 * ranks that the kernel allows. Rank 0 prints the block that the benchmarks print.
 */
public final class Nas {
    /** What is understood. */
    static final String USAGE = "usage: Nas cg|ep|ft|is|mg [--class S|W|A|B|C|D] [--threads T] [--warm-up SECONDS]";

    private static final Path LARGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
    private static final int MOST_THREADS = 256;
    private static final double MOST_WARM_UP = 3600;
    private static final Set<String> OPTIONS = Set.of("--class", "--threads", "--warm-up");

    private static final Map<String, Kernel> KERNELS = new TreeMap<>(Map.of(
            "cg", new CgKernel(),
            "ep", new EpKernel(),
            "ft", new FtKernel(),
            "is", new IsKernel(),
            "mg", new MgKernel()));

    private Nas() {}

    /** Runs; the exit status is 2 if the arguments are wrong, and 1 if the result is. */
    public static void main(String[] arguments) {
        Program.run("nas", arguments, (ranks, own) -> run(ranks, own, System.out));
    }

    /**
     * Runs a kernel; every rank must call.
     *
     * @return whether the result is that of the specification
     * @throws NasException on every rank, if the arguments are wrong or the ranks cannot run the kernel
     */
    static boolean run(Intracomm ranks, String[] arguments, PrintStream output) {
        if (arguments.length == 0) {
            throw new NasException("a kernel is missing\n" + USAGE);
        }
        Kernel kernel = find(arguments[0]);
        ProblemClass size = ProblemClass.S;
        int threads = 1;
        OptionalDouble warmUp = OptionalDouble.empty();
        for (int index = 1; index < arguments.length; index += 2) {
            String option = arguments[index];
            if (!OPTIONS.contains(option)) {
                throw new NasException("\"" + option + "\" is not understood\n" + USAGE);
            }
            if (index + 1 == arguments.length) {
                throw new NasException(option + " needs a value\n" + USAGE);
            }
            String value = arguments[index + 1];
            switch (option) {
                case "--class" -> size = ProblemClass.parse(value);
                case "--threads" -> threads = OptionValue.whole(option, value, 1, MOST_THREADS);
                default -> warmUp = OptionalDouble.of(OptionValue.number(option, value, 0, MOST_WARM_UP));
            }
        }
        kernel.check(size, ranks.Size());
        KernelResult result = kernel.run(ranks, size, threads, warmUp.orElse(size.warmUpSeconds()));
        if (ranks.Rank() == 0) {
            print(output, result, size, ranks.Size(), threads);
        }
        return result.verified();
    }

    private static void print(PrintStream output, KernelResult result, ProblemClass size, int ranks, int threads) {
        StringBuilder text = new StringBuilder();
        result.details().forEach(line -> text.append(' ').append(line).append('\n'));
        text.append("\n\n ").append(result.name()).append(" Benchmark Completed.\n");
        line(text, "Class", size.name());
        line(text, "Size", result.size());
        line(text, "Iterations", Integer.toString(result.iterations()));
        line(text, "Time in seconds", String.format(Locale.ROOT, "%.2f", result.seconds()));
        line(text, "Total processes", Integer.toString(ranks));
        line(text, "Total threads", Integer.toString(ranks * threads));
        line(text, "Mop/s total", String.format(Locale.ROOT, "%.2f", result.mops()));
        line(text, "Mop/s/thread", String.format(Locale.ROOT, "%.2f", result.mops() / ranks / threads));
        text.append(String.format(Locale.ROOT, " %-15s = %24s%n", "Operation type", result.operations()));
        line(text, "Verification", result.verified() ? "SUCCESSFUL" : "UNSUCCESSFUL");
        output.print(text);
        output.flush();
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, " %-15s = %24s%n", name, value));
    }

    /**
     * Says what is wrong with a run before it is started.
     *
     * @throws NasException if there is no such kernel or class, or so many ranks or threads cannot run it
     */
    public static void check(String kernel, String size, int ranks, int threads) {
        find(kernel).check(ProblemClass.parse(size), ranks);
        OptionValue.whole("--threads", Integer.toString(threads), 1, MOST_THREADS);
    }

    private static Kernel find(String name) {
        Kernel kernel = KERNELS.get(name.toLowerCase(Locale.ROOT));
        if (kernel == null) {
            throw new NasException(
                    "there is no kernel \"" + name + "\": choose one of " + String.join(", ", KERNELS.keySet()));
        }
        return kernel;
    }

    /** The names of the kernels. */
    public static List<String> kernels() {
        return List.copyOf(KERNELS.keySet());
    }

    /**
     * Options of the virtual machine that suit the kernels. The heap may be most of the memory, and half of it is for new
     * arrays: a collector that moves rows scatters them, and MG then takes up to twice as long. Its pages are large ones
     * where the system lets programs ask for them.
     *
     * @param processes that share the memory of the machine
     */
    public static List<String> jvmOptions(int processes) {
        List<String> options = new ArrayList<>(List.of(
                "-XX:+UseParallelGC",
                "-XX:NewRatio=1",
                "-XX:InitialRAMPercentage=" + 60.0 / processes,
                "-XX:MaxRAMPercentage=" + 80.0 / processes));
        if (hasLargePages()) {
            options.add("-XX:+UseTransparentHugePages");
        }
        return options;
    }

    /** The word in brackets is what the system does. */
    private static boolean hasLargePages() {
        try {
            String modes = Files.readString(LARGE_PAGES);
            return modes.contains("[madvise]") || modes.contains("[always]");
        } catch (IOException another) { // another system
            return false;
        }
    }
}
