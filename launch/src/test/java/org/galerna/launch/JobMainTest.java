package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fault.Where;
import org.galerna.testkit.process.ChildProcess;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs in JVMs of their own: what only a real process can show. */
class JobMainTest {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /** Stands for the number of a process until it is known. */
    private static final long NO_PROCESS = 123_456_789;

    @TempDir
    Path folder;

    private ChildProcess start(int ranks, boolean labelled, List<String> options, String... arguments) {
        JobDescription job = new JobDescription(
                ranks,
                folder.toString(),
                "Main",
                List.of(arguments),
                Optional.empty(),
                labelled,
                BindTo.AUTO,
                false,
                Duration.ZERO,
                Duration.ofSeconds(5),
                OptionalLong.of(ProcessHandle.current().pid()));
        return ChildProcess.start(ChildProcess.java(options, JobMain.class, job.toArguments()));
    }

    @ParameterizedTest
    @Fault(16)
    @CsvSource({"INT, 130", "TERM, 143", "HUP, 129"})
    void aSignalEndsTheJobInOrder(String signal, int status) throws Exception {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                        System.out.println("ready");
                        System.out.print("rest");
                        while (true) Thread.onSpinWait();
                    }
                }
                """);
        try (ChildProcess job = start(2, true, List.of())) {
            job.awaitOut(text -> text.contains("[0] ready\n") && text.contains("[1] ready\n"), LONGEST);
            job.signal(signal);
            assertThat(job.awaitExit(LONGEST)).isEqualTo(status);
            assertThat(job.err()).isEqualTo("galerna: interrupted\n");
            assertThat(job.out()).contains("[0] rest", "[1] rest", "hook");
        }
    }

    @Test
    void aPromptAppearsBeforeItsAnswerIsRead() throws Exception {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        System.out.print("name? ");
                        String name = new java.util.Scanner(System.in).nextLine();
                        System.out.println("hello " + name);
                        System.out.println(IO.readln("more? "));
                    }
                }
                """);
        try (ChildProcess job = start(1, true, List.of())) {
            job.awaitOut(text -> text.equals("[0] name? "), LONGEST);
            job.type("Ada\n");
            job.awaitOut(text -> text.equals("[0] name? hello Ada\n[0] more? "), LONGEST);
            job.endInput();
            assertThat(job.awaitExit(LONGEST)).isZero();
            assertThat(job.out()).isEqualTo("[0] name? hello Ada\n[0] more? null\n");
        }
    }

    @Test
    void dotsOfAProgressBarAppearInTime() throws Exception {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) throws Exception {
                        System.out.print("...");
                        java.util.concurrent.TimeUnit.MILLISECONDS.sleep(60_000);
                    }
                }
                """);
        try (ChildProcess job = start(1, false, List.of())) {
            job.awaitOut(text -> text.equals("..."), LONGEST);
        }
    }

    @Test
    @Fault(
            value = 28,
            on = {Where.THREADS, Where.LAUNCH})
    void memoryThatIsUsedUpEndsTheJob() throws Exception {
        Programs.compile(folder, """
                import java.util.*;

                public class Main {
                    static final List<byte[]> all = new ArrayList<>();

                    public static void main(String[] args) {
                        while (true) {
                            all.add(new byte[100_000]);
                        }
                    }
                }
                """);
        try (ChildProcess job = start(3, false, List.of("-Xmx32m", "-XX:+UseSerialGC"))) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(ExitStatus.FAILED);
            assertThat(job.err())
                    .matches("(?s)(galerna: rank \\d has failed: .*OutOfMemoryError.*)?galerna: [^\n]+ -Xmx[^\n]+\n");
        }
    }

    @Test
    void whatTheJdkHasToDoAtTheEndIsDone() throws Exception {
        Programs.compile(folder, """
                import java.nio.file.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        Path.of(args[0]).toFile().deleteOnExit();
                        System.out.println(System.getProperty("java.class.path").startsWith(args[1]));
                        System.exit(4);
                    }
                }
                """);
        Path temporary = Files.writeString(folder.resolve("temporary"), "");
        try (ChildProcess job = start(1, false, List.of(), temporary.toString(), folder.toString())) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(4);
            assertThat(job.out()).isEqualTo("true\n");
            assertThat(temporary).doesNotExist();
        }
    }

    @Test
    @Tag("slow")
    void aHookThatHangsDoesNotKeepTheJobAlive() throws Exception {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> { while (true) Thread.onSpinWait(); }));
                        System.exit(6);
                    }
                }
                """);
        try (ChildProcess job = start(1, false, List.of())) {
            assertThat(job.awaitExit(LONGEST)).isEqualTo(6);
        }
    }

    @Test
    @Fault(21)
    @Tag("slow")
    void aReaderThatHasGoneDoesNotKeepTheJobAlive() throws Exception {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        for (int i = 0; i < 100_000; i++) {
                            System.out.println("line " + i);
                        }
                    }
                }
                """);
        JobDescription job = new JobDescription(
                2,
                folder.toString(),
                "Main",
                List.of(),
                Optional.empty(),
                true,
                BindTo.AUTO,
                false,
                Duration.ZERO,
                Duration.ZERO,
                OptionalLong.empty());
        List<String> command = ChildProcess.java(List.of(), JobMain.class, job.toArguments());
        List<String> pipeline = new ArrayList<>(List.of("sh", "-c", "\"$@\" | head -n 1", "sh"));
        pipeline.addAll(command);
        try (ChildProcess piped = ChildProcess.start(pipeline)) {
            assertThat(piped.awaitExit(LONGEST)).isZero();
            assertThat(piped.out()).matches("\\[[01]\\] line 0\n");
        }
    }

    @Test
    @Fault(16)
    void theJobEndsWithTheProcessThatHasStartedIt() throws Exception {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) {
                        System.out.println(ProcessHandle.current().pid());
                        while (true) Thread.onSpinWait();
                    }
                }
                """, """
                public class Parent {
                    public static void main(String[] args) throws Exception {
                        String[] command = args.clone();
                        command[Integer.parseInt(command[0])] = "" + ProcessHandle.current().pid();
                        new ProcessBuilder(java.util.Arrays.asList(command).subList(1, command.length))
                                .inheritIO().start().waitFor();
                    }
                }
                """);
        JobDescription job = new JobDescription(
                1,
                folder.toString(),
                "Main",
                List.of(),
                Optional.empty(),
                false,
                BindTo.AUTO,
                false,
                Duration.ZERO,
                Duration.ZERO,
                OptionalLong.of(NO_PROCESS));
        List<String> command = ChildProcess.java(List.of(), JobMain.class, job.toArguments());
        List<String> parent = new ArrayList<>(List.of(command.get(0), "-cp", folder.toString(), "Parent"));
        parent.add(String.valueOf(1 + command.indexOf(String.valueOf(NO_PROCESS))));
        parent.addAll(command);
        try (ChildProcess process = ChildProcess.start(parent)) {
            process.awaitOut(text -> text.endsWith("\n"), LONGEST);
            ProcessHandle child =
                    ProcessHandle.of(Long.parseLong(process.out().strip())).orElseThrow();
            process.signal("KILL");
            child.onExit().get(LONGEST.toSeconds(), TimeUnit.SECONDS);
        }
    }
}
