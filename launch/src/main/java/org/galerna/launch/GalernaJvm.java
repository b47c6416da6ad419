package org.galerna.launch;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.launch.place.CompilerThreads;
import org.galerna.launch.place.Inlining;
import org.galerna.launch.program.LauncherAgent;

/** How a JVM is started for ranks. */
public final class GalernaJvm {
    /** An option that chooses a garbage collector, or a file of options, which may do so. */
    private static final Pattern COLLECTOR = Pattern.compile("-XX:[+]Use\\w+GC\\b|(^|\\s)@");

    /** The name of Galerna as a module, which is one archive. */
    public static final String MODULE = "org.galerna";

    /** Attribute of a jar's manifest that names an agent to be started before the main class. */
    public static final String AGENT_ATTRIBUTE = LauncherAgent.ATTRIBUTE;

    /** Main class that starts the agent of a jar, and then the main class that its first argument names. */
    public static final String AGENT_MAIN = JarMain.class.getName();

    /** Option that names an ahead-of-time cache, up to its name. */
    public static final String AOT_CACHE = "-XX:AOTCache=";

    /** Has to come before options that are for diagnosis only. */
    public static final String DIAGNOSTIC = "-XX:+UnlockDiagnosticVMOptions";

    /** Leaves out the better compiler, and counts what it would need to know: for a virtual machine that makes a cache. */
    public static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=3";

    /** How options begin that make no difference to ranks: those of caches, and of the virtual machine's own messages. */
    private static final List<String> INDIFFERENT = List.of(
            "-XX:AOT",
            "-XX:-AOT",
            DIAGNOSTIC,
            "-XX:ArchiveRelocationMode",
            "-XX:Tier0ProfileDelay",
            "-XX:Tier2ProfileDelay",
            QUICK_COMPILER,
            "-Xlog:");

    /** Options that keep the virtual machine from complaining of a cache that does not fit. */
    public static final List<String> AOT_SILENCE = List.of("-Xlog:cds=off", "-Xlog:aot=off");

    /**
     * Options for a virtual machine that takes a cache. The first one maps it where it was made for, if there is room. Else it is moved to a
     * random place, and every page of it that has an address is changed, in each process anew. The others compile a method of
     * which the cache has a profile, or has seen too little for one, as soon as any other, and not after 100 and 250 times as many calls.
     */
    public static final List<String> AOT_USE = List.of(
            DIAGNOSTIC,
            "-XX:ArchiveRelocationMode=0",
            "-XX:Tier0ProfileDelayFactor=1",
            "-XX:Tier2ProfileDelayFactor=1");

    private GalernaJvm() {}

    /** The options for the program of a jar that names an agent. */
    public static List<String> agentOptions(Path jar) {
        return List.of(
                // the JDK's own launcher makes the agent's instrumentation with a class of this package
                "--add-exports=java.instrument/sun.instrument=ALL-UNNAMED",
                "-D" + LauncherAgent.PROPERTY + "=" + jar.toAbsolutePath());
    }

    /**
     * The command up to the main class, which is the caller's to add: this JVM's own program with Galerna on the class
     * path and the parallel collector, unless another one is chosen.
     *
     * @param options of the virtual machine, as the user gave them
     */
    public static List<String> command(List<String> options) {
        List<String> command = upToOptions(options);
        command.addAll(options);
        command.add("-cp");
        command.add(GalernaPath.classPath());
        return command;
    }

    /**
     * The options of a JVM with that many ranks, which are threads, unless the user gives some; without the class path, and
     * without files that make it start sooner.
     */
    public static List<String> optionsOfThreadsAlone(int ranks) {
        List<String> options = upToOptions(List.of());
        options.removeFirst();
        options.addAll(optionsOfThreads(ranks));
        return options;
    }

    /**
     * Whether this JVM was started with {@link #optionsOfThreadsAlone} and Galerna alone on the class path, so that it need not start
     * another one. False where the system does not tell how it was started.
     */
    public static boolean isForThreads(int ranks) {
        Set<String> given = new HashSet<>();
        Iterator<String> words = Stream.of(
                        ProcessHandle.current().info().arguments().orElseGet(() -> new String[0]))
                .iterator();
        while (words.hasNext()) {
            String option = words.next();
            if (option.equals("-jar")) {
                return given.equals(Set.copyOf(optionsOfThreadsAlone(ranks)));
            }
            if (option.equals("-cp")) {
                return words.hasNext()
                        && words.next().equals(GalernaPath.classPath())
                        && given.equals(Set.copyOf(optionsOfThreadsAlone(ranks)));
            }
            if (INDIFFERENT.stream().noneMatch(option::startsWith)) {
                given.add(option);
            }
        }
        return false;
    }

    /** As {@link #command}, for a JVM with that many ranks, which are threads. */
    public static List<String> ofThreads(int ranks, List<String> options) {
        List<String> command = command(options);
        command.addAll(1, optionsOfThreads(ranks));
        return command;
    }

    /** What a JVM with that many ranks needs in addition, before the options of the user. */
    public static List<String> optionsOfThreads(int ranks) {
        List<String> options = new ArrayList<>(
                CompilerThreads.options(ranks, Runtime.getRuntime().availableProcessors()));
        options.add(RankSystemLoader.OPTION);
        return options;
    }

    /**
     * The options for a rank whose program consists of modules, up to the main class, which is the caller's to add after
     * {@code -m}: Galerna is a module beside them. Its archive says nothing of the modules of the JDK that it needs.
     *
     * @param main what the program runs: {@code module/class}
     * @param classPath what the program has in addition to its modules; may be empty
     * @throws IllegalArgumentException if Galerna is not one archive
     */
    public static List<String> ofModules(ProgramModules modules, String main, String classPath) {
        String galerna = GalernaPath.classPath();
        if (!galerna.endsWith(".jar") || galerna.contains(File.pathSeparator)) {
            throw new IllegalArgumentException("processes of a program of modules need galerna.jar, not " + galerna);
        }
        String module = main.substring(0, main.indexOf('/'));
        int endOfPackage = Math.max(main.lastIndexOf('.'), main.indexOf('/'));
        String mainPackage = main.substring(main.indexOf('/') + 1, Math.max(endOfPackage, main.indexOf('/') + 1));
        List<String> options = new ArrayList<>(List.of(
                "--enable-native-access=" + MODULE,
                "--module-path=" + galerna + File.pathSeparator + modules.path(),
                "--add-modules=ALL-DEFAULT," + MODULE + "," + module));
        if (!mainPackage.isEmpty()) {
            options.add("--add-opens=" + module + "/" + mainPackage + "=" + MODULE);
        }
        if (!classPath.isEmpty()) {
            options.add("-cp");
            options.add(classPath);
        }
        return options;
    }

    /** What makes Galerna a module of a virtual machine whose program is none. A cache fits these words alone. */
    public static List<String> asModule() {
        return List.of("--module-path=" + GalernaPath.classPath(), "--add-modules=" + MODULE);
    }

    /**
     * The beginning of a command, where further options may follow: what a rank's virtual machine needs, but for those of
     * the user, which are the caller's to add, and the class path.
     *
     * @param options of the virtual machine, as the user gave them
     */
    public static List<String> upToOptions(List<String> options) {
        return upToOptions(options, false);
    }

    /** As {@link #upToOptions(List)}, for a virtual machine that has Galerna as {@linkplain #asModule a module} perhaps. */
    public static List<String> upToOptions(List<String> options, boolean asModule) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=" + (asModule ? MODULE + "," : "") + "ALL-UNNAMED");
        if (!choosesCollector(options)) {
            // its write barrier is a store; that of G1 has a full fence, which waits for every line of a message
            command.add("-XX:+UseParallelGC");
            // its table of dirty cards has one line for 32 KiB of the heap, which ranks that store references there
            // would
            // take from each other; this way a card that is dirty already is only read
            command.add("-XX:+UseCondCardMark");
        }
        command.addAll(Inlining.options());
        return command;
    }

    /** Whether the user has chosen a garbage collector, here or in the environment that every JVM reads. */
    private static boolean choosesCollector(List<String> options) {
        List<String> all = new ArrayList<>(options);
        for (String variable : List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS")) {
            all.add(System.getenv().getOrDefault(variable, ""));
        }
        return all.stream().anyMatch(option -> COLLECTOR.matcher(option).find());
    }
}
