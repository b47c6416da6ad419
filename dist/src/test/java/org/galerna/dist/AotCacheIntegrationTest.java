package org.galerna.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks find their classes in the JDK's ahead-of-time cache, and run all the same where they cannot. */
@Tag("slow")
class AotCacheIntegrationTest {
    private static final Duration LONGEST = Duration.ofMinutes(3);
    private static final String JAR =
            Path.of("target/galerna.jar").toAbsolutePath().toString();
    private static final String SHARED = "shared objects file";

    /** A class that the rank makes which kills itself, for its call of C, and no other. */
    private static final String KILLER = "DowncallStub";

    /** Some classes are needed only now and then, as ranks meet each other at other moments. */
    private static final int MOST_MADE = 8;

    private static final int MOST_FORMS = 6;

    @TempDir
    Path folder;

    /** How many of a hundred classes of Galerna a rank has found in a cache: some are loaded only now and then. */
    private long percent(List<String> placed, String... options) throws Exception {
        Path classes = Files.createTempFile(folder, "classes", ".log");
        List<String> command = new ArrayList<>(List.of("run", "-n", "2"));
        command.addAll(placed);
        command.addAll(List.of(options));
        command.addAll(List.of("-J-Xlog:class+load:file=" + classes + ".%p", "org.galerna.mpj.Rehearsal"));
        assertThat(run(GalernaCommand.of(command))).isEmpty();
        try (Stream<Path> files = Files.list(folder)) {
            Path log = files.filter(file -> file.toString().startsWith(classes + "."))
                    .findFirst()
                    .orElseThrow();
            return percentShared(classesOfGalerna(log));
        }
    }

    private static List<String> classesOfGalerna(Path log) throws IOException {
        List<String> all = Files.readAllLines(log).stream()
                .filter(line -> line.contains("] org.galerna."))
                .toList();
        assertThat(all).hasSizeGreaterThan(200);
        return all;
    }

    private static long percentShared(List<String> classes) {
        return classes.stream().filter(line -> line.contains(SHARED)).count() * 100 / classes.size();
    }

    /** Runs a command with caches of its own; what it has written. */
    private String run(List<String> command) throws InterruptedException {
        return run(command, 0);
    }

    private String run(List<String> command, int status) throws InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("XDG_CACHE_HOME", folder.toString());
        builder.environment().remove("GALERNA_NO_ARCHIVE");
        try (ChildProcess process = ChildProcess.start(builder)) {
            assertThat(process.awaitExit(LONGEST)).as(process.err()).isEqualTo(status);
            return process.out() + process.err();
        }
    }

    /** As the start script does it. */
    @Test
    void theClassesOfTheLauncherComeFromTheCacheOfARehearsal() throws Exception {
        Path cache = folder.resolve("launcher.aot");
        Path threads = folder.resolve("threads.aot");
        Path options = folder.resolve("options");
        Path temporary = Files.createDirectory(folder.resolve("temporary"));
        start(
                List.of("-XX:AOTCacheOutput=" + cache, "-Djava.io.tmpdir=" + temporary),
                List.of("-cp", JAR, "org.galerna.cli.Rehearsal", threads.toString(), options.toString()));
        assertThat(folder.resolve("galerna")).isDirectoryContaining("glob:**/threads-*.aot");
        assertThat(folder.resolve("galerna"))
                .as("for more ranks than processors")
                .isDirectoryContaining("glob:**/ranks-*.aot");
        assertThat(Files.size(threads)).as("it has what ranks need").isGreaterThan(20 << 20);
        assertThat(temporary).isDirectoryNotContaining("glob:**/galerna-rehearsal*");
        Path classes = folder.resolve("classes.log");
        start(
                List.of("-XX:AOTCache=" + cache, "-Xlog:aot=off", "-Xlog:cds=off", "-Xlog:class+load:file=" + classes),
                List.of("-jar", JAR, "run", "--ranks=2", "org.galerna.mpj.Rehearsal"));
        List<String> all = classesOfGalerna(classes);
        assertThat(all).anyMatch(line -> line.contains(".picocli."));
        assertThat(percentShared(all)).isGreaterThan(95);
    }

    private void start(List<String> options, List<String> words) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED"));
        command.addAll(options);
        command.addAll(words);
        String ignored = run(command);
    }

    private long caches() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("galerna"))) {
            return files.filter(file -> file.toString().endsWith(".aot")).count();
        }
    }

    @ParameterizedTest
    @CsvSource({"'', 80", "--procs, 80", "--ranks-per-process=2, 70"}) // the last one also meets over an agent
    void theClassesOfRanksComeFromTheCache(String placement, long least) throws Exception {
        List<String> placed = placement.isEmpty() ? List.of() : List.of(placement);
        assertThat(percent(placed)).isGreaterThan(least);
        assertThat(caches()).isOne();
        assertThat(percent(placed, "-J-Xmx64m")).isGreaterThan(least);
        assertThat(percent(placed, "-J-XX:+UseSerialGC")).isGreaterThan(least);
        assertThat(percent(placed, "-J--add-opens=java.base/java.util=ALL-UNNAMED"))
                .isZero();
        assertThat(percent(placed, "-J-Xmx40g")).isZero();
        assertThat(caches()).isOne();
    }

    /**
     * Where it has a profile of a method, the virtual machine does not compile it with counters for another one. Processes have profiles if
     * each has a processor.
     */
    @ParameterizedTest
    @CsvSource({"'', 2", "--procs, 2", "--procs, 99"})
    void theCacheHasProfilesOfTheMethodsThatMessagesNeed(String placement, int most) throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        int ranks = Math.min(most, 2 * processors);
        List<String> command = new ArrayList<>(List.of("run", "-n", String.valueOf(ranks)));
        if (!placement.isEmpty()) {
            command.add(placement);
        }
        command.addAll(List.of("-J-XX:+PrintCompilation", "org.galerna.mpj.Rehearsal", "training"));
        List<String> compiled = run(GalernaCommand.of(command))
                .lines()
                .filter(line -> line.contains(" org.galerna.device.") || line.contains(" org.galerna.collectives."))
                .toList();
        long counted = compiled.stream().filter(line -> line.contains(" 3 ")).count();
        long profiled = compiled.stream().filter(line -> line.contains(" 2 ")).count();
        if (placement.isEmpty() || ranks <= processors) {
            assertThat(profiled).isGreaterThan(100).isGreaterThan(2 * counted);
        } else {
            assertThat(profiled).isLessThan(counted);
        }
    }

    /** The virtual machine has less to choose from. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:TypeProfileLevel=0"})
    void ranksWithOtherCompilersTakeTheCacheOrStartWithout(String option) throws Exception {
        assertThat(run(GalernaCommand.of(List.of("run", "-n", "2", "-J" + option, "org.galerna.mpj.Rehearsal"))))
                .isEmpty();
    }

    /** All that are left do that at the same time, on few cores. */
    @ParameterizedTest
    @ValueSource(strings = {"shmdev", "niodev"})
    void ranksThatLoseOneMakeHardlyAnyClass(String device) throws Exception {
        Path counted = Files.createDirectory(folder.resolve("counted"));
        Path logs = Files.createDirectory(folder.resolve("logs"));
        List<String> command = GalernaCommand.of(List.of(
                "run",
                "-n",
                "4",
                "--procs",
                "--device",
                device,
                "-J-Xlog:class+load:file=" + logs.resolve("%p.log"),
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                KilledAmongManyProgram.class.getName(),
                KilledAmongManyProgram.Phase.SILENT.name(),
                counted.toString(),
                "4"));
        String written = run(command, 137);
        assertThat(written).contains(KilledAmongManyProgram.FAILED);
        int left = 0;
        try (Stream<Path> files = Files.list(logs)) {
            for (Path log : files.toList()) {
                List<String> made = Files.readAllLines(log).stream()
                        .filter(line -> !line.contains(SHARED))
                        .toList();
                if (made.stream().noneMatch(line -> line.contains(KILLER))) {
                    left++;
                    assertThat(made.stream()
                                    .filter(line -> line.contains("org.galerna."))
                                    .filter(line -> !line.contains("org.galerna.dist.")))
                            .hasSizeLessThan(MOST_MADE);
                    assertThat(made.stream().filter(line -> line.contains("LambdaForm")))
                            .hasSizeLessThan(MOST_FORMS);
                }
            }
        }
        assertThat(left).isEqualTo(3);
    }

    /** Nine have a receive queue each. Their program is in a folder. Memory segments have their forms of method handles from the cache. */
    @ParameterizedTest
    @ValueSource(strings = {"shmdev", "niodev"})
    void ranksOfALargerJobMakeHardlyAnyClass(String device) throws Exception {
        Path logs = Files.createDirectory(folder.resolve("logs"));
        String ranks = "9";
        assertThat(run(GalernaCommand.of(List.of(
                        "run",
                        "-n",
                        ranks,
                        "--procs",
                        "--device",
                        device,
                        "-J-Xlog:class+load:file=" + logs.resolve("%p.log"),
                        "-cp",
                        Path.of("target/test-classes").toAbsolutePath().toString(),
                        InitAndFinalizeProgram.class.getName()))))
                .isEmpty();
        try (Stream<Path> files = Files.list(logs)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(Integer.parseInt(ranks));
            int tidying = 0; // one rank may find what other jobs have left behind
            for (Path log : all) {
                List<String> made = Files.readAllLines(log).stream()
                        .filter(line -> !line.contains(SHARED) && !line.contains("org.galerna.dist."))
                        .toList();
                assertThat(made).noneMatch(line -> line.contains("LambdaForm"));
                assertThat(made).noneMatch(line -> line.contains("URLClassPath"));
                if (made.stream().noneMatch(line -> line.contains("CountersFolder$Job"))) {
                    assertThat(made).hasSizeLessThan(MOST_MADE);
                } else {
                    tidying++;
                }
            }
            assertThat(tidying).isLessThan(2);
        }
    }

    /** It has thousands of entries. A class path with nothing of Galerna's leads nobody there, and the class path is as in any other process. */
    @ParameterizedTest
    @ValueSource(strings = {"shmdev", "niodev"})
    void ranksOpenNoArchiveOfGalernas(String device) throws Exception {
        Path classes = Programs.compile(folder.resolve("classes"), """
                import java.nio.file.*;
                public class Descriptors {
                    public static void main(String[] arguments) throws Exception {
                        mpi.MPI.Init(arguments);
                        mpi.MPI.COMM_WORLD.Barrier();
                        mpi.MPI.Finalize();
                        try (DirectoryStream<Path> open = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
                            for (Path each : open) {
                                if (Files.isSymbolicLink(each) && Files.readSymbolicLink(each).endsWith("galerna.jar")) {
                                    System.out.println("it is open");
                                }
                            }
                        }
                        System.out.println(System.getProperty("java.class.path"));
                        System.out.println(mpi.MPI.class.getModule() + " " + System.getProperty("jdk.module.path"));
                    }
                }
                """);
        String path = Programs.jar(folder.resolve("program.jar"), classes, new Manifest())
                .toString();
        String written = run(GalernaCommand.of(
                List.of("run", "-n", "9", "--procs", "--device", device, "-cp", path, "Descriptors")));
        // a rank that has to do what another one has done in the job that made the cache may need a class that is not
        // there
        assertThat(written.lines().filter("it is open"::equals).count()).isLessThan(3);
        assertThat(written.lines().filter(line -> !line.equals("it is open")))
                .hasSize(18)
                .containsOnly(JAR + File.pathSeparator + path, "module org.galerna null");
    }

    /** Such names are in no module, so that Galerna has to be on the class path, before the program. */
    @Test
    void whatAProgramAddsToGalernaIsFound() throws Exception {
        Path classes = Programs.compile(
                folder.resolve("classes"),
                "package mpi; public class Own { public static String word() { return Constants.class.getSimpleName(); } }",
                """
                import java.util.*;
                public class OwnSetting implements org.galerna.link.settings.SettingNames {
                    @Override
                    public Set<String> names() {
                        return Set.of("galerna.own");
                    }
                    public static void main(String[] arguments) {
                        mpi.MPI.Init(arguments);
                        System.out.println(mpi.Own.word()
                                + org.galerna.link.settings.SettingNames.ofModules().contains("galerna.own"));
                        mpi.MPI.Finalize();
                    }
                }
                """);
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("org.galerna.link.settings.SettingNames"), "OwnSetting");
        List<String> command =
                GalernaCommand.of(List.of("run", "-n", "3", "--procs", "-cp", classes.toString(), "OwnSetting"));
        assertThat(run(command).lines()).hasSize(3).containsOnly("Constantstrue");
        assertThat(onlyCache().toString()).contains("mixed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--procs"})
    void verboseSaysWhetherThereIsOne(String placement) throws Exception {
        assertThat(verbose(placement)).contains("galerna: ranks start from the ahead-of-time cache " + folder);
        assertThat(verbose(placement, "-J-XX:-UseCompressedOops"))
                .contains(
                        "galerna: ranks start without an ahead-of-time cache: -XX:-UseCompressedOops does not go together");
        Path cache = onlyCache();
        Files.writeString(cache, "no cache");
        assertThat(verbose(placement)).contains("[aot]");
        Files.write(cache, new byte[0]);
        assertThat(verbose(placement))
                .contains("it could not be made; " + folder)
                .contains("log says why");
    }

    @Test
    void whoMakesACacheRemovesThoseThatNobodyUses() throws Exception {
        Path caches = Files.createDirectories(folder.resolve("galerna"));
        FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofDays(31)));
        Path unused = Files.writeString(caches.resolve("threads-1-2.aot"), "of another jar");
        Files.setLastModifiedTime(unused, longAgo);
        String said = verbose("--procs");
        assertThat(said).contains("galerna: ranks start from the ahead-of-time cache " + folder);
        assertThat(unused).doesNotExist();
        Path made = onlyCache();
        Files.setLastModifiedTime(made, longAgo);
        assertThat(verbose("--procs")).isEqualTo(said);
        assertThat(Files.getLastModifiedTime(made)).isGreaterThan(longAgo);
    }

    private Path onlyCache() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("galerna"))) {
            List<Path> all =
                    files.filter(file -> file.toString().endsWith(".aot")).toList();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }
    }

    private String verbose(String placement, String... options) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("run", "-n", "2", "--verbose"));
        if (!placement.isEmpty()) {
            command.add(placement);
        }
        command.addAll(List.of(options));
        command.add("org.galerna.mpj.Rehearsal");
        return run(GalernaCommand.of(command));
    }
}
