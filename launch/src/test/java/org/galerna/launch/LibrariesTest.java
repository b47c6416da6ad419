package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Native libraries of programs: each rank has one of its own, with its own state. */
class LibrariesTest {
    private static final String SOURCE = """
            #include <jni.h>
            static int calls;
            int more(int);
            JNIEXPORT jint JNICALL Java_Main_count(JNIEnv *env, jclass type) { return more(++calls); }
            """;

    @TempDir
    Path folder;

    @BeforeEach
    void compileTheProgram() {
        Programs.compile(folder, """
                public class Main {
                    static native int count();

                    public static void main(String[] args) throws Throwable {
                        switch (args[0]) {
                            case "load" -> System.load(args[1]);
                            case "runtime" -> Runtime.getRuntime().load(args[1]);
                            case "reference" -> {
                                java.util.function.Consumer<String> load = System::load;
                                load.accept(args[1]);
                            }
                            case "twice" -> { System.load(args[1]); System.load(args[1]); }
                            case "name" -> {
                                System.setProperty("java.library.path", args[1]);
                                System.loadLibrary("count");
                            }
                            case "absent" -> System.load(args[1]);
                            case "handle" -> java.lang.invoke.MethodHandles.lookup().findStatic(System.class, "load",
                                    java.lang.invoke.MethodType.methodType(void.class, String.class)).invokeExact(args[1]);
                            default -> throw new AssertionError(args[0]);
                        }
                        count();
                        System.out.println(count());
                    }
                }
                """);
    }

    private Path library() throws Exception {
        Path source = Files.writeString(folder.resolve("count.c"), SOURCE);
        Path other = Files.writeString(folder.resolve("more.c"), "int more(int x) { return x + 100; }");
        Path libraries = Files.createDirectories(folder.resolve("lib"));
        compile("-o", libraries.resolve("libmore.so").toString(), other.toString());
        Path home = Path.of(System.getProperty("java.home"), "include");
        // finds the other one beside itself
        compile(
                "-I" + home,
                "-I" + home.resolve("linux"),
                "-L" + libraries,
                "-Wl,-rpath,$ORIGIN",
                "-o",
                libraries.resolve("libcount.so").toString(),
                source.toString(),
                "-lmore");
        return libraries.resolve("libcount.so");
    }

    private static void compile(String... arguments) throws Exception {
        Process compiler;
        try {
            compiler = new ProcessBuilder(Stream.concat(Stream.of("cc", "-shared", "-fPIC"), Stream.of(arguments))
                            .toList())
                    .inheritIO()
                    .start();
        } catch (IOException none) {
            abort("there is no C compiler");
            return;
        }
        assertThat(compiler.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(compiler.exitValue()).isZero();
    }

    @Test
    void everyRankLoadsALibrary() throws Exception {
        Path library = library();
        for (String how : new String[] {"load", "runtime", "twice"}) {
            Run run = Run.of(folder, 3, "Main", how, library.toString());
            assertThat(run.report()).isEmpty();
            assertThat(run.sortedLines()).as(how).containsExactly("102", "102", "102");
        }
        Run run = Run.of(folder, 3, "Main", "name", library.getParent().toString());
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("102", "102", "102");
    }

    @Test
    void jobsOfOneRankLoadItOneAfterTheOther() throws Exception {
        Path library = library();
        for (int job = 0; job < 3; job++) {
            Run run = Run.of(folder, 1, "Main", "load", library.toString());
            assertThat(run.report()).isEmpty();
            assertThat(run.out()).isEqualTo("102\n");
        }
    }

    @Test
    void copiesAreRemovedWithTheJob() throws Exception {
        Path library = library();
        assertThat(Run.of(folder, 2, "Main", "load", library.toString()).status())
                .isZero();
        try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            assertThat(left.filter(each -> each.getFileName().toString().startsWith("galerna-libraries-"))
                            .filter(each -> Files.exists(each.resolve("libcount.so"))))
                    .isEmpty();
        }
    }

    @Test
    void aLibraryThatIsNotThereIsReportedAsTheJdkDoes() {
        Run run = Run.of(
                folder, 2, "Main", "absent", folder.resolve("libabsent.so").toString());
        assertThat(run.report()).contains("UnsatisfiedLinkError").contains("libabsent.so");
    }

    @Test
    void aMethodReferenceLoadsTheLibraryOfTheRank() throws Exception {
        Run run = Run.of(folder, 3, "Main", "reference", library().toString());
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("102", "102", "102");
    }

    /** A call that cannot be redirected. */
    @Test
    void aLibraryThatTheJvmLoadsOnceIsReportedWithWhatToDo() throws Exception {
        Run run = Run.of(folder, 2, "Main", "handle", library().toString());
        assertThat(run.report())
                .contains("already loaded in another classloader")
                .contains("--procs");
    }
}
