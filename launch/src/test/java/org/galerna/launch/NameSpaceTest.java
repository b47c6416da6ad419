package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import example.ProgramOfTheLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rank sees of the program's classes and resources, and what it shares with the others. */
class NameSpaceTest {
    @TempDir
    Path folder;

    @Test
    void staticStateIsPerRank() {
        Programs.compile(folder, """
                public class Main {
                    static int counter;

                    public static void main(String[] args) {
                        for (int i = 0; i < 10_000; i++) {
                            counter++;
                        }
                        System.out.println(counter);
                    }
                }
                """);
        assertThat(Run.of(folder, 8, "Main").sortedLines()).hasSize(8).containsOnly("10000");
    }

    @Test
    void theJdkAndTheLowerLayersAreShared() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        String here = "" + Main.class.getClassLoader();
                        System.out.println(org.galerna.link.wireup.Wireups.class.getClassLoader() != Main.class.getClassLoader());
                        System.out.println(java.sql.Connection.class.getClassLoader() == ClassLoader.getPlatformClassLoader());
                        System.out.println(Thread.currentThread().getContextClassLoader() == Main.class.getClassLoader());
                    }
                }
                """);
        assertThat(Run.of(folder, 2, "Main").sortedLines()).hasSize(6).containsOnly("true");
    }

    /** What is shared is compiled once, and not for each rank. */
    @Test
    void ofTheApiARankHasClassMpiAlone() {
        Programs.compile(folder, """
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        ClassLoader own = Main.class.getClassLoader();
                        System.out.println(MPI.class.getClassLoader() == own);
                        for (Class<?> shared : new Class<?>[] {Comm.class, MPI.COMM_WORLD.getClass(), MPI.INT.getClass(),
                                Request.class, mpjbuf.Buffer.class, mpjdev.Comm.class}) {
                            System.out.println(shared.getClassLoader() == org.galerna.link.wireup.Wireups.class.getClassLoader());
                        }
                        MPI.Finalize();
                    }
                }
                """);
        assertThat(Run.of(folder, 2, "Main").sortedLines()).hasSize(14).containsOnly("true");
    }

    @Test
    void programsMayHaveClassesInPackagesOfTheApi() {
        Programs.compile(folder, """
                package mpi.pt2pt;

                public class Main {
                    static int calls;

                    public static void main(String[] args) {
                        calls++;
                        System.out.println(calls + " " + (Main.class.getClassLoader() == mpi.MPI.class.getClassLoader()));
                    }
                }
                """);
        assertThat(Run.of(folder, 2, "mpi.pt2pt.Main").sortedLines()).containsExactly("1 true", "1 true");
    }

    @Test
    void aProgramOnTheClassPathOfTheLauncherIsLoadedByEachRank() {
        Path elsewhere = folder.resolve("elsewhere");
        Run run = Run.of(elsewhere, 3, ProgramOfTheLauncher.class.getName());
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("calls 1", "calls 1", "calls 1");
    }

    @Test
    void eachRankFindsItsOwnWireup() {
        Programs.compile(folder, """
                import org.galerna.link.*; import org.galerna.link.wireup.*;

                public class Main {
                    public static void main(String[] args) {
                        Wireup wireup = Wireups.find(Main.class.getClassLoader()).orElseThrow();
                        System.out.println(wireup.rank() + " of " + wireup.size());
                    }
                }
                """);
        assertThat(Run.of(folder, 3, "Main").sortedLines()).containsExactly("0 of 3", "1 of 3", "2 of 3");
    }

    @Test
    void theProgramsCopyOfASharedClassIsNotUsed() {
        Programs.compile(folder, """
                package org.galerna.link;

                public class CommunicationException {
                    public static String origin() {
                        return "program";
                    }
                }
                """);
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        System.out.println(org.galerna.link.CommunicationException.class.getSuperclass().getSimpleName());
                    }
                }
                """);
        assertThat(Run.of(folder, 1, "Main").out()).isEqualTo("RuntimeException\n");
    }

    @Test
    void classesAndResourcesAreTheProgramsFirst() throws Exception {
        Programs.compile(folder, """
                package org.junit.jupiter.api;

                public class Test {
                    public String toString() {
                        return "mine";
                    }
                }
                """, """
                public class Main {
                    public static void main(String[] args) throws Exception {
                        System.out.println(new org.junit.jupiter.api.Test());
                        try (var in = Main.class.getResourceAsStream("some file.txt")) {
                            System.out.println(new String(in.readAllBytes()));
                        }
                        try (var in = Main.class.getResource("/some file.txt").openStream()) {
                            System.out.println(new String(in.readAllBytes()));
                        }
                        System.out.println(java.util.Collections.list(
                                Main.class.getClassLoader().getResources("some file.txt")).size());
                        System.out.println(Main.class.getResource("nothing"));
                        System.out.println(Main.class.getClassLoader().getResource("../" + args[0]));
                    }
                }
                """);
        Files.writeString(folder.resolve("some file.txt"), "content");
        Path outside = Files.writeString(folder.resolveSibling("outside.txt"), "outside");
        Run run = Run.of(folder, 1, "Main", outside.getFileName().toString());
        Files.delete(outside);
        assertThat(run.out()).isEqualTo("mine\ncontent\ncontent\n1\nnull\nnull\n");
    }

    @Test
    void servicesAreFoundThroughTheContextClassLoader() throws Exception {
        Programs.compile(folder, """
                public class Main implements Runnable {
                    public void run() {
                        System.out.println("served");
                    }

                    public static void main(String[] args) {
                        java.util.ServiceLoader.load(Runnable.class).forEach(Runnable::run);
                    }
                }
                """);
        Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(folder.resolve("META-INF/services/java.lang.Runnable"), "Main\n");
        assertThat(Run.of(folder, 2, "Main").out()).isEqualTo("served\nserved\n");
    }

    @Test
    void anArchiveKeepsItsVersionsItsReleasesAndItsClassPath() throws Exception {
        Path library = Programs.compile(folder.resolve("library"), """
                package lib;

                public class Help {
                    public static String text() {
                        return "help";
                    }
                }
                """);
        Programs.jar(folder.resolve("lib rary.jar"), library, new Manifest());
        Path classes = Programs.compile(folder.resolve("classes"), List.of("-cp", library.toString()), """
                package app;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        System.out.println(Main.class.getPackage().getImplementationVersion());
                        System.out.println(lib.Help.text());
                        System.out.println(Version.TEXT);
                        System.out.println(new String(
                                Main.class.getResource("/data/a b.txt").openStream().readAllBytes()));
                        String location = "" + Main.class.getProtectionDomain().getCodeSource().getLocation();
                        System.out.println(location.substring(location.lastIndexOf('/')));
                    }
                }
                """, """
                package app;

                class Version {
                    static final String TEXT = String.valueOf("old");
                }
                """);
        Programs.compile(classes.resolve("META-INF/versions/21"), """
                package app;

                class Version {
                    static final String TEXT = String.valueOf("new");
                }
                """);
        Files.createDirectories(classes.resolve("data"));
        Files.writeString(classes.resolve("data/a b.txt"), "data");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2.3");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, "missing.jar lib%20rary.jar");
        manifest.getMainAttributes().put(Attributes.Name.MULTI_RELEASE, "true");
        Path jar = Programs.jar(folder.resolve("app.jar"), classes, manifest);
        Run run = Run.of(jar, 2, "app.Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines())
                .containsExactly(
                        "/app.jar", "/app.jar", "1.2.3", "1.2.3", "data", "data", "help", "help", "new", "new");
    }

    @Test
    void manyThreadsOfManyRanksLoadClassesAtOnce() {
        StringBuilder main = new StringBuilder("""
                public class Main {
                    static final java.util.concurrent.atomic.AtomicInteger sum = new java.util.concurrent.atomic.AtomicInteger();

                    public static void main(String[] args) throws Exception {
                        try (var pool = java.util.concurrent.Executors.newFixedThreadPool(4)) {
                            for (int copy = 0; copy < 4; copy++) {
                                for (int i = 0; i < 50; i++) {
                                    String name = "Part" + (i + copy * 7) % 50;
                                    pool.submit(() -> {
                                        ((Runnable) Class.forName(name).getConstructor().newInstance()).run();
                                        return null;
                                    });
                                }
                            }
                        }
                        System.out.println(sum);
                    }
                }
                """);
        for (int part = 0; part < 50; part++) {
            main.append("class Part").append(part).append("""
                     implements Runnable {
                        static { Main.sum.addAndGet(1000); }
                        public Part%d() {}
                        public void run() { Main.sum.incrementAndGet(); }
                    }
                    """.formatted(part));
        }
        Programs.compile(folder, main.toString());
        assertThat(Run.of(folder, 6, "Main").sortedLines()).hasSize(6).containsOnly("50200");
    }
}
