package org.galerna.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.galerna.cli.Galerna.Ended;
import org.galerna.testkit.Fault;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunCommandTest {
    @TempDir
    Path folder;

    private Galerna galerna;

    @BeforeEach
    void compileTheProgram() throws IOException {
        galerna = new Galerna(folder);
        galerna.compile("Program", """
                import java.nio.file.Path;
                import mpi.MPI;

                public class Program {
                    public static void main(String[] arguments) throws Exception {
                        MPI.Init(arguments);
                        int rank = MPI.COMM_WORLD.Rank();
                        if (arguments.length > 0 && arguments[0].equals("abort") && rank == 1) {
                            MPI.COMM_WORLD.Abort(9);
                        }
                        if (arguments.length > 0 && arguments[0].equals("block")) {
                            System.out.println("blocked");
                            System.out.flush();
                            Thread.currentThread().join();
                        }
                        int[] sum = new int[1];
                        MPI.COMM_WORLD.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                        System.out.println(
                                rank + " of " + MPI.COMM_WORLD.Size() + " sum " + sum[0] + " "
                                        + String.join("|", arguments) + " " + System.getProperty("colour")
                                        + " " + Path.of("").toAbsolutePath().getFileName());
                        if (arguments.length > 0 && arguments[0].equals("forget") && rank == 1) {
                            return;
                        }
                        MPI.Finalize();
                    }
                }
                """);
    }

    @Test
    void runsAProgramOnSeveralRanksWithItsArgumentsUntouched() throws Exception {
        Ended ended = galerna.run(
                "run", "-np", "3", "-Dcolour=blue", "-J-Xmx200m", "-cp", "classes", "Program", "-n", "--label", "x y");
        assertThat(ended.errors()).isEmpty();
        assertThat(ended.status()).isZero();
        String name = folder.getFileName().toString();
        assertThat(ended.output().lines())
                .containsExactlyInAnyOrder(
                        "0 of 3 sum 3 -n|--label|x y blue " + name,
                        "1 of 3 sum 3 -n|--label|x y blue " + name,
                        "2 of 3 sum 3 -n|--label|x y blue " + name);
    }

    @Test
    void verboseSaysAtTheStartWhatWasChosen() throws Exception {
        Ended ended = galerna.run(
                "run", "-n", "2", "--verbose", "-Dgalerna.coll.barrier=dissemination", "-cp", "classes", "Program");
        assertThat(ended.status()).as(ended.errors()).isZero();
        assertThat(ended.errors().lines())
                .anyMatch(line -> line.matches("galerna: 2 ranks; device smdev, the fastest that works; algorithms of"
                        + " collectives by the standard table, barrier=dissemination; rank 0 may run on processors"
                        + " [0-9,-]+"))
                .anyMatch(line -> line.startsWith("galerna: rank 0 reaches rank 1 by threads"))
                .anyMatch(line -> line.startsWith("galerna: ranks start without an ahead-of-time cache: "))
                .hasSize(3);
    }

    @Test
    @Tag("slow")
    void runsAJarInAnotherFolderAndLabelsItsLines() throws Exception {
        Path jar = folder.resolve("app.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "Program");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream archive = new JarOutputStream(file, manifest)) {
            archive.putNextEntry(new JarEntry("Program.class"));
            archive.write(Files.readAllBytes(folder.resolve("classes/Program.class")));
        }
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Ended ended =
                galerna.run("run", "-n", "2", "--label", "-wdir", elsewhere.toString(), "-jar", "app.jar", "--help");
        assertThat(ended.status()).as(ended.errors()).isZero();
        assertThat(ended.output().lines())
                .containsExactlyInAnyOrder(
                        "[0] 0 of 2 sum 1 --help null elsewhere", "[1] 1 of 2 sum 1 --help null elsewhere");
    }

    @Test
    @Tag("slow")
    void usesTheCollectorWithTheCheapestBarrierUnlessOneIsChosen() throws Exception {
        galerna.compile("Collector", """
                import java.lang.management.ManagementFactory;

                public class Collector {
                    public static void main(String[] arguments) {
                        System.out.println(
                                ManagementFactory.getGarbageCollectorMXBeans().getFirst().getName());
                    }
                }
                """);
        assertThat(galerna.run("run", "-n", "1", "-cp", "classes", "Collector").output())
                .startsWith("PS ");
        assertThat(galerna.run("run", "-n", "1", "-XX:+UseG1GC", "-cp", "classes", "Collector")
                        .output())
                .startsWith("G1 ");
    }

    @Test
    @Tag("slow")
    void saysWhereRanksRun() throws Exception {
        Ended ended =
                galerna.run("run", "-n", "2", "--bind-to", "none", "--report-bindings", "-cp", "classes", "Program");
        assertThat(ended.status()).isZero();
        assertThat(ended.errors().lines())
                .containsExactly(
                        "galerna: rank 0 is not bound: --bind-to none", "galerna: rank 1 is not bound: --bind-to none");
    }

    @Test
    @Tag("slow")
    void oneRankPerProcessIsAProcessForEachRank() throws Exception {
        galerna.compile("Pid", """
                public class Pid {
                    public static void main(String[] arguments) {
                        System.out.println(ProcessHandle.current().pid());
                    }
                }
                """);
        Ended ended = galerna.run("run", "-np", "2", "--ranks-per-process", "1", "-cp", "classes", "Pid");
        assertThat(ended.errors()).isEmpty();
        assertThat(ended.output().lines()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void endsWithTheStatusOfAbort() throws Exception {
        Ended ended = galerna.run("run", "-n", "3", "-cp", "classes", "-class", "Program", "abort");
        assertThat(ended.status()).isEqualTo(9);
        assertThat(ended.errors()).contains("rank 1");
    }

    @Test
    @Tag("slow")
    void saysWhichRankHasNotFinalized() throws Exception {
        Ended ended = galerna.run("run", "-n", "3", "-cp", "classes", "Program", "forget");
        assertThat(ended.status()).isZero();
        assertThat(ended.errors()).isEqualTo("galerna: rank 1 has ended without MPI.Finalize\n");
    }

    @Test
    @Fault(16)
    void endsWithItsJobWhenItIsTerminated() throws Exception {
        Process process = galerna.start("run", "-n", "2", "-cp", "classes", "Program", "block");
        Path output = folder.resolve("out.txt");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.readString(output).contains("blocked") && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        var children = process.descendants().toList();
        assertThat(children).isNotEmpty();
        process.destroy();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(143);
        assertThat(children).noneMatch(ProcessHandle::isAlive);
    }

    @ParameterizedTest
    @Fault(8)
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            run -n many -cp classes Program      | takes a whole number, not "many"
            run -n 3 --hosts a:2 -cp classes Program | 3 ranks do not fit
            run --procs -n 2 -cp classes Programm | class Programm not found
            run -cp classes Programm             | class Programm not found
            run -cp classes org.Program          | did you mean Program?
            frobnicate                           | there is no command "frobnicate"
            """)
    @Tag("slow")
    void saysInOneLineWhatIsWrong(String arguments, String message) throws Exception {
        Ended ended = galerna.run(arguments.split(" "));
        assertThat(ended.errors()).contains(message).doesNotContain("\tat ");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.errors().lines()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--bind-to none", "--procs"})
    @Tag("slow")
    void obeysTheManifestAsJavaDoes(String mode) throws Exception {
        galerna.compile("Inside", """
                import java.lang.instrument.Instrumentation;

                public class Inside {
                    public static class Agent {
                        public static void agentmain(String options, Instrumentation instrumentation) {
                            System.setProperty("agent" + options, "" + instrumentation.isRetransformClassesSupported());
                        }
                    }

                    public static void main(String[] arguments) throws Exception {
                        String.class.getDeclaredField("hash").setAccessible(true);
                        System.out.println(System.getProperty("agent") + " " + Class.forName("sun.security.x509.X500Name")
                                .getConstructor(String.class).newInstance("CN=a"));
                    }
                }
                """);
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MAIN_CLASS, "Inside");
        attributes.putValue("Add-Opens", "java.base/java.lang no.such/part");
        attributes.putValue("Add-Exports", "java.base/sun.security.x509");
        attributes.putValue("Enable-Native-Access", "ALL-UNNAMED");
        attributes.putValue("Launcher-Agent-Class", "Inside$Agent");
        attributes.putValue("Can-Retransform-Classes", "true");
        Programs.jar(folder.resolve("inside.jar"), folder.resolve("classes"), manifest);
        List<String> words = new ArrayList<>(List.of("run", "-n", "2"));
        words.addAll(List.of(mode.split(" ")));
        words.addAll(List.of("-jar", "inside.jar"));
        Ended ended = galerna.run(words.toArray(String[]::new));
        assertThat(ended.errors()).isEmpty();
        assertThat(ended.output().lines()).containsExactly("true CN=a", "true CN=a");
    }

    @Test
    @Tag("slow")
    void aHostThatCannotBeReachedIsNamedInOneLineWithTheWordsOfSsh() throws Exception {
        Path ssh = Files.writeString(
                folder.resolve("ssh"), "#!/bin/sh\necho 'ssh: Could not resolve hostname pigeon' >&2\nexit 255\n");
        Files.setPosixFilePermissions(ssh, PosixFilePermissions.fromString("rwx------"));
        Ended ended =
                galerna.run("run", "--ssh-command", ssh.toString(), "--hosts", "pigeon:2", "-cp", "classes", "Program");
        assertThat(ended.errors())
                .isEqualTo("galerna: host pigeon cannot start ranks: ssh: Could not resolve hostname pigeon\n");
        assertThat(ended.status()).isEqualTo(2);
    }

    @Test
    void aModuleThatIsNotThereIsNamed() {
        Ended ended = Galerna.refused("run", "-p", folder.toString(), "-m", "app/app.Main");
        assertThat(ended.errors()).contains("there is no module app on the module path");
        assertThat(ended.status()).isEqualTo(2);
    }

    @Test
    void aJarWithoutAMainClassIsNamed() throws Exception {
        Path jar = folder.resolve("plain.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream archive = new JarOutputStream(file)) {
            archive.putNextEntry(new JarEntry("nothing.txt"));
        }
        Ended ended = galerna.run("run", "-jar", "plain.jar");
        assertThat(ended.status()).isEqualTo(2);
        assertThat(ended.errors()).contains("plain.jar names no main class");
    }
}
