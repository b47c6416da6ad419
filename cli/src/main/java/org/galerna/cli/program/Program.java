package org.galerna.cli.program;

import java.io.File;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipFile;
import org.galerna.cli.source.SourceProgram;
import org.galerna.cli.usage.Complaint;
import org.galerna.cli.usage.MpjExpressWords;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.ProgramModules;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code galerna run} is to run: a class, a jar or a module, as for {@code java}. */
public final class Program {
    /** Programs that Galerna brings. */
    private static final String APPLICATIONS = "org.galerna.applications.";

    @Option(
            names = {"-cp", "-classpath", "--class-path"},
            paramLabel = "PATH",
            description = "folders and jars of your program, as for java; default: CLASSPATH, or the current folder")
    private @Nullable String classPath;

    @Option(
            names = {"-jar", "--jar"},
            paramLabel = "FILE",
            description = "jar that names its main class; its manifest counts as for java -jar")
    private @Nullable Path jar;

    @Option(
            names = {"-class", "--class"},
            paramLabel = "CLASS",
            description = "main class, if you want to give it as an option")
    private @Nullable String mainClass;

    @Option(
            names = {"-p", "--module-path"},
            paramLabel = "PATH",
            description = "folders and jars with the modules of your program, as for java")
    private @Nullable String modulePath;

    @Option(
            names = {"-m", "--module"},
            paramLabel = "MODULE[/CLASS]",
            description = "module to run, with its main class unless the module names one")
    private @Nullable String module;

    /** No program yet. */
    public Program() {}

    /** A program that the words name, on a class path; null for that of the environment. */
    public Program(@Nullable String classPath) {
        this.classPath = classPath;
    }

    /**
     * What was asked for.
     *
     * @param classPath absolute; may be empty if there are modules
     * @param main the main class, or {@code module/class}
     * @param jvmOptions what the virtual machines have to be told for this program
     * @param source the program, if it is a source file: its classes stand before the class path
     */
    public record Found(
            String classPath,
            ProgramModules modules,
            String main,
            List<String> arguments,
            List<String> jvmOptions,
            boolean hasAgent,
            Optional<SourceProgram> source) {
        /** Classes that stand before the class path, by their names. */
        public Map<String, byte[]> classes() {
            return source.map(SourceProgram::classes).orElse(Map.of());
        }

        /** What a rank that a job manager starts has at the end of its command. */
        public List<String> command(List<String> options) {
            try {
                List<String> command;
                if (modules.isEmpty()) {
                    command = GalernaJvm.command(options);
                    if (!classPath.isEmpty()) {
                        command.add(command.removeLast() + File.pathSeparator + classPath);
                    }
                    if (hasAgent) {
                        command.add(GalernaJvm.AGENT_MAIN);
                    }
                } else {
                    command = GalernaJvm.upToOptions(options);
                    command.addAll(options);
                    command.addAll(GalernaJvm.ofModules(modules, main, classPath));
                    command.add("-m");
                }
                // a rank may run on a host that has the source and not the folders of this one: it compiles for itself
                command.add(source.map(program -> program.file().toString()).orElse(main));
                command.addAll(arguments);
                return command;
            } catch (IllegalArgumentException impossible) {
                throw new UsageException(String.valueOf(impossible.getMessage()));
            }
        }
    }

    /**
     * What the options name, or else the first of the words that follow them.
     *
     * @param given options of the virtual machine
     */
    public Found find(List<String> words, List<String> given) {
        List<String> arguments = new ArrayList<>(words);
        if (module != null) {
            return ofModule(module, arguments);
        }
        List<String> options = new ArrayList<>();
        if (modulePath != null) {
            options.add("--module-path=" + absolute(modulePath));
        }
        String main = mainClass;
        boolean hasAgent = false;
        if (jar != null) {
            ProgramJar program = ProgramJar.read(jar);
            main = program.mainClass();
            options.addAll(program.jvmOptions());
            hasAgent = program.hasAgent();
        }
        if (main == null) {
            if (arguments.isEmpty()) {
                throw new UsageException("the program is missing: give a source file, a class, -jar FILE or -m MODULE");
            }
            main = arguments.removeFirst();
        }
        if (main.isBlank()) {
            throw new UsageException("the name of the program" + Complaint.EMPTY);
        }
        if (main.matches("[0-9]+")) {
            throw new UsageException(
                    "\"" + main + "\" stands where the program belongs; -n " + main + " gives the number of ranks");
        }
        if (main.matches("-[0-9]+")) {
            throw new UsageException(
                    "there is no option " + main + "; -n " + main.substring(1) + " gives the number of ranks");
        }
        if (jar == null && SourceProgram.isSource(main)) {
            return ofSource(Path.of(main), arguments, options, given);
        }
        return new Found(
                absolute(classPath(main)), ProgramModules.NONE, main, arguments, options, hasAgent, Optional.empty());
    }

    private Found ofSource(Path file, List<String> arguments, List<String> options, List<String> given) {
        // without a class path there is none, as for java: the sources are where the file is
        String path = namedClassPath().map(Program::absolute).orElse("");
        String galerna = GalernaPath.classPath();
        SourceProgram program = SourceProgram.compile(
                file,
                path.isEmpty() ? galerna : galerna + File.pathSeparator + path,
                modulePath == null ? "" : absolute(modulePath),
                given,
                new PrintWriter(new OutputStreamWriter(System.err, System.err.charset()), true));
        return new Found(
                path, ProgramModules.NONE, program.mainClass(), arguments, options, false, Optional.of(program));
    }

    private Found ofModule(String main, List<String> arguments) {
        if (jar != null || mainClass != null) {
            throw new UsageException(
                    "-m and " + (jar != null ? "-jar" : "-class") + " both name the program: give one of them");
        }
        if (modulePath == null) {
            throw new UsageException("-m " + main + " needs the path of its module: -p PATH");
        }
        ProgramModules modules = new ProgramModules(absolute(modulePath), List.of());
        try {
            String path = classPath == null ? System.getenv().getOrDefault("CLASSPATH", "") : classPath;
            return new Found(
                    path.isEmpty() ? "" : absolute(path),
                    modules,
                    modules.mainOf(main),
                    arguments,
                    List.of(),
                    false,
                    Optional.empty());
        } catch (IllegalArgumentException unknown) {
            throw new UsageException(String.valueOf(unknown.getMessage()));
        }
    }

    private String classPath(String main) {
        if (jar != null) {
            return classPath == null ? jar.toString() : jar + File.pathSeparator + classPath;
        }
        // what is on the class path is loaded by each rank for itself, and so has to be a program that Galerna brings
        return namedClassPath().orElse(main.startsWith(APPLICATIONS) ? GalernaPath.classPath() : ".");
    }

    /**
     * What is wrong with the paths that the options name, in one sentence; empty if nothing is. Java passes over what is not
     * there, and then a class is missing.
     */
    public Optional<String> complaint() {
        return complaint("-cp", classPath).or(() -> complaint("-p", modulePath));
    }

    public static Optional<String> complaint(String option, @Nullable String path) {
        if (path == null) {
            return Optional.empty();
        }
        for (String entry : path.split(File.pathSeparator, -1)) {
            boolean wildcard = entry.equals("*") || entry.endsWith(File.separator + "*");
            String place = wildcard ? entry.substring(0, entry.length() - 1) : entry;
            Path file = Path.of(place.isEmpty() ? "." : place);
            if (!Files.exists(file)) {
                String joined = option + entry; // as "-psl", which is read as "-p sl"
                String hint = MpjExpressWords.insteadOfOption(joined, "");
                if (!hint.isEmpty()) {
                    return Optional.of("there is no option " + joined + hint);
                }
                return Optional.of(option + " names " + entry + ", and there is no such "
                        + (wildcard ? "folder" : "file or folder"));
            }
            if (Files.isRegularFile(file) && !isArchive(file)) {
                return Optional.of(option + " names " + entry + ", which is neither a folder nor a jar"
                        + (entry.endsWith(".class") || entry.endsWith(".java")
                                ? "; name the folder that it is in"
                                : ""));
            }
        }
        return Optional.empty();
    }

    public static Optional<String> complaintOfJar(Path jar) {
        try {
            ProgramJar.read(jar);
            return Optional.empty();
        } catch (UsageException wrong) {
            return Optional.of(String.valueOf(wrong.getMessage()));
        }
    }

    private static boolean isArchive(Path file) {
        try (ZipFile archive = new ZipFile(file.toFile())) {
            return archive.size() >= 0;
        } catch (IOException noArchive) {
            return false;
        }
    }

    private Optional<String> namedClassPath() {
        return Optional.ofNullable(classPath)
                .or(ClassPathOfLauncher::withoutGalerna)
                .or(() -> Optional.ofNullable(System.getenv("CLASSPATH")));
    }

    /** The path with every entry absolute: the program may run in another folder. */
    private static String absolute(String path) {
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
}
