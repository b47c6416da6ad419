package org.galerna.tools.tests;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A run of Maven whose output goes to a log; a person sees where it is, warnings, and what programs print. */
final class MavenRun {
    private static final Pattern COLOUR = Pattern.compile("\033\\[[0-9;]*m");
    private static final Pattern STEP = Pattern.compile("Building .*\\[[0-9]+/[0-9]+\\]$|Tests run:.* in ");
    private static final String INFORMATION = "[INFO]";
    private static final String PLUGIN_LOADER = "tools/build/KeptClassLoader.java";
    private static final String CLASSES = "target/tools";
    private static final String OPTIONS = "MAVEN_OPTS";

    private final Path root;
    private final String program;
    private final Path log;
    private final PrintStream out;
    private final CompletableFuture<Process> process = new CompletableFuture<>();

    /**
     * A run that has not begun.
     *
     * @param program Maven
     * @param log where all of the output goes
     * @param out where what a person wants to see goes
     */
    MavenRun(Path root, String program, Path log, PrintStream out) {
        this.root = root;
        this.program = program;
        this.log = log;
        this.out = out;
    }

    /** Runs it for a short time; returns its exit status. It ends with this process. */
    int run(List<String> arguments) throws IOException, InterruptedException {
        return run(arguments, false);
    }

    /** The same for a build of many modules, whose checks by the compiler are loaded once. */
    int build(List<String> arguments) throws IOException, InterruptedException {
        return run(arguments, keepsPluginsLoaded());
    }

    private int run(List<String> arguments, boolean keepsPlugins) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                program,
                "-B",
                "-ntp",
                "-Dstyle.color=never",
                "-f",
                root.resolve("pom.xml").toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(root.toFile())
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectErrorStream(true);
        if (keepsPlugins) {
            // a relative path, since Maven splits its options at blanks
            builder.environment().merge(OPTIONS, "-Xbootclasspath/a:" + CLASSES, (others, own) -> own + " " + others);
            command.add("-Dmaven.compiler.forceLegacyJavacApi=true");
            builder.command(command);
        } else {
            builder.environment().computeIfPresent(OPTIONS, (_, options) -> forShortRuns(options));
        }
        Process maven = builder.start();
        process.complete(maven);
        Thread hook = new Thread(maven::destroy, "galerna-end-maven");
        Runtime.getRuntime().addShutdownHook(hook);
        follow(maven);
        int status = maven.waitFor();
        Runtime.getRuntime().removeShutdownHook(hook);
        return status;
    }

    /**
     * The options of a run that leaves little behind in memory. The script's collector has a thread for each processor; where
     * something else is at work on these, that takes a quarter of what such a run takes.
     */
    static String forShortRuns(String options) {
        return options.replace("-XX:+UseParallelGC", "-XX:+UseSerialGC");
    }

    /** Ends it, as soon as it has begun; any thread may call this. */
    void end() {
        process.join().destroy();
    }

    private void follow(Process maven) throws IOException {
        // every byte is a character: tests may print anything
        try (BufferedReader lines =
                        new BufferedReader(new InputStreamReader(maven.getInputStream(), StandardCharsets.ISO_8859_1));
                Writer all = Files.newBufferedWriter(log, StandardCharsets.ISO_8859_1)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                all.write(line);
                all.write('\n');
                all.flush(); // somebody watches its length
                String plain = COLOUR.matcher(line).replaceAll("");
                if (isShown(plain)) {
                    out.write((plain + "\n").getBytes(StandardCharsets.ISO_8859_1));
                    out.flush();
                }
            }
        }
    }

    static boolean isShown(String line) {
        return !line.startsWith(INFORMATION) || STEP.matcher(line).find();
    }

    /**
     * Has the checks of the compiler loaded once for all modules, in javac's older interface: the newer one makes a class loader
     * for them in each compilation, whatever it is told.
     */
    private boolean keepsPluginsLoaded() throws IOException {
        Path source = root.resolve(PLUGIN_LOADER);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null || !Files.exists(source)) {
            return false;
        }
        Path classes = Files.createDirectories(root.resolve(CLASSES));
        return compiler.run(null, null, null, "-d", classes.toString(), source.toString()) == 0;
    }
}
