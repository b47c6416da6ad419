package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Temporary folders of a job whose launcher and ranks are killed at once: the next start removes them. */
class KilledJobsIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(2);
    private static final Pattern READY = Pattern.compile("ready (\\d+)");
    private static final Pattern FOLDER = Pattern.compile("\\.?galerna-([a-z]+)-[0-9a-f]+");

    /** Any library: ranks that share a process load copies of it. */
    private static final String LIBRARY =
            Path.of(System.getProperty("java.home"), "lib", "libprefs.so").toString();

    private static final String PROGRAM = """
            import mpi.MPI;

            void main(String[] arguments) throws Exception {
                System.load(arguments[0]);
                MPI.Init(arguments);
                MPI.COMM_WORLD.Barrier();
                System.out.println("ready " + ProcessHandle.current().pid());
                new CountDownLatch(1).await();
            }
            """;

    @TempDir
    private Path folder;

    private Path main;
    private Path temporary;

    @BeforeEach
    void write() throws IOException {
        main = Files.writeString(folder.resolve("Main.java"), PROGRAM);
        temporary = Files.createDirectory(folder.resolve("tmp"));
    }

    private ChildProcess startProgram(String options) {
        List<String> words = new ArrayList<>(List.of("run"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary, main.toString()));
        words.add(LIBRARY);
        return start("org.galerna.cli.Main", words);
    }

    private ChildProcess start(String mainClass, List<String> words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + temporary,
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                Path.of("target/galerna.jar").toAbsolutePath().toString(),
                mainClass));
        command.addAll(words);
        return ChildProcess.start(new ProcessBuilder(command).directory(folder.toFile()));
    }

    private static List<ProcessHandle> awaitRanks(ChildProcess launcher, int number) throws InterruptedException {
        launcher.awaitOut(text -> READY.matcher(text).results().count() == number, LONGEST);
        return READY.matcher(launcher.out())
                .results()
                .map(ready -> ready.group(1))
                .distinct()
                .flatMap(process -> ProcessHandle.of(Long.parseLong(process)).stream())
                .toList();
    }

    /** The launcher does not see that its ranks are gone, since it does not run, and they are gone before they see that it is. */
    private static void killAtOnce(ChildProcess launcher, List<ProcessHandle> ranks) throws Exception {
        launcher.signal("STOP");
        ranks.forEach(ProcessHandle::destroyForcibly);
        launcher.signal("KILL");
        launcher.awaitExit(LONGEST);
        for (ProcessHandle each : ranks) {
            each.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Those in the folder for temporary files, beside results, and in the folder of a demo. */
    private Set<String> folders() {
        Set<String> found = new TreeSet<>();
        for (Path each : List.of(temporary, folder, folder.resolve("out"))) {
            String[] names =
                    each.toFile().list((place, name) -> FOLDER.matcher(name).matches());
            found.addAll(names == null ? List.of() : List.of(names));
        }
        return found;
    }

    private static Set<String> kinds(Set<String> folders) {
        Set<String> found = new TreeSet<>();
        folders.forEach(each -> found.add(FOLDER.matcher(each).replaceFirst("$1")));
        return found;
    }

    @ParameterizedTest
    @Fault(value = 16, on = Where.LAUNCH)
    @CsvSource({
        "4, -n 4 --procs --ranks-per-process 2 --device unixdev, classes libraries unix",
        "2, -n 2, classes libraries"
    })
    void theNextStartRemovesWhatIsLeft(int ranks, String options, String kinds) throws Exception {
        Set<String> left;
        try (ChildProcess killed = startProgram(options)) {
            killAtOnce(killed, awaitRanks(killed, ranks));
            left = folders();
        }
        assertThat(kinds(left)).containsExactly(kinds.split(" "));
        try (ChildProcess next = startProgram(options)) {
            awaitRanks(next, ranks);
            Deadline.after(LONGEST)
                    .await("what is left is removed", () -> folders().stream().noneMatch(left::contains));
            assertThat(kinds(folders())).containsExactly(kinds.split(" "));
            next.signal("TERM");
            next.awaitExit(LONGEST);
        }
        assertThat(folders()).isEmpty();
    }

    @ParameterizedTest
    @Fault(value = 16, on = Where.LAUNCH)
    @Tag("slow")
    @CsvSource({
        "tune, Main, tune -n 2 --operations bcast --sizes 8 --compare my.table",
        "scale, Main, model --scale scale.json --ranks 2",
        "runs, Main, demo --quick --output out",
        "profile, Main, run -n 2 --profile page.html Main.java LIBRARY",
        "rehearsal, Rehearsal, cache options"
    })
    void theNextCommandRemovesWhatAKilledOneHasLeft(String kind, String mainClass, String words) throws Exception {
        Files.writeString(folder.resolve("my.table"), "bcast  *  *  *  linear\n");
        Set<String> left = new TreeSet<>();
        for (int command = 0; command < 2; command++) {
            try (ChildProcess killed = start(
                    "org.galerna.cli." + mainClass,
                    List.of(words.replace("LIBRARY", LIBRARY).split(" ")))) {
                Deadline.after(LONGEST)
                        .await(
                                "a new folder of kind " + kind,
                                () -> folders().stream()
                                        .anyMatch(each ->
                                                each.contains("galerna-" + kind + "-") && !left.contains(each)));
                Deadline.after(LONGEST)
                        .await(
                                "what was left is removed",
                                () -> folders().stream().noneMatch(left::contains));
                killed.signal("STOP");
                List<ProcessHandle> others = killed.children();
                killed.signal("KILL");
                others.forEach(ProcessHandle::destroyForcibly);
                killed.awaitExit(LONGEST);
            }
            left.addAll(folders());
            assertThat(kinds(left)).contains(kind);
        }
    }
}
