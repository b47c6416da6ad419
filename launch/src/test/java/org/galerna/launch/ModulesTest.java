package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.galerna.launch.report.ExitStatus;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are modules, on ranks that are threads: what {@code java -m} would do, for each rank. */
class ModulesTest {
    /** Stands for galerna.jar on the module path of the compiler. */
    private static final String GALERNA = "module org.galerna {}";

    @TempDir
    Path folder;

    private Path modules;

    @BeforeEach
    void compile() throws IOException {
        modules = folder.resolve("modules");
        Programs.compile(folder.resolve("galerna"), List.of(), GALERNA);
        Path galerna = folder.resolve("galerna");
        Programs.compile(
                modules.resolve("shapes"),
                List.of(),
                "module shapes { exports shapes; opens shapes.inside; }",
                "package shapes; public interface Shape { String name(); }",
                "package shapes.inside; public class Hidden { private int value = 7; }");
        Files.writeString(modules.resolve("shapes/text.txt"), "of shapes");
        List<String> options = List.of(
                "--module-path",
                galerna + ":" + modules,
                "--add-reads",
                "app=ALL-UNNAMED"); // the test has Galerna on the class path
        Programs.compile(
                modules.resolve("app"),
                options,
                "module app { requires org.galerna; requires shapes; requires java.logging; uses shapes.Shape;"
                        + " provides shapes.Shape with app.Circle; }",
                "package app; public class Circle implements shapes.Shape { public String name() { return \"circle\"; } }",
                """
                package app;

                import java.util.ServiceLoader;
                import java.util.stream.Collectors;
                import mpi.MPI;
                import shapes.Shape;

                public class Main {
                    static int counter;

                    record Part(int x) implements java.io.Serializable {}

                    public static void main(String[] args) throws Exception {
                        switch (args[0]) {
                            case "identity" -> {
                                counter++;
                                System.out.println(counter + " " + Main.class.getModule() + " "
                                        + Main.class.getModule().isExported("app") + " "
                                        + Main.class.getModule().getLayer().findModule("shapes").isPresent());
                            }
                            case "services" -> System.out.println(ServiceLoader.load(Shape.class).stream()
                                    .map(each -> each.get().name()).collect(Collectors.joining()));
                            case "resources" -> System.out.println(text("/text.txt", Main.class) + ", "
                                    + text("/text.txt", Shape.class) + ", "
                                    + (Main.class.getResource("Main.class") != null));
                            case "names" -> System.out.println(
                                    Class.forName(Main.class.getModule(), "app.Circle") == Circle.class
                                    && Class.forName("app.Circle") == Circle.class
                                    && Class.forName(Main.class.getModule(), "app.None") == null);
                            case "messages" -> {
                                MPI.Init(args);
                                int rank = MPI.COMM_WORLD.Rank();
                                Object[] part = {rank == 0 ? new Part(3) : null};
                                MPI.COMM_WORLD.Bcast(part, 0, 1, MPI.OBJECT, 0);
                                System.out.println(part[0]);
                                MPI.Finalize();
                            }
                            case "exit" -> System.exit(4);
                            case "inside" -> {
                                var field = String.class.getDeclaredField("hash");
                                field.setAccessible(true);
                                System.out.println("open");
                            }
                            case "unnamed" -> System.out.println(
                                    shapes.Shape.class.getModule().isOpen("shapes",
                                            Main.class.getClassLoader().getUnnamedModule())
                                    + " " + Main.class.getModule().isNativeAccessEnabled());
                            default -> throw new IllegalArgumentException(args[0]);
                        }
                    }

                    static String text(String name, Class<?> from) throws Exception {
                        try (var in = from.getResourceAsStream(name)) {
                            return new String(in.readAllBytes());
                        }
                    }
                }
                """);
        Files.writeString(modules.resolve("app/text.txt"), "of app");
    }

    private Run run(String main, String what, String... options) {
        UnaryOperator<ThreadJob.Builder> more =
                job -> job.modules(new ProgramModules(modules.toString(), List.of(options)));
        return Run.of(folder.resolve("nothing"), 2, main, more, what);
    }

    private List<String> lines(String what, String... options) {
        Run run = run("app/app.Main", what, options);
        assertThat(run.report()).isEmpty();
        return run.sortedLines();
    }

    @Test
    void eachRankHasTheModulesOfItsOwn() {
        assertThat(lines("identity")).hasSize(2).containsOnly("1 module app false true");
    }

    @Test
    void servicesOfTheModulesAreFound() {
        assertThat(lines("services")).hasSize(2).containsOnly("circle");
    }

    @Test
    void resourcesAreThoseOfTheModuleThatAsks() {
        assertThat(lines("resources")).hasSize(2).containsOnly("of app, of shapes, true");
    }

    @Test
    void classesAreFoundByModuleAndName() {
        assertThat(lines("names")).hasSize(2).containsOnly("true");
    }

    @Test
    void modulesThatRequireGalernaSendAndReceive() {
        assertThat(lines("messages")).hasSize(2).containsOnly("Part[x=3]");
    }

    @Test
    void callsThatMeanTheProcessAreThoseOfTheRank() {
        assertThat(run("app/app.Main", "exit").status()).isEqualTo(4);
    }

    @Test
    void optionsOpenModulesOfTheProgram() {
        assertThat(lines("unnamed")).containsOnly("false false");
        assertThat(lines("unnamed", "--add-opens=shapes/shapes=ALL-UNNAMED", "--enable-native-access=app"))
                .hasSize(2)
                .containsOnly("true true");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThat(run("none/app.Main", "identity").report()).contains("none");
        Run noClass = run("app/app.Mein", "identity");
        assertThat(noClass.status()).isEqualTo(ExitStatus.USAGE);
        assertThat(noClass.report()).contains("app.Mein", "app.Main");
    }
}
