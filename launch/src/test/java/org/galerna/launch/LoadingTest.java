package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.Manifest;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a rank gets that asks the system class loader: what a process would get. */
class LoadingTest {
    @TempDir
    Path folder;

    static void service(Path folder, String service, String provider) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(service), provider + "\n");
    }

    @Test
    void theSystemClassLoaderHasTheProgram() throws Exception {
        Programs.compile(folder, """
                import java.util.*;
                import java.util.function.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        ClassLoader system = ClassLoader.getSystemClassLoader();
                        Supplier<ClassLoader> reference = ClassLoader::getSystemClassLoader;
                        System.out.println(system == Main.class.getClassLoader());
                        System.out.println(reference.get() == system);
                        System.out.println(system.loadClass("Main") == Main.class);
                        System.out.println(Class.forName("Main", true, system) == Main.class);
                        System.out.println(system.getParent() == ClassLoader.getPlatformClassLoader());
                        System.out.println(ClassLoader.getSystemResource("a.txt") != null);
                        System.out.println(system.getResource("a.txt") != null);
                        System.out.println(Collections.list(ClassLoader.getSystemResources("a.txt")).size() == 1);
                        try (var content = ClassLoader.getSystemResourceAsStream("a.txt")) {
                            System.out.println(new String(content.readAllBytes()).equals("content"));
                        }
                        System.out.println(ServiceLoader.load(Runnable.class, null).findFirst().get().getClass() == Task.class);
                        System.out.println(ServiceLoader.load(Runnable.class, system).findFirst().get().getClass() == Task.class);
                    }

                    public static class Task implements Runnable {
                        public void run() {}
                    }
                }
                """);
        Files.writeString(folder.resolve("a.txt"), "content");
        service(folder, "java.lang.Runnable", "Main$Task");
        Run run = Run.of(folder, 3, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).hasSize(33).containsOnly("true");
    }

    /** The threads of the common pool belong to no rank, and have the system class loader as their context. */
    @Test
    void tasksOfTheCommonPoolHaveTheProgramInTheirContext() throws Exception {
        Programs.compile(folder, """
                import java.util.*;
                import java.util.concurrent.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        System.out.println(ForkJoinPool.commonPool().submit(() ->
                                Thread.currentThread().getContextClassLoader().loadClass("Main") == Main.class
                                        && ServiceLoader.load(Runnable.class).findFirst().get().getClass() == Task.class).get());
                    }

                    public static class Task implements Runnable {
                        public void run() {}
                    }
                }
                """);
        service(folder, "java.lang.Runnable", "Main$Task");
        Run run = Run.of(folder, 3, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("true", "true", "true");
    }

    @Test
    void classLoadersWithoutAParentFindTheProgram() throws Exception {
        Path library = folder.resolve("library");
        Path classes = folder.resolve("classes");
        Programs.compile(classes, """
                import java.net.*;
                import java.nio.file.*;
                import java.util.function.*;

                public class Main {
                    public static final String TEXT = "text of " + "the program";

                    static class Own extends ClassLoader {
                        private final Path folder;

                        Own(Path folder) {
                            this.folder = folder;
                        }

                        @Override
                        protected Class<?> findClass(String name) throws ClassNotFoundException {
                            try {
                                byte[] file = Files.readAllBytes(folder.resolve(name + ".class"));
                                return defineClass(name, file, 0, file.length);
                            } catch (java.io.IOException e) {
                                throw new ClassNotFoundException(name, e);
                            }
                        }
                    }

                    static class OfUrls extends URLClassLoader {
                        OfUrls(URL... places) {
                            super(places);
                        }
                    }

                    public static void main(String[] args) throws Exception {
                        Path folder = Path.of(args[0]);
                        URL[] places = {folder.toUri().toURL()};
                        show(new URLClassLoader(places));
                        show(new URLClassLoader(places) {});
                        show(URLClassLoader.newInstance(places));
                        show(new OfUrls(places));
                        show(new Own(folder));
                        Function<URL[], ClassLoader> make = URLClassLoader::new;
                        show(make.apply(places));
                        try (URLClassLoader isolated = new URLClassLoader(places, null)) {
                            show(isolated);
                        } catch (NoClassDefFoundError missing) {
                            System.out.println("isolated");
                        }
                    }

                    static void show(ClassLoader loader) throws Exception {
                        Object plugin = loader.loadClass("Plugin").getDeclaredConstructor().newInstance();
                        System.out.println(((Supplier<?>) plugin).get() + " " + (plugin.getClass().getClassLoader() == loader));
                    }
                }
                """);
        Programs.compile(library, List.of("-cp", classes.toString()), """
                public class Plugin implements java.util.function.Supplier<String> {
                    public String get() {
                        return Main.TEXT.isEmpty() ? "" : new Main() == null ? "" : "found";
                    }
                }
                """);
        Run run = Run.of(classes, 2, "Main", library.toString());
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines())
                .hasSize(14)
                .containsOnly("found true", "isolated")
                .filteredOn("isolated"::equals)
                .hasSize(2);
    }

    /** A plug-in ends its rank and not the JVM, writes as its rank, and runs hooks at the end of its rank. */
    @Test
    void classesOfAProgramsOwnClassLoaderBelongToTheRankToo() throws Exception {
        Path library = folder.resolve("library");
        Programs.compile(library, """
                package plug;

                public class Plugin implements java.util.function.Supplier<Object> {
                    public Object get() {
                        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                        System.out.println(Plugin.class.getPackage().getImplementationVersion() + " "
                                + Plugin.class.getProtectionDomain().getCodeSource().getLocation().getPath().endsWith("plug.jar"));
                        System.out.flush();
                        System.exit(0);
                        return "not reached";
                    }
                }
                """);
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "1.2");
        Path jar = Programs.jar(folder.resolve("plug.jar"), library, manifest);
        Path classes = Programs.compile(folder.resolve("classes"), """
                import java.net.*;
                import java.nio.file.*;
                import java.util.function.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        URLClassLoader loader = new URLClassLoader(new URL[] {Path.of(args[0]).toUri().toURL()});
                        Supplier<?> plugin = (Supplier<?>) Class.forName("plug.Plugin", true, loader).getConstructor().newInstance();
                        System.out.println(plugin.get());
                    }
                }
                """);
        Run run = Run.of(classes, 2, "Main", jar.toString());
        assertThat(run.report()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.sortedLines()).containsExactly("1.2 true", "1.2 true", "hook", "hook");
    }
}
