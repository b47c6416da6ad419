package org.galerna.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.galerna.testkit.pages.PageBlock;
import org.galerna.testkit.pages.PageCommand;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;

/** A folder in which the commands of a page can be run: with the checkout's files, and what pages take for granted. */
final class PageFolder {
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final Pattern CLASS = Pattern.compile("(?m)^public class (\\w+)");
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final String MAIN = """
            import mpi.MPI;

            public class Main {
                public static void main(String[] args) {
                    String[] own = MPI.Init(args);
                    int[] sum = new int[1];
                    MPI.COMM_WORLD.Allreduce(new int[] {1}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    System.out.println("rank " + MPI.COMM_WORLD.Rank() + " of " + sum[0] + ", " + own.length + " arguments");
                    MPI.Finalize();
                }
            }
            """;

    private final Path folder;

    /** What became of a command. */
    record Run(int status, String out, String err) {}

    PageFolder(Path folder) throws IOException {
        this.folder = folder;
        for (String name : List.of("galerna", "docs", "examples", "tools", "microbench")) {
            Files.createSymbolicLink(folder.resolve(name), ROOT.resolve(name));
        }
        Files.createSymbolicLink(folder.resolve("galerna.jar"), ROOT.resolve("dist/target/galerna.jar"));
        Files.writeString(folder.resolve("Main.java"), MAIN);
        Files.writeString(folder.resolve("Hello.java"), MAIN.replace("class Main", "class Hello"));
        Path classes = Programs.compile(folder.resolve("classes"), MAIN);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Main");
        Programs.jar(folder.resolve("app.jar"), classes, manifest);
        writeModule(folder.resolve("src"));
    }

    private static void writeModule(Path source) throws IOException {
        Files.createDirectories(source.resolve("my/part"));
        Files.writeString(source.resolve("module-info.java"), "module my.module { requires org.galerna; }\n");
        Files.writeString(source.resolve("my/part/Main.java"), "package my.part;\n" + MAIN);
    }

    /** Saves a source under the name that its class asks for. */
    void save(PageBlock source) throws IOException {
        Matcher name = CLASS.matcher(source.text());
        if (name.find()) {
            Files.writeString(folder.resolve(name.group(1) + ".java"), source.text());
        }
    }

    /** Runs a command in a shell, as a reader would in this folder. */
    Run run(PageCommand command) throws InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", command.text()).directory(folder.toFile());
        Map<String, String> environment = shell.environment();
        environment.put("PATH", Path.of(System.getProperty("java.home"), "bin") + ":" + environment.get("PATH"));
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        // Open MPI wants to be told that root may start jobs, and more ranks than there are processors
        environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        environment.put("OMPI_MCA_rmaps_base_oversubscribe", "1");
        try (ChildProcess process = ChildProcess.start(shell)) {
            int status = process.awaitExit(LONGEST);
            return new Run(status, process.out(), process.err());
        }
    }
}
