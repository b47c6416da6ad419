package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.galerna.testkit.pages.PageBlock;
import org.galerna.testkit.pages.PageCommand;
import org.galerna.testkit.pages.Pages;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.SlurmCluster;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * What somebody does in the first hour, on a machine whose {@code java} and {@code javac} are old: the README word for word
 * in a new checkout, a job of Slurm, and a program with fast sockets. A project for Maven has
 * {@link MavenProjectIntegrationTest}.
 */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(OrderAnnotation.class)
class FirstHourIntegrationTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Duration LONGEST = Duration.ofMinutes(9);
    private static final Duration FIRST_RESULT = Duration.ofSeconds(60);
    private static final Pattern CLASS = Pattern.compile("(?m)^public class (\\w+)");
    private static final String OLD_TOOL = """
            #!/bin/sh
            echo "$(basename "$0") 17.0.15" >&2
            [ "$1" = -version ] || [ "$1" = --version ] || { echo 'this is too old' >&2; exit 1; }
            """;

    private Path checkout;
    private Map<String, String> environment;

    private record Run(int status, String out, String err) {
        String all() {
            return out + err;
        }
    }

    @BeforeAll
    void checkOut(@TempDir Path folder) throws IOException, InterruptedException {
        checkout = copyTree(folder.resolve("checkout"));
        Path old = Files.createDirectories(folder.resolve("jdk-17/bin"));
        for (String tool : List.of("java", "javac", "jar")) {
            Files.writeString(old.resolve(tool), OLD_TOOL);
            Files.setPosixFilePermissions(old.resolve(tool), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        // the new one is where people have theirs, and not on the path
        Path home = Files.createDirectories(folder.resolve("home/.jdks")).getParent();
        Files.createSymbolicLink(home.resolve(".jdks/jdk-25"), Path.of(System.getProperty("java.home")));
        environment = Map.of(
                "PATH",
                old + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
                "HOME",
                home.toString(),
                "MAVEN_HOME",
                System.getProperty("maven.home", ""),
                "GALERNA_NO_INSTALL",
                "1",
                "LANG",
                "C.UTF-8");
    }

    /** The files that belong to the project, as they are now, without anything that was built. */
    private static Path copyTree(Path copy) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file :
                    files.filter(each -> belongs(ROOT.relativize(each))).toList()) {
                Path target = copy.resolve(ROOT.relativize(file).toString());
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target, LinkOption.NOFOLLOW_LINKS);
                }
            }
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
        return copy;
    }

    private static boolean belongs(Path relative) {
        for (Path name : relative) {
            if (List.of(".git", "target", "galerna-demo").contains(name.toString())) {
                return false;
            }
        }
        return true;
    }

    private Run run(String command, Map<String, String> more) throws InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", command).directory(checkout.toFile());
        shell.environment().clear();
        shell.environment().putAll(environment);
        shell.environment().putAll(more);
        try (ChildProcess process = ChildProcess.start(shell)) {
            int status = process.awaitExit(LONGEST);
            return new Run(status, process.out(), process.err());
        }
    }

    /** Commands of a page, word for word, one after the other; sources are saved under the name of their class. */
    private List<PageCommand> follow(Path page) throws IOException {
        List<PageCommand> commands = new ArrayList<>();
        for (PageBlock block : Pages.blocks(page)) {
            if (block.isJava()) {
                Matcher name = CLASS.matcher(block.text());
                if (name.find()) {
                    Files.writeString(checkout.resolve(name.group(1) + ".java"), block.text());
                }
            } else if (block.isCommands()) {
                commands.addAll(block.commands());
            }
        }
        return commands;
    }

    private static boolean hasItsLauncher(PageCommand command) {
        List<String> words = command.words();
        int launcher = words.indexOf("--launcher");
        return launcher < 0
                || Stream.of("/usr/bin", "/usr/local/bin")
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, words.get(launcher + 1))));
    }

    @Test
    @Order(1)
    void theReadmeWorksWordForWord() throws Exception {
        assertThat(run("javac -version", Map.of()).all()).contains("17.0");
        List<PageCommand> commands = follow(ROOT.resolve("README.md")).stream()
                .filter(PageCommand::canRunHere)
                .filter(FirstHourIntegrationTest::hasItsLauncher)
                .toList();
        assertThat(commands.getFirst().text()).isEqualTo("./galerna demo");
        // Open MPI wants to be told that root may start jobs, and more ranks than there are processors
        Map<String, String> openMpi = Map.of(
                "OMPI_ALLOW_RUN_AS_ROOT", "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1",
                "OMPI_MCA_rmaps_base_oversubscribe", "1");
        boolean first = true;
        for (PageCommand command : commands) {
            long start = System.nanoTime();
            Run run = run(command.text(), openMpi);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            System.out.println(took.toMillis() / 1000.0 + " s: " + command.text());
            assertThat(run.status()).as(command.text() + "\n" + run.all()).isZero();
            if (command.text().contains(" Hello")) {
                if (!command.text().contains("javac")) {
                    for (int rank = 0; rank < 4; rank++) {
                        assertThat(run.out()).contains("rank " + rank + " knows the sum of all ranks: 6");
                    }
                }
                assertThat(!first || took.compareTo(FIRST_RESULT) < 0)
                        .as("the first result of an own program took " + took)
                        .isTrue();
                first = false;
            }
        }
        assertThat(first).isFalse();
        assertThat(checkout.resolve("galerna-demo/field.png")).exists();
    }

    @Test
    @Order(2)
    void aJobOfSlurmRuns() throws Exception {
        try (SlurmCluster cluster = SlurmCluster.start()) {
            follow(ROOT.resolve("README.md"));
            assertThat(run("./galerna javac -d classes Hello.java", Map.of()).status())
                    .isZero();
            Run job = run(
                    "sbatch --wait --output=slurm.out docs/cluster/galerna.sbatch classes Hello",
                    cluster.environment());
            String output =
                    Files.exists(checkout.resolve("slurm.out")) ? Files.readString(checkout.resolve("slurm.out")) : "";
            assertThat(job.status()).as(job.all() + output).isZero();
            for (int rank = 0; rank < 4; rank++) {
                assertThat(output).contains("rank " + rank + " knows the sum of all ranks: 6");
            }
        }
    }

    @Test
    @Order(3)
    void anEchoGoesThroughSharedMemory() throws Exception {
        PageCommand echo = follow(ROOT.resolve("docs/sockets.md")).stream()
                .filter(command -> command.text().contains("Echo.java"))
                .findFirst()
                .orElseThrow();
        Run run = run(echo.text(), Map.of());
        assertThat(run.status()).as(run.all()).isZero();
        assertThat(run.all()).contains("through shared memory").contains("20000 echoes");
    }
}
