package org.galerna.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.galerna.launch.report.JobResult;
import org.galerna.testkit.process.Programs;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that all wait in a receive, until something that is no call of MPI makes one of them send. */
@Timeout(120)
class OutsideReleaseTest {
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final String IN_DOUBT = "the job goes on";

    @TempDir
    static Path classes;

    @BeforeAll
    static void compile() {
        Programs.compile(classes, """
                import java.io.*;
                import java.net.*;
                import java.nio.channels.*;
                import java.nio.file.*;
                import java.util.concurrent.*;
                import mpi.*;

                public class Main {
                    static void send() {
                        MPI.COMM_WORLD.Send(new int[] {42}, 0, 1, MPI.INT, 0, 1);
                    }

                    interface Wait {
                        void run() throws Exception;
                    }

                    static Runnable sendAfter(Wait wait) {
                        return () -> {
                            try {
                                wait.run();
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                            send();
                        };
                    }

                    static void ready(Object detail) {
                        System.out.println("ready " + detail);
                    }

                    static void prepare(String way) throws Exception {
                        switch (way) {
                            case "virtual" -> {
                                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                                Thread.ofVirtual().start(sendAfter(server::accept));
                                ready(server.getLocalPort());
                            }
                            case "async" -> {
                                var server = AsynchronousServerSocketChannel.open()
                                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                                server.accept(null, new CompletionHandler<AsynchronousSocketChannel, Object>() {
                                    public void completed(AsynchronousSocketChannel channel, Object nothing) { send(); }
                                    public void failed(Throwable thrown, Object nothing) { thrown.printStackTrace(); }
                                });
                                ready(((InetSocketAddress) server.getLocalAddress()).getPort());
                            }
                            case "onExit" -> {
                                Process process = new ProcessBuilder("sleep", "1000").start();
                                process.onExit().thenRun(Main::send);
                                ready(process.pid());
                            }
                            case "signal" -> {
                                sun.misc.Signal.handle(new sun.misc.Signal("USR2"), signal -> send());
                                ready(ProcessHandle.current().pid());
                            }
                            case "watch" -> {
                                WatchService service = FileSystems.getDefault().newWatchService();
                                Path folder = Files.createTempDirectory("watched");
                                folder.register(service, StandardWatchEventKinds.ENTRY_CREATE);
                                Thread.ofPlatform().daemon().start(sendAfter(service::take));
                                ready(folder);
                            }
                            default -> throw new AssertionError(way);
                        }
                    }

                    public static void main(String[] args) throws Exception {
                        MPI.Init(args);
                        int[] data = new int[1];
                        if (MPI.COMM_WORLD.Rank() == 0) {
                            prepare(args[0]);
                            MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, 0, 1);
                            MPI.COMM_WORLD.Send(data, 0, 1, MPI.INT, 1, 2);
                            System.out.println("got " + data[0]);
                        } else {
                            MPI.COMM_WORLD.Recv(data, 0, 1, MPI.INT, 0, 2);
                        }
                        MPI.Finalize();
                    }
                }
                """);
    }

    /** Output that can be waited for. */
    private static final class Printed extends ByteArrayOutputStream {
        synchronized void await(String text) throws InterruptedException {
            while (!toString(StandardCharsets.UTF_8).contains(text)) {
                wait();
            }
        }

        @Override
        public synchronized void write(byte[] bytes, int offset, int length) {
            super.write(bytes, offset, length);
            notifyAll();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual", "signal"})
    void ranksThatAreThreadsAreNotEnded(String way) throws Exception {
        areNotEnded(way);
    }

    @ParameterizedTest
    @ValueSource(strings = {"async", "onExit", "watch"})
    @Tag("slow")
    void ranksThatAreThreadsAreNotEndedInOtherWays(String way) throws Exception {
        areNotEnded(way);
    }

    private static void areNotEnded(String way) throws Exception {
        Printed out = new Printed();
        Printed err = new Printed();
        assertReleased(
                way,
                out,
                err,
                ThreadJob.builder()
                        .ranks(2)
                        .classPath(List.of(classes))
                        .mainClass("Main")
                        .arguments(List.of(way))
                        .deadlockTimeout(PATIENCE)
                        .standardInput(new ByteArrayInputStream(new byte[0]))
                        .standardOutput(out)
                        .standardError(err)
                        .build());
    }

    private static void assertReleased(String way, Printed out, Printed err, Job job) throws Exception {
        CompletableFuture<JobResult> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            result.complete(job.run());
            err.writeBytes(IN_DOUBT.getBytes(StandardCharsets.UTF_8)); // if it is not said
        });
        err.await(IN_DOUBT);
        assertThat(result).as(() -> result.join().report()).isNotDone();
        String printed = out.toString(StandardCharsets.UTF_8);
        release(
                way,
                printed.substring(printed.indexOf("ready ") + 6)
                        .lines()
                        .findFirst()
                        .orElseThrow());
        JobResult end = result.join();
        assertThat(end.status()).as(end.report()).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("got 42");
        assertThat(err.toString(StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.startsWith("galerna: every rank waits")))
                .as("said once")
                .hasSize(1);
    }

    private static void release(String way, String detail) throws IOException, InterruptedException {
        switch (way) {
            case "virtual", "async" -> new Socket("localhost", Integer.parseInt(detail)).close();
            case "onExit" ->
                ProcessHandle.of(Long.parseLong(detail)).orElseThrow().destroy();
            case "signal" -> new ProcessBuilder("kill", "-USR2", detail).start().waitFor();
            case "watch" -> Files.createFile(Path.of(detail, "new"));
            default -> throw new AssertionError(way);
        }
    }
}
