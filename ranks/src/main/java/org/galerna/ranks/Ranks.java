package org.galerna.ranks;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.galerna.device.Devices;
import org.galerna.launch.BindTo;
import org.galerna.launch.Job;
import org.galerna.launch.JobBuilder;
import org.galerna.launch.JobCost;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.JobResult;
import org.jspecify.annotations.Nullable;

/**
 * Starts ranks from Java: in a {@code main}, from the run button of an IDE, in a unit test.
 *
 * {@snippet file="org/galerna/examples/Sums.java" region="sums" :
 * Ranks four = Ranks.of(4);
 * List<Integer> sums = four.call(world -> {
 *     int[] sum = {world.Rank()};
 *     world.Allreduce(MPI.IN_PLACE, 0, sum, 0, 1, MPI.INT, MPI.SUM);
 *     return sum[0];
 * });
 * }
 *
 * <p>An object of this class describes a job; it does not change, and can be run any number of times, also at once. Running
 * it throws an {@link IllegalStateException} if the memory of this host has no room for so many ranks.
 *
 * <p><b>Code of the caller</b> ({@link #run}, {@link #call}). Each rank is a thread that runs the same lambda, between
 * {@code MPI.Init} and {@code MPI.Finalize}, which need not be called and may be. <em>The ranks use the same classes: they
 * share static fields, and the objects that the lambda captures.</em> {@code System.exit} ends the whole JVM. The
 * communicator that the lambda is given belongs to the rank and may be used by any thread. {@code MPI.COMM_WORLD} and the
 * methods of {@code MPI} mean the rank of the calling thread: the main thread of the rank, or one that a thread of the rank
 * has started, platform or virtual. Threads of the common pool (parallel streams, {@code CompletableFuture}) and of pools
 * that another rank has filled belong to no rank or to that one; use the given communicator there. A rank ends when the
 * lambda returns, whatever threads it has started.
 *
 * <p><b>Whole programs</b> ({@link #program}). Each rank runs the main method with classes, static fields, standard
 * streams and {@code System.exit} of its own, as in a process; with {@link #procs} it is one.
 *
 * <p><b>Failures.</b> The first rank that throws ends the job, and its exception is the cause of what the caller gets: a
 * {@link RankAssertionError} if an assertion has failed, else a {@link RankFailedException}. The message begins with
 * {@code rank 2 failed: }. Ranks that wait for each other, the {@linkplain #within time limit} and an interrupt of the
 * calling thread end the job with a {@link RanksException}. The methods that begin with {@code try} return all this as a
 * {@link RanksResult}. Threads that compute without an end and look at no interrupt cannot be ended: they go on in the
 * JVM after the job.
 */
public final class Ranks {
    /** What calls the main method of a rank. */
    private static final String RANK_MAIN = "org.galerna.launch.program.MainMethod";

    private static final Duration NEVER = Duration.ofDays(1);

    private final int number;
    private final Duration limit;
    private final @Nullable String device;
    private final boolean labelled;
    private final boolean captured;
    private final boolean procs;
    private final List<String> jvmOptions;

    private Ranks(
            int number,
            Duration limit,
            @Nullable String device,
            boolean labelled,
            boolean captured,
            boolean procs,
            List<String> jvmOptions) {
        this.number = number;
        this.limit = limit;
        this.device = device;
        this.labelled = labelled;
        this.captured = captured;
        this.procs = procs;
        this.jvmOptions = List.copyOf(jvmOptions);
    }

    /**
     * A job of so many ranks.
     *
     * @throws IllegalArgumentException if there is not at least one
     */
    public static Ranks of(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a job needs at least one rank, not " + number);
        }
        return new Ranks(number, Duration.ZERO, null, false, false, false, List.of());
    }

    // ---- how the ranks run

    /**
     * Ends the job if it takes longer; the exception says where each rank is. There is no limit unless this is called.
     *
     * @throws IllegalArgumentException if it is no time
     */
    public Ranks within(Duration time) {
        if (!time.isPositive()) {
            throw new IllegalArgumentException("a time limit must be positive, not " + time);
        }
        return new Ranks(number, time, device, labelled, captured, procs, jvmOptions);
    }

    /**
     * The device that the ranks communicate through, e.g. {@code niodev}; the fastest possible unless this is called.
     *
     * @throws IllegalArgumentException if there is no such device
     */
    public Ranks device(String name) {
        if (Devices.find(name).isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no device \"" + name + "\", only " + String.join(", ", Devices.names()));
        }
        return new Ranks(number, limit, name, labelled, captured, procs, jvmOptions);
    }

    /** Begins each line that a rank prints with its rank: {@code [2] }. */
    public Ranks labelled() {
        return new Ranks(number, limit, device, true, captured, procs, jvmOptions);
    }

    /**
     * Keeps what the ranks print for {@link RanksResult#output}. If a method that throws fails, it prints this, with labels,
     * to the standard output.
     */
    public Ranks captured() {
        return new Ranks(number, limit, device, labelled, true, procs, jvmOptions);
    }

    /** Makes each rank of a {@link #program} a process of its own, on this host. */
    public Ranks procs() {
        return new Ranks(number, limit, device, labelled, captured, true, jvmOptions);
    }

    /** Options for the virtual machines of {@link #procs}, e.g. {@code -Xmx1g}; none unless this is called. */
    public Ranks jvmOptions(String... options) {
        return new Ranks(number, limit, device, labelled, captured, procs, Arrays.asList(options));
    }

    // ---- code of the caller

    /**
     * Runs code of the caller on each rank, and waits for all.
     *
     * @throws RankAssertionError if an assertion fails in a rank
     * @throws RankFailedException if a rank throws another exception
     * @throws RanksException if the job ends in another way, see there
     */
    public void run(RankBody body) {
        shown(tryRun(body)).orThrow();
    }

    /**
     * Calls code of the caller on each rank, and waits for all.
     *
     * @return the results by rank
     * @throws RankAssertionError if an assertion fails in a rank
     * @throws RankFailedException if a rank throws another exception
     * @throws RanksException if the job ends in another way, see there
     */
    public <T extends @Nullable Object> List<T> call(RankFunction<T> function) {
        return shown(tryCall(function)).values();
    }

    /** As {@link #run}, without throwing what goes wrong in the job. */
    public RanksResult<@Nullable Void> tryRun(RankBody body) {
        return tryCall(RankCall.of(body), body);
    }

    /** As {@link #call}, without throwing what goes wrong in the job. */
    public <T extends @Nullable Object> RanksResult<T> tryCall(RankFunction<T> function) {
        return tryCall(function, function);
    }

    private <T extends @Nullable Object> RanksResult<T> tryCall(RankFunction<T> function, Object code) {
        if (procs) {
            throw new IllegalStateException("code of the caller runs in this JVM: procs() goes with program(...)");
        }
        RankCall<T> call = new RankCall<>(number, function, code);
        return finish(output -> threads(output).code(call.asCode(code)).build(), call);
    }

    // ---- whole programs

    /**
     * Runs a program: the main method of a class, on each rank, and waits for all. The class path is that of this JVM.
     *
     * @return the result, with what the ranks have printed if that is {@linkplain #captured captured}
     * @throws RankAssertionError if an assertion fails in a rank
     * @throws RankFailedException if a rank throws another exception
     * @throws RanksException if the job ends in another way, see there
     */
    public RanksResult<@Nullable Void> program(Class<?> main, String... arguments) {
        return shown(tryProgram(main, arguments)).orThrow();
    }

    /** As {@link #program}, without throwing what goes wrong in the job. */
    public RanksResult<@Nullable Void> tryProgram(Class<?> main, String... arguments) {
        checkNotItself(main);
        List<Path> path = classPath(main);
        List<String> all = List.of(arguments);
        return finish(
                output -> procs
                        ? processes(output)
                                .classPath(path.stream()
                                        .map(Path::toString)
                                        .collect(Collectors.joining(File.pathSeparator)))
                                .mainClass(main.getName())
                                .arguments(all)
                                .build()
                        : threads(output)
                                .classPath(path)
                                .mainClass(main.getName())
                                .arguments(all)
                                .build(),
                new RankCall<>(number, world -> null, main));
    }

    /** A main method that starts ranks which run it as well starts ranks for ever, or processes until the system gives up. */
    private static void checkNotItself(Class<?> main) {
        boolean again = StackWalker.getInstance().walk(frames -> {
            List<StackWalker.StackFrame> all = frames.toList();
            return all.stream().anyMatch(frame -> frame.getClassName().equals(RANK_MAIN))
                    && all.stream()
                            .anyMatch(frame -> frame.getClassName().equals(main.getName())
                                    && frame.getMethodName().equals("main"));
        });
        if (again) {
            throw new IllegalStateException(
                    "class " + main.getName() + " is what this rank runs already, and would start"
                            + " ranks for ever: start them from the main method of another class");
        }
    }

    /** What this JVM finds classes in, and where the program is if that is somewhere else. */
    private static List<Path> classPath(Class<?> main) {
        Set<Path> path = new LinkedHashSet<>();
        for (String property : List.of("java.class.path", "jdk.module.path")) {
            Arrays.stream(System.getProperty(property, "").split(File.pathSeparator, -1))
                    .filter(entry -> !entry.isEmpty())
                    .forEach(entry -> path.add(Path.of(entry).toAbsolutePath()));
        }
        CodeSource source = main.getProtectionDomain().getCodeSource();
        if (source != null && source.getLocation().getProtocol().equals("file")) {
            try {
                path.add(Path.of(source.getLocation().toURI()));
            } catch (URISyntaxException unusual) {
                throw new IllegalArgumentException(main + " is in a place that has no name: " + source, unusual);
            }
        }
        return new ArrayList<>(path);
    }

    // ---- both

    /** What a job prints. */
    private record Output(
            @Nullable CapturedOutput out, @Nullable CapturedOutput err) {}

    private ThreadJob.Builder threads(Output output) {
        if (!jvmOptions.isEmpty()) {
            throw new IllegalStateException(
                    "ranks that are threads have no JVM of their own: jvmOptions(...) goes with" + " procs()");
        }
        ThreadJob.Builder job = described(ThreadJob.builder(), output);
        return output.out() == null ? job : job.ageOfPartialLines(NEVER);
    }

    private ProcessJob.Builder processes(Output output) {
        return described(ProcessJob.builder().bindTo(BindTo.NONE).jvmOptions(jvmOptions), output);
    }

    private <B extends JobBuilder<B>> B described(B job, Output output) {
        job.ranks(number).labelled(labelled || captured).timeout(limit);
        if (device != null) {
            job.device(device);
        }
        if (output.out() != null && output.err() != null) {
            job.standardOutput(output.out()).standardError(output.err());
        }
        return job;
    }

    private <T extends @Nullable Object> RanksResult<T> finish(Function<Output, Job> job, RankCall<T> call) {
        JobCost.noRoom(number, procs).ifPresent(reason -> {
            throw new IllegalStateException(reason);
        });
        Output output = captured ? new Output(new CapturedOutput(), new CapturedOutput()) : new Output(null, null);
        JobResult result = job.apply(output).run();
        return new RanksResult<>(
                result,
                Failures.of(result, call.failures()),
                call.values(),
                output.out() == null ? List.of() : output.out().lines(number),
                output.err() == null ? List.of() : output.err().lines(number));
    }

    /** Output that was kept is of use to those who look for the reason of a failure. */
    private <T extends @Nullable Object> RanksResult<T> shown(RanksResult<T> result) {
        if (captured && !result.isSuccess()) {
            for (int rank = 0; rank < number; rank++) {
                for (String line : result.output(rank)) {
                    System.out.printf(Locale.ROOT, "[%d] %s%n", rank, line);
                }
                for (String line : result.errorOutput(rank)) {
                    System.out.printf(Locale.ROOT, "[%d] %s%n", rank, line);
                }
            }
        }
        return result;
    }
}
