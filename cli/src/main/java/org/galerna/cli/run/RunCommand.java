package org.galerna.cli.run;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.galerna.cli.observe.JfrOption;
import org.galerna.cli.observe.WhereSignal;
import org.galerna.cli.options.BindOption;
import org.galerna.cli.options.DeviceSettings;
import org.galerna.cli.options.JvmOptions;
import org.galerna.cli.options.ProcessOptions;
import org.galerna.cli.profile.ProfileOption;
import org.galerna.cli.program.ChildJvm;
import org.galerna.cli.program.Program;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.ClassesFolder;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.Job;
import org.galerna.launch.JobDescription;
import org.galerna.launch.JobEnd;
import org.galerna.launch.JobMain;
import org.galerna.launch.ProgramModules;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.process.Host;
import org.galerna.launch.process.HostList;
import org.galerna.launch.process.LaunchException;
import org.galerna.launch.process.ProcessJob;
import org.galerna.launch.report.ExitStatus;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.StackTraces;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
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
        description =
                "Runs an MPI program on several ranks. Each rank is a thread with its own copy of the classes, or a process.",
        customSynopsis = {
            "galerna run [-n RANKS] [OPTION...] FILE.java [ARGUMENT...]",
            "galerna run [-n RANKS] [OPTION...] [-cp PATH] CLASS [ARGUMENT...]",
            "galerna run [-n RANKS] [OPTION...] -jar FILE [ARGUMENT...]",
            "galerna run [-n RANKS] [OPTION...] -p PATH -m MODULE[/CLASS] [ARGUMENT...]"
        },
        footer = {
            "",
            "Put options of the Java virtual machine (-Xmx4g, -Dname=value, -XX:..., -ea, --add-modules ...) before the "
                    + "class, as you would for java.",
            "Everything after the source file, the class or the jar goes to your program.",
            "A source file is compiled in memory, with the classes of its folder that it uses, as by java FILE.java.",
            "",
            "Exit status: the status of System.exit or Abort; 0 when all ranks have ended; 1 after an uncaught exception or "
                    + "an error of the compiler; 2 if the job cannot start; 3 after a deadlock; 124 after --timeout; 130 "
                    + "after Ctrl-C.",
            "",
            "Examples:",
            "  galerna run -n 4 Hello.java",
            "  galerna run -n 4 -cp build/classes org.example.Main 1000",
            "  galerna run -np 8 -Xmx2g --label -jar app.jar --verbose",
            "  galerna run -n 4 --hosts node1:2,node2:2 -cp build/classes org.example.Main"
        })
public final class RunCommand implements Callable<Integer> {
    private static final String JVM_OPTION = "--jvm-option";

    @Option(
            names = {"-n", "-np", "--ranks"},
            paramLabel = "RANKS",
            description =
                    "number of ranks; default: as many as the hosts have room for, or as this machine has processors")
    private @Nullable Integer ranks;

    @Mixin
    private Program program = new Program();

    @Option(
            names = {"-dev", "--device"},
            paramLabel = "NAME",
            description = "device that the ranks communicate through; default: the fastest that works")
    private @Nullable String device;

    @Option(
            names = DeviceSettings.OPTION,
            paramLabel = "NAME=VALUE",
            description =
                    "setting of the device, such as eager.limit=65536 or verbs.adapter=mlx5_1; \"help\" lists them all")
    private List<String> deviceSettings = new ArrayList<>();

    @Option(
            names = {"-wdir", "--wdir"},
            paramLabel = "FOLDER",
            description = "folder to run the program in; paths on the command line still start from the current folder")
    private @Nullable Path workingFolder;

    @Option(names = "--label", description = "start each line of output with its rank")
    private boolean labelled;

    @Option(
            names = "--bind-to",
            paramLabel = "core|none",
            description =
                    "core: keep each rank on one core, starting again at the first core if there are more ranks than cores; "
                            + "none: let the system move ranks; default: core for 2 or more ranks, if each has a core that "
                            + "no other job uses")
    private @Nullable String bindTo;

    @Option(names = "--report-bindings", description = "print the core of each rank")
    private boolean bindingsReported;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "end the job after this time, and print where its ranks are")
    private double timeout;

    @Option(
            names = "--deadlock-timeout",
            paramLabel = "SECONDS",
            description =
                    "end the job when all ranks have been blocked for this time, and print which rank waits for which; 0: "
                            + "never; default: ${DEFAULT-VALUE}")
    private double deadlockTimeout = ThreadJob.DEADLOCK_TIMEOUT.toSeconds();

    @Option(
            names = "--verbose",
            description =
                    "say at the start what was chosen and why: device, links, algorithms, processors; when a rank fails, show "
                            + "Galerna's own calls and inner causes, too")
    private boolean verbose;

    @Option(
            names = {"-J", JVM_OPTION},
            paramLabel = "OPTION",
            description = "option for the Java virtual machine, such as -J-Xmx4g")
    private List<String> jvmOptions = new ArrayList<>();

    @Option(names = "--yes", description = "start the job even if it needs more memory or time than is reasonable")
    private boolean confirmed;

    @Mixin
    private ProcessOptions processOptions = new ProcessOptions();

    @Mixin
    private ProfileOption profile = new ProfileOption();

    @Mixin
    private JfrOption recording = new JfrOption();

    @Parameters(paramLabel = "PROGRAM", description = "source file or main class, and its arguments", arity = "0..*")
    private List<String> words = new ArrayList<>();

    /** For picocli. */
    public RunCommand() {}

    /** The command with some of its options. */
    static RunCommand of(
            @Nullable Integer ranks,
            @Nullable String classPath,
            boolean processes,
            boolean labelled,
            List<String> words) {
        RunCommand command = new RunCommand();
        command.ranks = ranks;
        command.program = new Program(classPath);
        command.processOptions = new ProcessOptions(processes);
        command.labelled = labelled;
        command.words = new ArrayList<>(words);
        return command;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (deviceSettings.contains(DeviceSettings.HELP)) {
            System.out.println(DeviceSettings.help());
            return ExitStatus.OK;
        }
        Path folder = RunCheck.folder(workingFolder);
        jvmOptions.addAll(DeviceSettings.properties(deviceSettings));
        new RunCheck(ranks, device, jvmOptions, processOptions, program, confirmed).run();
        if (verbose) {
            jvmOptions.add(StackTraces.VERBOSE);
        }
        profile.addTo(jvmOptions, processOptions.areProcesses());
        recording.addTo(jvmOptions, processOptions.areAllHere());
        WhereSignal.listen();
        if (!processOptions.areProcesses()) {
            return runInOneMachine(folder);
        }
        try {
            List<Host> hosts = processOptions.hosts();
            int number = ranks != null ? ranks : hosts.isEmpty() ? RunCheck.processors() : HostList.room(hosts);
            if (processOptions.usesManager()) {
                return runByManager(number, hosts, folder);
            }
            JobEnd.run(reported(processJob(number, hosts, folder)));
            return ExitStatus.OK;
        } catch (LaunchException wrong) {
            throw new UsageException(wrong.reason());
        }
    }

    private int runInOneMachine(Path folder) throws IOException, InterruptedException {
        Program.Found found = program.find(words, jvmOptions);
        ProgramModules.InOneMachine machine;
        try {
            machine = found.modules().inOneMachine(options(found), found.main());
        } catch (IllegalArgumentException impossible) {
            throw new UsageException(String.valueOf(impossible.getMessage()));
        }
        if (found.classes().isEmpty()) {
            if (canRunHere(machine)) {
                JobMain.run(describe(found, machine.modules(), found.classPath(), OptionalLong.empty()));
                return ExitStatus.OK; // not reached: this was the end of the job
            }
            JobDescription job = describe(found, machine.modules(), found.classPath(), thisProcess());
            return ChildJvm.run(machine.jvmOptions(), folder, job, this::report);
        }
        Path classes = ClassesFolder.write(found.classes());
        JobDescription job =
                describe(found, machine.modules(), ClassesFolder.before(found.classPath(), classes), thisProcess());
        return ChildJvm.run(machine.jvmOptions(), folder, job, () -> {
            ClassesFolder.remove(classes);
            report();
        });
    }

    /** Whether this virtual machine is what the job would be given. */
    private boolean canRunHere(ProgramModules.InOneMachine machine) {
        return workingFolder == null && machine.jvmOptions().isEmpty() && GalernaJvm.isForThreads(ranksOfMachine());
    }

    private int ranksOfMachine() {
        return ranks == null ? RunCheck.processors() : ranks;
    }

    private static OptionalLong thisProcess() {
        return OptionalLong.of(ProcessHandle.current().pid());
    }

    /** The job, and then what was recorded of it. */
    private Job reported(Job job) {
        if (!profile.isWanted() && !recording.isWanted()) {
            return job;
        }
        return new Job() {
            @Override
            public JobResult run() {
                JobResult result = job.run();
                report();
                return result;
            }

            @Override
            public boolean interrupt() {
                return job.interrupt();
            }

            @Override
            public Duration patience() {
                return job.patience();
            }
        };
    }

    private void report() {
        profile.report(String.join(" ", words));
        recording.report();
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
        Program.Found found = program.find(words, jvmOptions);
        List<String> options = new ArrayList<>(found.jvmOptions());
        options.addAll(jvmOptions);
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(number)
                .classes(found.classes())
                .classPath(found.classPath())
                .modulePath(found.modules().path())
                .mainClass(found.main())
                .arguments(found.arguments())
                .workingFolder(folder)
                .jvmOptions(options)
                .labelled(labelled)
                .bindTo(BindOption.parse(bindTo))
                .bindingsReported(bindingsReported)
                .timeout(RunCheck.seconds("--timeout", timeout))
                .deadlockTimeout(RunCheck.seconds("--deadlock-timeout", deadlockTimeout));
        if (device != null) {
            job.device(device);
        }
        processOptions.addTo(job, hosts);
        return job.build();
    }

    private int runByManager(int number, List<Host> hosts, Path folder) throws IOException, InterruptedException {
        Program.Found found = program.find(words, jvmOptions);
        List<String> options = options(found);
        options.add("-D" + ThreadJob.DEADLOCK_PROPERTY + "=" + deadlockTimeout);
        if (device != null) {
            options.add("-D" + ThreadJob.DEVICE_PROPERTY + "=" + device);
        }
        List<String> command = processOptions
                .manager()
                .words(number, hosts, folder, labelled, BindOption.parse(bindTo), found.command(options));
        return ChildJvm.await(command, folder, RunCheck.seconds("--timeout", timeout), this::report);
    }

    private JobDescription describe(
            Program.Found found, ProgramModules modules, String classPath, OptionalLong parent) {
        return new JobDescription(
                ranksOfMachine(),
                classPath,
                modules,
                found.main(),
                found.arguments(),
                Optional.ofNullable(device),
                labelled,
                BindOption.parse(bindTo),
                bindingsReported,
                RunCheck.seconds("--timeout", timeout),
                RunCheck.seconds("--deadlock-timeout", deadlockTimeout),
                parent);
    }

    /** The options of {@code run} among those of another command, which names itself in complaints. */
    public static RunCommand parse(String command, List<String> options) {
        CommandLine line = new CommandLine(new RunCommand());
        line.setCommandName(command);
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(options);
        String[] marked = withJvmOptionsMarked(words.toArray(String[]::new));
        line.parseArgs(Arrays.copyOfRange(marked, 1, marked.length));
        return line.getCommand();
    }

    /** The number of ranks, if an option says it. */
    public Optional<Integer> ranks() {
        return Optional.ofNullable(ranks);
    }

    /** Whether ranks are processes. */
    public boolean areProcesses() {
        return processOptions.areProcesses();
    }

    /** The program and its arguments. */
    public List<String> words() {
        return List.copyOf(words);
    }

    /** Lets options of the virtual machine stand among those of {@code run}, as {@code mpjrun} does. */
    public static String[] withJvmOptionsMarked(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("run") ? JvmOptions.mark(JVM_OPTION, arguments) : arguments;
    }
}
