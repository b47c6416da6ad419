package org.galerna.cli;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.ProgramModules;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code galerna run} is to run: a class, a jar or a module, as for {@code java}. */
final class Program {
    @Option(
            names = {"-cp", "-classpath", "--class-path"},
            paramLabel = "PATH",
            description = "folders and jars of the program, as for java; default: CLASSPATH, or the current folder")
    private @Nullable String classPath;

    @Option(
            names = {"-jar", "--jar"},
            paramLabel = "FILE",
            description = "a jar that names its main class; what java -jar obeys in its manifest is obeyed")
    private @Nullable Path jar;

    @Option(
            names = {"-class", "--class"},
            paramLabel = "CLASS",
            description = "the main class, for those who like to name it by an option")
    private @Nullable String mainClass;

    @Option(
            names = {"-p", "--module-path"},
            paramLabel = "PATH",
            description = "folders and jars with the program's modules, as for java")
    private @Nullable String modulePath;

    @Option(
            names = {"-m", "--module"},
            paramLabel = "MODULE[/CLASS]",
            description = "a module of the module path, and its main class unless it names one itself")
    private @Nullable String module;

    /**
     * What was asked for.
     *
     * @param classPath absolute; may be empty if there are modules
     * @param main the main class, or {@code module/class}
     * @param jvmOptions what the virtual machines have to be told for this program
     */
    record Found(
            String classPath,
            ProgramModules modules,
            String main,
            List<String> arguments,
            List<String> jvmOptions,
            boolean hasAgent) {
        /** What a rank that a job manager starts has at the end of its command. */
        List<String> command(List<String> options) {
            try {
                List<String> command;
                if (modules.isEmpty()) {
                    command = GalernaJvm.command(options);
                    command.add(command.removeLast() + File.pathSeparator + classPath);
                    if (hasAgent) {
                        command.add(GalernaJvm.AGENT_MAIN);
                    }
                } else {
                    command = GalernaJvm.upToOptions(options);
                    command.addAll(options);
                    command.addAll(GalernaJvm.ofModules(modules, main, classPath));
                    command.add("-m");
                }
                command.add(main);
                command.addAll(arguments);
                return command;
            } catch (IllegalArgumentException impossible) {
                throw new UsageException(String.valueOf(impossible.getMessage()));
            }
        }
    }

    /** What the options name, or else the first of the words that follow them. */
    Found find(List<String> words) {
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
                throw new UsageException("the class to run is missing");
            }
            main = arguments.removeFirst();
        }
        return new Found(absolute(classPath()), ProgramModules.NONE, main, arguments, options, hasAgent);
    }

    private Found ofModule(String main, List<String> arguments) {
        if (jar != null || mainClass != null) {
            throw new UsageException("-m names the program, and so does " + (jar != null ? "-jar" : "-class"));
        }
        if (modulePath == null) {
            throw new UsageException("-m " + main + " needs the path of the module: -p PATH");
        }
        ProgramModules modules = new ProgramModules(absolute(modulePath), List.of());
        try {
            String path = classPath == null ? System.getenv().getOrDefault("CLASSPATH", "") : classPath;
            return new Found(
                    path.isEmpty() ? "" : absolute(path), modules, modules.mainOf(main), arguments, List.of(), false);
        } catch (IllegalArgumentException unknown) {
            throw new UsageException(String.valueOf(unknown.getMessage()));
        }
    }

    private String classPath() {
        if (jar != null) {
            return classPath == null ? jar.toString() : jar + File.pathSeparator + classPath;
        }
        if (classPath != null) {
            return classPath;
        }
        return ClassPathOfLauncher.withoutGalerna()
                .orElseGet(() -> System.getenv().getOrDefault("CLASSPATH", "."));
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
