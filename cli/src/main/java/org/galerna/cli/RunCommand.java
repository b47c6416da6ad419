package org.galerna.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.galerna.device.Devices;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobEnd;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.process.Host;
import org.galerna.launch.process.HostList;
import org.galerna.launch.process.LaunchException;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code galerna run}: an MPJ program on several ranks, in a JVM of its own. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Runs an MPJ program. Every rank is a thread with classes of its own, or a process.",
        customSynopsis = {
            "galerna run [-n RANKS] [OPTION...] [-cp PATH] CLASS [ARGUMENT...]",
            "galerna run [-n RANKS] [OPTION...] -jar FILE [ARGUMENT...]"
        },
        footer = {
            "",
            "Options of the Java virtual machine (-Xmx4g, -Dname=value, -XX:..., -ea, --add-modules ...) may stand before "
                    + "the class as they are.",
            "Whatever follows the class or the jar belongs to the program.",
            "",
            "Exit status: that of the program's System.exit or Abort; 0 when all ranks have ended; 1 after an uncaught "
                    + "exception; 2 if the job could not be started; 3 after a deadlock; 124 after --timeout; 130 after Ctrl-C.",
            "",
            "Examples:",
            "  galerna run -n 4 -cp build/classes org.example.Main 1000",
            "  galerna run -np 8 -Xmx2g --label -jar app.jar --verbose",
            "  galerna run -n 4 --hosts node1:2,node2:2 -cp build/classes org.example.Main"
        })
final class RunCommand implements Callable<Integer> {
    private static final String JVM_OPTION = "--jvm-option";

    @Option(
            names = {"-n", "-np", "--ranks"},
            paramLabel = "RANKS",
            description =
                    "number of ranks; default: what the hosts have room for, or else the number of processors here")
    private @Nullable Integer ranks;

    @Option(
            names = {"-cp", "-classpath", "--class-path"},
            paramLabel = "PATH",
            description = "folders and jars of the program, as for java; default: CLASSPATH, or the current folder")
    private @Nullable String classPath;

    @Option(
            names = {"-jar", "--jar"},
            paramLabel = "FILE",
            description = "a jar that names its main class")
    private @Nullable Path jar;

    @Option(
            names = {"-class", "--class"},
            paramLabel = "CLASS",
            description = "the main class, for those who like to name it by an option")
    private @Nullable String mainClass;

    @Option(
            names = {"-dev", "--device"},
            paramLabel = "NAME",
            description = "how ranks communicate, by the name of a device; default: the fastest possible")
    private @Nullable String device;

    @Option(
            names = DeviceSettings.OPTION,
            paramLabel = "NAME=VALUE",
            description =
                    "how the device works, e.g. eager.limit=65536 or verbs.adapter=mlx5_1; help for all " + "of them")
    private List<String> deviceSettings = new ArrayList<>();

    @Option(
            names = {"-wdir", "--wdir"},
            paramLabel = "FOLDER",
            description = "the program's current folder; class path and jar are found from here all the same")
    private @Nullable Path workingFolder;

    @Option(names = "--label", description = "begin each line of output with its rank")
    private boolean labelled;

    @Option(
            names = "--bind-to",
            paramLabel = "core|none",
            description =
                    "core: each rank stays on a core of its own, from the first core again when there are more ranks; "
                            + "none: ranks move as the system likes; default: core for 2 ranks and more, as long as each has a core "
                            + "that no other job needs")
    private @Nullable String bindTo;

    @Option(names = "--report-bindings", description = "say where each rank runs")
    private boolean bindingsReported;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "end the job after this time, and say where its ranks are")
    private double timeout;

    @Option(
            names = "--deadlock-timeout",
            paramLabel = "SECONDS",
            description = "end the job, and say who waits for whom, when all ranks have been blocked for this time; 0: "
                    + "never; default: ${DEFAULT-VALUE}")
    private double deadlockTimeout = ThreadJob.DEADLOCK_TIMEOUT.toSeconds();

    @Option(
            names = {"-J", JVM_OPTION},
            paramLabel = "OPTION",
            description = "an option of the Java virtual machine, e.g. -J-Xmx4g")
    private List<String> jvmOptions = new ArrayList<>();

    @Mixin
    private ProcessOptions processOptions = new ProcessOptions();

    @Parameters(paramLabel = "CLASS ARGUMENT", description = "the main class, and its arguments", arity = "0..*")
    private List<String> words = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path folder = workingFolder();
        check();
        jvmOptions.addAll(DeviceSettings.properties(deviceSettings));
        if (!processOptions.areProcesses()) {
            return ChildJvm.run(options(), folder, describe().toArguments());
        }
        try {
            List<Host> hosts = processOptions.hosts();
            int number = ranks != null ? ranks : hosts.isEmpty() ? processors() : HostList.room(hosts);
            if (processOptions.usesManager()) {
                return runByManager(number, hosts, folder);
            }
            JobEnd.run(processJob(number, hosts, folder), ProcessJob.PATIENCE);
            return ExitStatus.OK;
        } catch (LaunchException wrong) {
            throw new UsageException(wrong.reason());
        }
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }

    private List<String> options() {
        List<String> options = new ArrayList<>(jvmOptions);
        if (processOptions.isExplained()) {
            options.add("-Dgalerna.explain=true");
        }
        return options;
    }

    private ProcessJob processJob(int number, List<Host> hosts, Path folder) {
        Program program = program();
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(number)
                .classPath(programPath())
                .mainClass(program.mainClass())
                .arguments(program.arguments())
                .workingFolder(folder)
                .jvmOptions(jvmOptions)
                .labelled(labelled)
                .bindTo(BindOption.parse(bindTo))
                .bindingsReported(bindingsReported)
                .timeout(seconds("--timeout", timeout))
                .deadlockTimeout(seconds("--deadlock-timeout", deadlockTimeout));
        if (device != null) {
            job.device(device);
        }
        processOptions.addTo(job, hosts);
        return job.build();
    }

    private int runByManager(int number, List<Host> hosts, Path folder) throws IOException, InterruptedException {
        Program program = program();
        List<String> options = options();
        if (device != null) {
            options.add("-D" + ThreadJob.DEVICE_PROPERTY + "=" + device);
        }
        List<String> rank = GalernaJvm.command(options);
        rank.add(rank.removeLast() + File.pathSeparator + programPath());
        rank.add(program.mainClass());
        rank.addAll(program.arguments());
        List<String> command =
                processOptions.manager().words(number, hosts, folder, labelled, BindOption.parse(bindTo), rank);
        return ChildJvm.await(command, folder, seconds("--timeout", timeout));
    }

    private void check() {
        if (ranks != null && ranks < 1) {
            throw new UsageException("a job needs at least one rank: -n " + ranks);
        }
        if (device != null && !Devices.NAMES.contains(device)) {
            throw new UsageException("there is no device \"" + device + "\", only " + String.join(", ", Devices.NAMES));
        }
    }

    /** What to run. */
    private record Program(String mainClass, List<String> arguments) {}

    private Program program() {
        List<String> arguments = new ArrayList<>(words);
        String program = jar != null ? mainClassOf(jar) : mainClass;
        if (program == null) {
            if (arguments.isEmpty()) {
                throw new UsageException("the class to run is missing");
            }
            program = arguments.removeFirst();
        }
        return new Program(program, arguments);
    }

    private JobDescription describe() {
        Program program = program();
        return new JobDescription(
                ranks == null ? processors() : ranks,
                programPath(),
                program.mainClass(),
                program.arguments(),
                Optional.ofNullable(device),
                labelled,
                BindOption.parse(bindTo),
                bindingsReported,
                seconds("--timeout", timeout),
                seconds("--deadlock-timeout", deadlockTimeout),
                OptionalLong.of(ProcessHandle.current().pid()));
    }

    private static Duration seconds(String option, double value) {
        if (!(value >= 0 && value < Integer.MAX_VALUE)) {
            throw new UsageException(option + " must be a number of seconds, not negative: " + value);
        }
        return Duration.ofMillis(Math.round(value * 1000));
    }

    /** The class path with every entry absolute: the program may run in another folder. */
    private String programPath() {
        String path = jar != null ? jar.toString() : classPath;
        if (jar != null && classPath != null) {
            path = jar + File.pathSeparator + classPath;
        }
        if (path == null) {
            path = ClassPathOfLauncher.withoutGalerna()
                    .orElseGet(() -> System.getenv().getOrDefault("CLASSPATH", "."));
        }
        List<String> entries = new ArrayList<>();
        for (String entry : path.split(File.pathSeparator, -1)) {
            boolean wildcard = entry.equals("*") || entry.endsWith(File.separator + "*");
            String place = wildcard ? entry.substring(0, entry.length() - 1) : entry;
            String absolute = Path.of(place.isEmpty() ? "." : place)
                    .toAbsolutePath()
                    .normalize()
                    .toString();
            entries.add(wildcard ? absolute + File.separator + "*" : absolute);
        }
        return String.join(File.pathSeparator, entries);
    }

    private Path workingFolder() {
        Path folder = workingFolder == null ? Path.of("") : workingFolder;
        if (!Files.isDirectory(folder)) {
            throw new UsageException("-wdir is not a folder: " + folder);
        }
        if (!Files.isExecutable(folder)) {
            throw new UsageException("-wdir cannot be entered: " + folder);
        }
        return folder.toAbsolutePath();
    }

    private static String mainClassOf(Path jar) {
        if (!Files.isRegularFile(jar)) {
            throw new UsageException("there is no jar " + jar.toAbsolutePath());
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            String name = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (name == null) {
                throw new UsageException(
                        jar + " names no main class (Main-Class in its manifest); name it: -cp " + jar + " CLASS");
            }
            return name.strip();
        } catch (IOException unreadable) {
            throw new UsageException(jar + " cannot be read as a jar: " + unreadable.getMessage());
        }
    }

    /** Lets options of the virtual machine stand among those of {@code run}, as {@code mpjrun} does. */
    static String[] withJvmOptionsMarked(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("run") ? JvmOptions.mark(JVM_OPTION, arguments) : arguments;
    }
}
