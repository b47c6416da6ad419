package org.galerna.cli.run;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.galerna.cli.program.ChildJvm;
import org.galerna.cli.usage.UsageException;
import org.galerna.cli.usage.Version;
import org.galerna.launch.GalernaPath;
import org.galerna.launch.report.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** The commands about the JDK and galerna.jar. The start script does the same without starting this one. */
public final class JdkCommands {
    private JdkCommands() {}

    /** Commands that take every word as it is. */
    abstract static class Tool implements Callable<Integer> {
        @Unmatched
        private List<String> words = new ArrayList<>();

        private final String tool;
        private final UnaryOperator<List<String>> options;

        Tool(String tool, UnaryOperator<List<String>> options) {
            this.tool = tool;
            this.options = options;
        }

        @Override
        public Integer call() throws InterruptedException {
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", tool).toString());
            command.addAll(options.apply(words));
            return ChildJvm.await(command, Path.of("").toAbsolutePath(), Duration.ZERO, () -> {});
        }
    }

    /** {@code galerna java}. */
    @Command(
            name = "java",
            description = {
                "Starts java of the JDK that Galerna uses, with galerna.jar on the class path in addition to yours.",
                "Use it for the ranks that a job manager starts: mpiexec -n 4 galerna java -cp classes Main"
            },
            customSynopsis = "galerna java [OPTION OF JAVA...] CLASS|FILE.java [ARGUMENT...]")
    public static final class Java extends Tool {
        Java() {
            super("java", JdkWords::ofJava);
        }
    }

    /** {@code galerna javac}. */
    @Command(
            name = "javac",
            description =
                    "Starts javac of the JDK that Galerna uses, with galerna.jar on the class path in addition to "
                            + "yours.",
            customSynopsis = "galerna javac [OPTION OF JAVAC...] FILE...")
    public static final class Javac extends Tool {
        Javac() {
            super("javac", JdkWords::ofJavac);
        }
    }

    /** {@code galerna java-home}. */
    @Command(
            name = "java-home",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Prints the folder of the JDK that Galerna uses.")
    public static final class JavaHome implements Callable<Integer> {
        @Override
        public Integer call() {
            System.out.println(System.getProperty("java.home"));
            return ExitStatus.OK;
        }
    }

    /** {@code galerna classpath}. */
    @Command(
            name = "classpath",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            description = "Prints the path of galerna.jar, for compilers and for java -cp.")
    public static final class Jar implements Callable<Integer> {
        @Override
        public Integer call() {
            System.out.println(GalernaPath.classPath());
            return ExitStatus.OK;
        }
    }

    /** Commands that need the sources, which only the start script has. */
    abstract static class OfCheckout implements Callable<Integer> {
        @Unmatched
        private List<String> arguments = new ArrayList<>();

        private final String name;

        OfCheckout(String name) {
            this.name = name;
        }

        @Override
        public Integer call() {
            String words = String.join(" ", arguments);
            throw new UsageException("this needs the sources: start ./galerna " + name
                    + (words.isEmpty() ? "" : " " + words) + " in a checkout of Galerna");
        }
    }

    /** {@code galerna install}. */
    @Command(
            name = "install",
            description = {
                "Puts the artifacts for Maven and Gradle into the local repository.",
                "It needs the sources of Galerna: start ./galerna install in a checkout."
            },
            customSynopsis = "galerna install [ARGUMENT OF MAVEN...]")
    public static final class Install extends OfCheckout {
        Install() {
            super("install");
        }
    }

    /** {@code galerna javadoc}. */
    @Command(
            name = "javadoc",
            description = {
                "Builds the documentation of the API.",
                "It needs the sources of Galerna: start ./galerna javadoc in a checkout."
            },
            customSynopsis = "galerna javadoc")
    public static final class Javadoc extends OfCheckout {
        Javadoc() {
            super("javadoc");
        }
    }

    /** {@code galerna test}. */
    @Command(
            name = "test",
            description = {
                "Runs the tests of Galerna: the fast ones, with --adapters those over software RDMA adapters, with --all "
                        + "all of them.",
                "It needs the sources of Galerna: start ./galerna test in a checkout."
            },
            customSynopsis = "galerna test [--adapters|--all] [ARGUMENT OF MAVEN...]")
    public static final class Test extends OfCheckout {
        Test() {
            super("test");
        }
    }
}
