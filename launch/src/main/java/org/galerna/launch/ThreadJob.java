package org.galerna.launch;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.galerna.launch.program.ClassPath;
import org.galerna.launch.program.ProgramArguments;
import org.galerna.launch.rank.ProcessState;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.RankPosition;
import org.jspecify.annotations.Nullable;

/**
 * A job whose ranks are threads of this JVM. Each rank loads the program and class {@code mpi.MPI} for itself, so
 * that an unmodified program for ranks that are processes runs: static state, {@code System.exit}, standard input,
 * shutdown hooks and uncaught exceptions are those of the rank.
 *
 * <pre>{@code
 * JobResult result = ThreadJob.builder().ranks(4).mainClass("org.example.Main").build().run();
 * }</pre>
 *
 * <p>Any number of jobs may run in one JVM, one after another or at once. A job that has been ended by force may leave
 * threads behind, if its program neither blocks nor looks at interrupts; a launcher with a JVM of its own for the job
 * ({@link JobMain}) is safe from that.
 */
public final class ThreadJob implements Job {
    /** System property with the name of the device, for ranks whose launcher names none. */
    public static final String DEVICE_PROPERTY = ProgramArguments.DEVICE_PROPERTY;

    /** System property: the same in seconds, for ranks that a job manager has started; 0 for no such watch. */
    public static final String DEADLOCK_PROPERTY = "galerna.deadlock.timeout";

    /** For how long nothing must move until a job counts as deadlocked, unless the builder says otherwise. */
    public static final Duration DEADLOCK_TIMEOUT = Duration.ofSeconds(5);

    /** Hooks of the ranks, their threads, and those who read what they have printed. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    // longer than a machine with more to do than processors leaves a rank alone in the middle of a line
    private static final Duration AGE_OF_PARTIAL_LINES = Duration.ofSeconds(1);

    private final RunningJob running;

    private ThreadJob(Builder builder) {
        this.running = new RunningJob(builder);
    }

    /** A job to be described. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public JobResult run() {
        return running.run();
    }

    @Override
    public boolean interrupt() {
        return running.interrupt();
    }

    @Override
    public Duration patience() {
        return PATIENCE;
    }

    /** Where the ranks are; any thread may ask while the job runs. */
    public List<RankPosition> positions() {
        return running.positions();
    }

    /** Describes a job. Everything but the main class has a default. */
    public static final class Builder extends JobBuilder<Builder> {
        List<Path> classPath = ClassPath.parse(System.getProperty("java.class.path", ""));
        ProgramModules modules = ProgramModules.NONE;

        @Nullable
        RankCode code;

        @Nullable
        String device;

        Duration ageOfPartialLines = AGE_OF_PARTIAL_LINES;
        InputStream standardInput = ProcessState.in();
        List<BitSet> cores = List.of();
        BitSet everywhere = new BitSet();
        Function<RankGroup.Events, RankGroup> group =
                events -> new WholeJob(ranks(), Optional.ofNullable(device), events);

        private Builder() {
            super(BindTo.NONE);
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** Folders and archives of the program; the class path of this JVM unless set. */
        public Builder classPath(List<Path> path) {
            classPath = List.copyOf(path);
            return this;
        }

        /** The modules of the program; none unless set. The main class is then {@code module/class}. */
        public Builder modules(ProgramModules ofProgram) {
            modules = ofProgram;
            return this;
        }

        /** Code of this JVM to run, in place of a main class. */
        public Builder code(RankCode ofThisJvm) {
            code = ofThisJvm;
            return this;
        }

        @Override
        public Builder device(String name) {
            device = name;
            return this;
        }

        /**
         * How long the beginning of a line waits for its rest; one second unless set. After that it is passed on as it is,
         * and lines of other ranks may get between. A rank that reads its standard input, or flushes, does not wait.
         */
        public Builder ageOfPartialLines(Duration age) {
            ageOfPartialLines = age;
            return this;
        }

        /** What rank 0 reads as its standard input; that of this JVM unless set. */
        public Builder standardInput(InputStream stream) {
            standardInput = stream;
            return this;
        }

        /**
         * Makes the ranks a part of a larger job, which is the launcher's business; they are the whole job unless set.
         *
         * @param part the ranks and how they meet the others; the number of {@link #ranks} is theirs
         * @param places the processors that each rank is bound to; empty if they are not bound, whatever else is said
         * @param rest the processors that threads may run on that are not bound
         */
        public Builder partOf(Function<RankGroup.Events, RankGroup> part, List<BitSet> places, BitSet rest) {
            group = part;
            cores = List.copyOf(places);
            everywhere = rest;
            return this;
        }

        @Override
        public ThreadJob build() {
            if (mainClass().isEmpty() && code == null) {
                throw new IllegalStateException("a job needs a main class");
            }
            return new ThreadJob(this);
        }
    }
}
