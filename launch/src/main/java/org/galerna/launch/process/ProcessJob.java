package org.galerna.launch.process;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.galerna.launch.BindTo;
import org.galerna.launch.Job;
import org.galerna.launch.JobBuilder;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.report.JobResult;

/**
 * A job whose ranks are processes, on this host or on others that ssh reaches. Nothing is left of a job when it has ended, however it ends: processes end with the JVM of the launcher.
 *
 * <pre>{@code
 * JobResult result = ProcessJob.builder().ranks(4).mainClass("org.example.Main").build().run();
 * }</pre>
 */
public final class ProcessJob implements Job {
    /** The command that reaches another host, unless the builder says otherwise. */
    public static final List<String> SSH = List.of(
            "ssh",
            "-x",
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=15",
            "-o",
            "ServerAliveInterval=10",
            "-o",
            "ServerAliveCountMax=3");

    private final ProcessRun running;

    private ProcessJob(Builder builder) {
        this.running = new ProcessRun(builder);
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
        return running.patience();
    }

    /** Describes a job. Everything but the main class has a default. */
    public static final class Builder extends JobBuilder<Builder> {
        int ranksPerProcess = 1;
        List<Host> hosts = List.of(Host.HERE);
        List<String> ssh = SSH;
        Optional<Path> java = Optional.empty();
        List<String> jvmOptions = List.of();
        String classPath = System.getProperty("java.class.path", "");
        String modulePath = "";
        Map<String, byte[]> classes = Map.of();
        Path workingFolder = Path.of("").toAbsolutePath();
        Optional<Path> aotCache = Optional.empty();
        Optional<InputStream> standardInput = Optional.empty();

        private Builder() {
            super(BindTo.AUTO);
        }

        @Override
        protected Builder self() {
            return this;
        }

        /** How many ranks are threads of one process; consecutive ones are. 1 unless set. */
        public Builder ranksPerProcess(int number) {
            if (number < 1) {
                throw new IllegalArgumentException("a process has at least one rank, not " + number);
            }
            ranksPerProcess = number;
            return this;
        }

        /** The hosts to run on, in the order of the ranks; this one unless set. */
        public Builder hosts(List<Host> names) {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("a job needs at least one host");
            }
            hosts = List.copyOf(names);
            return this;
        }

        /** The words of the command that reaches another host, without its name; {@link #SSH} unless set. */
        public Builder ssh(List<String> command) {
            ssh = List.copyOf(command);
            return this;
        }

        /** The program {@code java} of other hosts, or the home of their JDK; the same path as here unless set. */
        public Builder java(Path program) {
            java = Optional.of(program);
            return this;
        }

        /** Options of the ranks' virtual machines; none unless set. */
        public Builder jvmOptions(List<String> options) {
            jvmOptions = List.copyOf(options);
            return this;
        }

        /** As for {@code java -p}, for a program of modules; none unless set. The main class is then {@code module/class}. */
        public Builder modulePath(String path) {
            modulePath = path;
            return this;
        }

        /** As for {@code java -cp}; that of this JVM unless set. */
        public Builder classPath(String path) {
            classPath = path;
            return this;
        }

        /**
         * Classes that stand before the class path, and go to each host from here; none unless set.
         *
         * @param compiled class files by the names of their classes
         */
        public Builder classes(Map<String, byte[]> compiled) {
            classes = Map.copyOf(compiled);
            return this;
        }

        /** The folder that the ranks run in, on every host; that of this process unless set. */
        public Builder workingFolder(Path folder) {
            workingFolder = folder.toAbsolutePath();
            return this;
        }

        @Override
        public Builder device(String name) {
            return property(ThreadJob.DEVICE_PROPERTY, name);
        }

        /** Whether rank 0 says which link serves which pair of ranks, and why; false unless set. */
        public Builder explained(boolean on) {
            return on ? property("galerna.explain", "true") : this;
        }

        private Builder property(String name, String value) {
            List<String> options = new ArrayList<>(jvmOptions);
            options.add("-D" + name + "=" + value);
            jvmOptions = List.copyOf(options);
            return this;
        }

        /** The file in which rank 0 leaves the classes that it has loaded; none unless set. */
        Builder aotCache(Path file) {
            aotCache = Optional.of(file);
            return this;
        }

        /** What rank 0 reads as its standard input; that of this process, terminal or not, unless set. */
        public Builder standardInput(InputStream stream) {
            standardInput = Optional.of(stream);
            return this;
        }

        @Override
        public ProcessJob build() {
            if (mainClass().isEmpty()) {
                throw new IllegalStateException("a job needs a main class");
            }
            return new ProcessJob(this);
        }
    }
}
