package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.galerna.launch.LoadingTest.service;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Manifest;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK keeps once for a JVM, such as protocols, drivers and beans: each rank has its own. */
class RegistriesTest {
    @TempDir
    Path folder;

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
        service(folder, "java.net.spi.URLStreamHandlerProvider", "first.Provider");
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
        service(folder, "java.sql.Driver", "Main");
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
