package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Libraries of others, as they are, on every rank. */
class ThirdPartyTest {
    private static final int RANKS = 3;

    @TempDir
    Path folder;

    private Run run(String program, String... libraries) {
        Programs.compile(folder, program);
        List<Path> classPath = Stream.concat(
                        Stream.of(folder),
                        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                                .filter(entry -> Stream.of(libraries).anyMatch(entry::contains))
                                .map(Path::of))
                .toList();
        assertThat(classPath).hasSizeGreaterThan(libraries.length);
        Run run = Run.of(folder, RANKS, "Main", job -> job.classPath(classPath), folder.toString());
        assertThat(run.report()).isEmpty();
        return run;
    }

    @Test
    void everyRankHasDatabases() {
        Run run = run("""
                import java.sql.*;
                import mpi.*;

                public class Main {
                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        int rank = MPI.COMM_WORLD.Rank();
                        String file = args[0] + "/base" + rank;
                        for (String url : new String[] {"jdbc:sqlite::memory:", "jdbc:sqlite:" + file, "jdbc:h2:mem:one", "jdbc:h2:" + file}) {
                            try (Connection connection = DriverManager.getConnection(url); Statement all = connection.createStatement()) {
                                all.execute("create table t (x int)");
                                all.execute("insert into t values (" + rank + ")");
                                MPI.COMM_WORLD.Barrier();
                                try (ResultSet result = all.executeQuery("select x from t")) {
                                    result.next();
                                    System.out.println(url.substring(5, 7) + " " + result.getInt(1) + " " + result.next());
                                }
                            }
                        }
                        MPI.Finalize();
                    }
                }
                """, "sqlite-jdbc", "h2-");
        assertThat(run.sortedLines())
                .containsExactly(
                        "h2 0 false",
                        "h2 0 false",
                        "h2 1 false",
                        "h2 1 false",
                        "h2 2 false",
                        "h2 2 false",
                        "sq 0 false",
                        "sq 0 false",
                        "sq 1 false",
                        "sq 1 false",
                        "sq 2 false",
                        "sq 2 false");
    }

    @Test
    void everyRankCallsTheSystemsLibraries() {
        Run run = run("""
                import com.sun.jna.*;

                public class Main {
                    public interface C extends Library {
                        int atoi(String text);
                    }

                    static native int abs(int x);

                    public static void main(String[] args) {
                        Native.register(Main.class, "c");
                        System.out.println(Native.load("c", C.class).atoi("42") + abs(-7));
                    }
                }
                """, "jna-");
        assertThat(run.sortedLines()).containsExactly("49", "49", "49");
    }

    @Test
    void everyRankReadsTheConfigurationOfItsLog() throws Exception {
        Files.writeString(folder.resolve("logback.xml"), """
                <configuration>
                  <appender name="out" class="ch.qos.logback.core.ConsoleAppender">
                    <encoder><pattern>%X{rank} %level %msg%n</pattern></encoder>
                  </appender>
                  <root level="info"><appender-ref ref="out"/></root>
                </configuration>
                """);
        Run run = run("""
                import org.slf4j.*;
                import mpi.*;

                public class Main {
                    public static void main(String[] args) {
                        MPI.Init(args);
                        MDC.put("rank", "rank " + MPI.COMM_WORLD.Rank());
                        LoggerFactory.getLogger(Main.class).debug("not shown");
                        LoggerFactory.getLogger(Main.class).info("shown");
                        MPI.Finalize();
                    }
                }
                """, "logback-", "slf4j-");
        assertThat(run.sortedLines()).containsExactly("rank 0 INFO shown", "rank 1 INFO shown", "rank 2 INFO shown");
    }
}
