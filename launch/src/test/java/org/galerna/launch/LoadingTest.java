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

/** What a rank gets that asks the system class loader, or what the JDK has once: what a process would get. */
class LoadingTest {
    @TempDir
    Path folder;

    private void service(String service, String provider) throws IOException {
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
        service("java.lang.Runnable", "Main$Task");
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
        service("java.lang.Runnable", "Main$Task");
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

    @Test
    void eachRankHasItsOwnProtocols() throws Exception {
        Programs.compile(folder, """
                package handlers.third;

                public class Handler extends first.Handler {
                    public Handler() {
                        super("packages");
                    }
                }
                """, """
                package first;

                import java.io.*;
                import java.net.*;

                public class Handler extends URLStreamHandler {
                    private final String name;

                    public Handler(String name) {
                        this.name = name;
                    }

                    protected URLConnection openConnection(URL url) {
                        return new URLConnection(url) {
                            public void connect() {}
                            public InputStream getInputStream() {
                                return new ByteArrayInputStream((name + " " + Main.sum + url.getPath()).getBytes());
                            }
                        };
                    }
                }
                """, """
                package first;

                public class Provider extends java.net.spi.URLStreamHandlerProvider {
                    public java.net.URLStreamHandler createURLStreamHandler(String protocol) {
                        return protocol.equals("second") ? new Handler("provider") : null;
                    }
                }
                """, """
                package first;

                import java.net.*;

                public class Main {
                    static int sum;

                    public static void main(String[] args) throws Exception {
                        sum += 1;
                        System.setProperty("java.protocol.handler.pkgs", "absent|handlers");
                        URL.setURLStreamHandlerFactory(protocol -> protocol.equals("first") ? new Handler("factory") : null);
                        show(new URL("first:/a"));
                        show(new URL(" url:FIRST:/a"));
                        show(new URL(null, "first:/a"));
                        show(new URL(new URL("first:/b"), "a"));
                        show(new URL("first", "", "/a"));
                        show(new URL("first", "", 1, "/a"));
                        show(URI.create("first:/a").toURL());
                        show(URL.of(URI.create("first:/a"), null));
                        show(new URL("second:/b"));
                        show(new URL("third:/c"));
                        System.out.println(new URL("http://host/").getDefaultPort());
                        try {
                            URL.setURLStreamHandlerFactory(null);
                        } catch (Error again) {
                            System.out.println(again.getMessage());
                        }
                        try {
                            new URL("fourth:/a");
                        } catch (MalformedURLException unknown) {
                            System.out.println(unknown.getMessage());
                        }
                    }

                    static void show(URL url) throws Exception {
                        System.out.println(new String(url.openStream().readAllBytes()));
                    }
                }
                """);
        service("java.net.spi.URLStreamHandlerProvider", "first.Provider");
        Run run = Run.of(folder, 2, "first.Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines().stream().distinct())
                .containsExactly(
                        "80",
                        "factory 1/a",
                        "factory already defined",
                        "packages 1/c",
                        "provider 1/b",
                        "unknown protocol: fourth");
        assertThat(run.sortedLines()).hasSize(26);
    }

    @Test
    void aSecondRegistryOfTheJvmIsReportedWithWhatToDo() {
        Programs.compile(folder, """
                public class Main {
                    public static void main(String[] args) throws Exception {
                        java.rmi.registry.LocateRegistry.createRegistry(0);
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main");
        assertThat(run.report()).contains("ObjID already in use").contains("with --procs");
    }

    @Test
    void everyRankFindsTheDriversOnItsClassPath() throws Exception {
        Programs.compile(folder, """
                import java.lang.reflect.Proxy;
                import java.sql.*;
                import java.util.Properties;
                import java.util.logging.Logger;

                public class Main implements Driver {
                    static {
                        try {
                            DriverManager.registerDriver(new Main());
                        } catch (SQLException e) {
                            throw new ExceptionInInitializerError(e);
                        }
                    }

                    public static void main(String[] args) throws Exception {
                        Class.forName("java.sql.DriverManager");
                    }

                    public Connection connect(String url, Properties p) {
                        return acceptsURL(url)
                                ? (Connection) Proxy.newProxyInstance(Main.class.getClassLoader(),
                                        new Class<?>[] {Connection.class}, (x, m, y) -> null)
                                : null;
                    }
                    public boolean acceptsURL(String url) { return url.startsWith("jdbc:some:"); }
                    public DriverPropertyInfo[] getPropertyInfo(String url, Properties p) { return new DriverPropertyInfo[0]; }
                    public int getMajorVersion() { return 1; }
                    public int getMinorVersion() { return 0; }
                    public boolean jdbcCompliant() { return false; }
                    public Logger getParentLogger() { return null; }
                }
                """, """
                import java.sql.*;

                public class Asking {
                    public static void main(String[] args) throws Exception {
                        System.out.println(DriverManager.getConnection("jdbc:some:x") != null);
                        System.out.println(DriverManager.getDriver("jdbc:some:x").getClass() == Main.class);
                        System.out.println(DriverManager.drivers().count());
                    }
                }
                """);
        service("java.sql.Driver", "Main");
        // one job after the other: the JDK looks for drivers once
        for (int job = 0; job < 2; job++) {
            Run run = Run.of(folder, 3, "Asking");
            assertThat(run.report()).isEmpty();
            assertThat(run.sortedLines())
                    .containsExactly("1", "1", "1", "true", "true", "true", "true", "true", "true");
        }
    }

    @Test
    void everyRankRegistersBeansUnderTheSameName() {
        Programs.compile(folder, """
                import java.lang.management.*;
                import javax.management.*;

                public class Main {
                    public interface CounterMBean {
                        int getCount();
                    }

                    public static class Counter implements CounterMBean {
                        public int getCount() {
                            return 42;
                        }
                    }

                    public static void main(String[] args) throws Exception {
                        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
                        ObjectName name = new ObjectName("example:type=Counter");
                        server.registerMBean(new Counter(), name);
                        System.out.println(server.getAttribute(name, "Count"));
                        System.out.println(server.isRegistered(new ObjectName(ManagementFactory.MEMORY_MXBEAN_NAME)));
                        System.out.println(server == ManagementFactory.getPlatformMBeanServer());
                    }
                }
                """);
        Run run = Run.of(folder, 2, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines()).containsExactly("42", "42", "true", "true", "true", "true");
    }

    @Test
    void aHandlerGetsTheLogOfItsRankAlone() {
        Programs.compile(folder, """
                import java.util.logging.*;
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        int rank = MPI.COMM_WORLD.Rank();
                        Logger logger = Logger.getLogger("some");
                        logger.setUseParentHandlers(false);
                        Handler own = new Handler() {
                            public void publish(LogRecord record) { System.out.println(record.getMessage() + " seen by " + rank); }
                            public void flush() {}
                            public void close() {}
                        };
                        logger.addHandler(own);
                        MPI.COMM_WORLD.Barrier();
                        logger.info("log of " + rank);
                        System.out.println(logger.getHandlers().length == 1 && logger.getHandlers()[0] == own);
                        MPI.COMM_WORLD.Barrier();
                        logger.removeHandler(own);
                        System.out.println(logger.getHandlers().length);
                        MPI.Finalize();
                    }
                }
                """);
        Run run = Run.of(folder, 3, "Main");
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines())
                .containsExactly(
                        "0",
                        "0",
                        "0",
                        "log of 0 seen by 0",
                        "log of 1 seen by 1",
                        "log of 2 seen by 2",
                        "true",
                        "true",
                        "true");
    }

    @Test
    void everyRankOpensAnArchiveAsAFileSystem() throws Exception {
        Programs.compile(folder, """
                import java.net.URI;
                import java.nio.file.*;
                import java.util.*;
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        URI address = URI.create("jar:" + Path.of(args[0]).toUri());
                        FileSystem system = FileSystems.newFileSystem(address, Map.of());
                        MPI.COMM_WORLD.Barrier();
                        System.out.println(FileSystems.getFileSystem(address) == system);
                        System.out.println(Files.readString(Path.of(URI.create(address + "!/folder/a b.txt".replace(" ", "%20")))));
                        System.out.println(Files.readString(Paths.get(URI.create(address + "!/folder/a%20b.txt"))));
                        try {
                            FileSystems.newFileSystem(address, Map.of(), null);
                        } catch (FileSystemAlreadyExistsException twice) {
                            System.out.println("twice");
                        }
                        if (MPI.COMM_WORLD.Rank() == 0) {
                            system.close();
                        }
                        MPI.COMM_WORLD.Barrier();
                        System.out.println(system.isOpen() == (MPI.COMM_WORLD.Rank() != 0));
                        MPI.Finalize();
                    }
                }
                """);
        Path content = Files.createDirectories(folder.resolve("content/folder"));
        Files.writeString(content.resolve("a b.txt"), "text");
        Path jar = Programs.jar(folder.resolve("a b.zip"), folder.resolve("content"), new Manifest());
        Run run = Run.of(folder, 3, "Main", jar.toString());
        assertThat(run.report()).isEmpty();
        assertThat(run.sortedLines())
                .containsExactly(
                        "text", "text", "text", "text", "text", "text", "true", "true", "true", "true", "true", "true",
                        "twice", "twice", "twice");
    }
}
