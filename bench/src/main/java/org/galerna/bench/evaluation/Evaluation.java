package org.galerna.bench.evaluation;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.galerna.applications.cosmology.Cosmology;
import org.galerna.applications.fdtd.Fdtd;
import org.galerna.applications.lu.Lu;
import org.galerna.applications.molecular.Molecular;
import org.galerna.bench.demo.Harbour;
import org.galerna.bench.report.ThisMachine;
import org.galerna.bench.report.Trial;
import org.galerna.link.process.TemporaryFolder;

/**
 * Measures the ratios that five papers report, and the speed-ups that their figures show. What is compared runs in turns.
 * Once per object; not thread-safe.
 */
public final class Evaluation {
    private static final String PARTICLES = "million particle steps/s";

    /**
     * What to do.
     *
     * @param parts what is measured
     * @param natives NASA's programs
     * @param letter class of the kernels
     * @param cores numbers of ranks and threads; one core is always measured
     * @param rounds how often each program runs
     * @param quick do so little that the figures mean nothing
     */
    public record Options(
            List<Part> parts, NativeKernels natives, String letter, List<Integer> cores, int rounds, boolean quick) {
        /** Copies the lists; the numbers of cores are put in order. */
        public Options {
            parts = List.copyOf(parts);
            TreeSet<Integer> ordered = new TreeSet<>(cores);
            ordered.add(1);
            cores = List.copyOf(ordered);
        }
    }

    private final Options options;
    private final Consumer<String> progress;
    private final List<Headline> headlines = new ArrayList<>();
    private final List<Speed> speeds = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * An evaluation.
     *
     * @param progress is told what runs
     */
    public Evaluation(Options options, Consumer<String> progress) {
        this.options = options;
        this.progress = progress;
    }

    /**
     * Measures all.
     *
     * @param command what was typed
     * @param version of Galerna
     */
    public EvaluationReport run(String command, String version) {
        Instant start = Instant.now();
        Map<String, String> versions = new TreeMap<>(Map.of("galerna", version));
        for (Part part : options.parts) {
            switch (part) {
                case MESSAGES -> messages(versions);
                case CG, FT, IS, MG, EP -> measure(new KernelPart(part.word(), options.letter, options.natives));
                case LU -> measure(lu());
                case MOLECULAR -> measure(molecular());
                case FDTD -> fdtd();
                case COSMOLOGY -> measure(cosmology());
            }
        }
        return new EvaluationReport(
                start, command, ThisMachine.describe(), versions, headlines, speeds, Trial.notes(options.quick, notes));
    }

    /** Prints what was found as tables. */
    public static void print(EvaluationReport report, PrintStream output) {
        if (!report.headlines().isEmpty()) {
            output.printf(Locale.ROOT, " %-12s %-64s %6s %6s%n", "paper", "ratio (more is better)", "there", "here");
            report.headlines().forEach(headline -> output.print(headline.row()));
        }
        EvaluationPage.byProgram(report.speeds()).forEach((program, own) -> {
            output.printf(Locale.ROOT, "%n %s, %s%n", program, own.getFirst().unit());
            EvaluationPage.bySystem(own).forEach((system, row) -> {
                output.printf(Locale.ROOT, "   %-32s", system);
                row.forEach(speed ->
                        output.printf(Locale.ROOT, "  %s: %.2f", EvaluationPage.cores(speed.cores()), speed.value()));
                output.println();
            });
        });
        report.notes().forEach(note -> output.println("note: " + note));
        output.flush();
    }

    private void messages(Map<String, String> versions) {
        MessagePart messages = new MessagePart();
        messages.measure(options.quick, progress);
        headlines.addAll(messages.headlines());
        notes.addAll(messages.notes());
        MessagePart.peers().stream()
                .filter(peer -> peer.unavailable().isEmpty() && !peer.version().isEmpty())
                .forEach(peer -> versions.put(peer.name(), peer.version()));
    }

    private void measure(ProgramPart part) {
        part.measure(options.cores, options.rounds, progress);
        headlines.addAll(part.headlines());
        speeds.addAll(part.speeds());
    }

    private ProgramPart lu() {
        return new ApplicationPart(
                "LU factorization",
                Lu.class.getName(),
                options.quick ? List.of("--order", "200") : List.of("--order", "3200", "--warm-up", "3"),
                "Gflop/s",
                (part, most) -> {
                    part.sharedMemory(Paper.SOCKETS, most, 2.79);
                    part.besideMpjExpress(Paper.SOCKETS, most, 2.79);
                });
    }

    private ProgramPart molecular() {
        return new ApplicationPart(
                "molecular dynamics",
                Molecular.class.getName(),
                options.quick
                        ? List.of("--cells", "5", "--steps", "5")
                        : List.of("--cells", "10", "--steps", "200", "--warm-up", "3"),
                PARTICLES,
                (part, most) -> {
                    part.sharedMemory(Paper.SOCKETS, most, 1.42);
                    part.besideMpjExpress(Paper.SOCKETS, most, 1.42);
                });
    }

    private ProgramPart cosmology() {
        List<String> arguments = options.quick
                ? List.of("--particles", "16", "--start", "0.1", "--end", "0.15", "--steps", "4")
                : List.of("--particles", "64", "--steps", "10", "--end", "0.1", "--warm-up", "3");
        List<String> all = new ArrayList<>(arguments);
        all.addAll(List.of("--progress", "none"));
        return new ApplicationPart(
                "universe of particles",
                Cosmology.class.getName(),
                all,
                PARTICLES,
                (part, most) -> part.sharedMemory(Paper.IBVDEV, most, 1.38));
    }

    /** The program wants files. */
    private void fdtd() {
        try {
            try (TemporaryFolder made = TemporaryFolder.make("fdtd").untilEnd()) {
                Path folder = made.path();
                Path parameters = Harbour.unpack(folder);
                measure(new ApplicationPart(
                        "wave in a harbour (FDTD)",
                        Fdtd.class.getName(),
                        List.of(
                                parameters.toString(),
                                folder.resolve("results").toString(),
                                "--steps",
                                options.quick ? "20" : "1125",
                                "--warm-up",
                                options.quick ? "0" : "3",
                                "--progress",
                                "none"),
                        "million cells/s",
                        (part, most) -> {
                            part.speedUps(
                                    Paper.RDMA,
                                    ProgramPart.RANKS,
                                    ProgramPart.MPJ_EXPRESS,
                                    most,
                                    1.31,
                                    "MPJ Express cannot be had here");
                            part.missing(
                                    Paper.RDMA,
                                    "speed-up: Galerna / Open MPI Java",
                                    1.24,
                                    "openmpi-java cannot be had here");
                        }));
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(
                    "the files of the simulation cannot be written: " + failed.getMessage(), failed);
        }
    }
}
