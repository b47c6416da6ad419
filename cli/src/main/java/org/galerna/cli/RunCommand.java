package org.galerna.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.galerna.device.Devices;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobEnd;
import org.galerna.launch.ProgramModules;
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
            "galerna run [-n RANKS] [OPTION...] -jar FILE [ARGUMENT...]",
            "galerna run [-n RANKS] [OPTION...] -p PATH -m MODULE[/CLASS] [ARGUMENT...]"
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

    @Mixin
    private Program program = new Program();

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
            return runInOneMachine(folder);
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

    private int runInOneMachine(Path folder) throws InterruptedException {
        Program.Found found = program.find(words);
        ProgramModules.InOneMachine machine;
        try {
            machine = found.modules().inOneMachine(options(found), found.main());
        } catch (IllegalArgumentException impossible) {
            throw new UsageException(String.valueOf(impossible.getMessage()));
        }
        return ChildJvm.run(
                machine.jvmOptions(), folder, describe(found, machine.modules()).toArguments());
    }

    private List<String> options(Program.Found found) {
        List<String> options = new ArrayList<>(found.jvmOptions());
        options.addAll(jvmOptions);
        if (processOptions.isExplained()) {
            options.add("-Dgalerna.explain=true");
        }
        return options;
    }

    private ProcessJob processJob(int number, List<Host> hosts, Path folder) {
        Program.Found found = program.find(words);
        List<String> options = new ArrayList<>(found.jvmOptions());
        options.addAll(jvmOptions);
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(number)
                .classPath(found.classPath())
                .modulePath(found.modules().path())
                .mainClass(found.main())
                .arguments(found.arguments())
                .workingFolder(folder)
                .jvmOptions(options)
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
        Program.Found found = program.find(words);
        List<String> options = options(found);
        if (device != null) {
            options.add("-D" + ThreadJob.DEVICE_PROPERTY + "=" + device);
        }
        List<String> command = processOptions
                .manager()
                .words(number, hosts, folder, labelled, BindOption.parse(bindTo), found.command(options));
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

    private JobDescription describe(Program.Found found, ProgramModules modules) {
        return new JobDescription(
                ranks == null ? processors() : ranks,
                found.classPath(),
                modules,
                found.main(),
                found.arguments(),
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

    /** Lets options of the virtual machine stand among those of {@code run}, as {@code mpjrun} does. */
    static String[] withJvmOptionsMarked(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("run") ? JvmOptions.mark(JVM_OPTION, arguments) : arguments;
    }
}
