package org.galerna.cli.run;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.galerna.cli.program.Program;
import org.galerna.cli.program.ProgramJar;
import org.galerna.cli.source.SourceProgram;
import org.galerna.cli.usage.ArgumentFiles;
import org.galerna.cli.usage.UsageException;
import org.galerna.launch.GalernaJvm;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.MainClasses;
import org.galerna.launch.report.ExitStatus;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code java} and {@code javac} with Galerna on the class path, and on the module path if there is one.
 * The start script has the same rules, so that it can become java itself: a job manager's ranks inherit its connection.
 */
final class JdkWords {
    private static final Set<String> CLASS_PATH = Set.of("-cp", "-classpath", "--class-path");
    private static final Set<String> MODULE_PATH = Set.of("-p", "--module-path");

    /** Options of java, whose value is the next word, which is not the main class then. */
    private static final Set<String> WITH_VALUE = Set.of(
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
            "--limit-modules",
            "--patch-module",
            "--enable-native-access",
            "--upgrade-module-path",
            "--source",
            "-d",
            "--describe-module");

    private static final Set<String> NAMING_THE_MODULE = Set.of("-m", "--module");

    /** Options that may bring classes from elsewhere than the class path. */
    private static final Set<String> ELSEWHERE = Set.of(
            "-Xbootclasspath", "-Djava.class.path", "-Djava.system.class.loader", "-javaagent", "--patch-module");

    private @Nullable String classPath;
    private @Nullable String modulePath;
    private @Nullable String jar;
    private boolean isModule;
    private final List<String> others = new ArrayList<>();
    private List<String> rest = List.of();

    private JdkWords() {}

    /**
     * For the start script. With one argument, a jar: prints the options and the main class with which it is run, one on a line.
     * With more, the name of a tool and arguments with files of arguments among them: prints them without, each with a null
     * character behind it.
     */
    public static void main(String[] arguments) {
        try {
            if (arguments.length == 1) {
                ofJar(arguments[0]).forEach(System.out::println);
                return;
            }
            List<String> words = List.of(arguments).subList(1, arguments.length);
            expand(words, arguments[0].equals("java")).forEach(word -> System.out.print(word + "\0"));
            System.out.flush();
        } catch (UsageException wrong) {
            System.err.println("galerna java: " + wrong.getMessage());
            System.exit(ExitStatus.USAGE);
        }
    }

    private static List<String> expand(List<String> given, boolean upToMain) {
        return ArgumentFiles.expand(given, before -> {
            JdkWords words = new JdkWords();
            words.take(before, upToMain);
            return !words.rest.isEmpty() || words.jar != null;
        });
    }

    static List<String> ofJavac(List<String> given) {
        JdkWords words = new JdkWords();
        words.take(expand(given, false), false);
        return words.with(System.getenv().getOrDefault("CLASSPATH", "."), new ArrayList<>());
    }

    static List<String> ofJava(List<String> given) {
        JdkWords words = new JdkWords();
        words.take(expand(given, true), true);
        // the first word is the program itself
        List<String> options = new ArrayList<>(GalernaJvm.upToOptions(given))
                .subList(1, GalernaJvm.upToOptions(given).size());
        if (words.jar != null) {
            options.addAll(words.others);
            options.addAll(ofJar(words.jar));
            options.addAll(words.rest);
            return options;
        }
        boolean source = !words.rest.isEmpty() && SourceProgram.isSource(words.rest.getFirst());
        String otherwise = System.getenv().getOrDefault("CLASSPATH", source || words.isModule ? "" : ".");
        if (words.isModule) {
            options.add("--add-modules=ALL-DEFAULT," + GalernaJvm.MODULE);
            options.add("--enable-native-access=" + GalernaJvm.MODULE);
        }
        return words.with(otherwise, options);
    }

    /** The options of java before the program. */
    static List<String> options(List<String> given) {
        JdkWords words = new JdkWords();
        words.take(expand(given, true), true);
        return words.others;
    }

    /** What is wrong with the files that some arguments of java name, in one sentence; empty if nothing is. */
    static Optional<String> complaint(List<String> given) {
        JdkWords words = new JdkWords();
        words.take(expand(given, true), true);
        if (words.jar != null) {
            return Program.complaintOfJar(Path.of(words.jar));
        }
        return Program.complaint("-cp", words.classPath)
                .or(() -> Program.complaint("-p", words.modulePath))
                .or(words::complaintOfMain);
    }

    /** What is wrong with the main class, unless it may come from where only java looks. */
    private Optional<String> complaintOfMain() {
        boolean elsewhere =
                others.stream().anyMatch(option -> ELSEWHERE.stream().anyMatch(option::startsWith));
        if (rest.isEmpty() || isModule || elsewhere || modulePath != null) {
            return Optional.empty();
        }
        String main = rest.getFirst();
        if (SourceProgram.isSource(main)) {
            return Files.exists(Path.of(main)) ? Optional.empty() : Optional.of("there is no source file " + main);
        }
        String path = classPath == null ? System.getenv().getOrDefault("CLASSPATH", ".") : classPath;
        return MainClasses.complaint(main, path);
    }

    private static List<String> ofJar(String file) {
        ProgramJar program = ProgramJar.read(Path.of(file));
        List<String> words = new ArrayList<>(program.jvmOptions());
        words.add("-cp");
        words.add(GalernaPath.classPath() + File.pathSeparator + file);
        if (program.hasAgent()) {
            words.add(GalernaJvm.AGENT_MAIN);
        }
        words.add(program.mainClass());
        return words;
    }

    private List<String> with(String otherwise, List<String> options) {
        String galerna = GalernaPath.classPath();
        String path = classPath == null ? otherwise : classPath;
        options.add("-cp");
        options.add(path.isEmpty() ? galerna : galerna + File.pathSeparator + path);
        if (modulePath != null) {
            options.add("--module-path=" + galerna + File.pathSeparator + modulePath);
        }
        options.addAll(others);
        options.addAll(rest);
        return options;
    }

    private void take(List<String> given, boolean upToMain) {
        for (int next = 0; next < given.size(); next++) {
            String word = given.get(next);
            boolean hasNext = next + 1 < given.size();
            if (CLASS_PATH.contains(word) && hasNext) {
                classPath = given.get(++next);
            } else if (word.startsWith("--class-path=")) {
                classPath = word.substring(word.indexOf('=') + 1);
            } else if (MODULE_PATH.contains(word) && hasNext) {
                modulePath = given.get(++next);
            } else if (word.startsWith("--module-path=")) {
                modulePath = word.substring(word.indexOf('=') + 1);
            } else if (!upToMain) {
                others.add(word);
            } else if (word.equals("-jar") && hasNext) {
                jar = given.get(++next);
                rest = given.subList(next + 1, given.size());
                return;
            } else if (NAMING_THE_MODULE.contains(word) || word.startsWith("--module=") || !word.startsWith("-")) {
                isModule = word.startsWith("-");
                rest = given.subList(next, given.size());
                return;
            } else {
                others.add(word);
                if (WITH_VALUE.contains(word) && hasNext) {
                    others.add(given.get(++next));
                }
            }
        }
    }
}
