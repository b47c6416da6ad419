package org.galerna.launch.process;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.galerna.launch.report.JobResult;
import org.galerna.testkit.process.Programs;

/** A job of processes that was launched by this JVM, with what it has printed. */
record Launched(JobResult result, String out, String err) {
    /** Says what it has learnt of the others, then does what it is told. */
    private static final String PROGRAM = """
            import java.nio.charset.StandardCharsets;
            import java.nio.file.*;
            import java.util.*;
            import java.util.concurrent.*;
            import org.galerna.link.*; import org.galerna.link.wireup.*;

            public class Main {
                static final Wireup wireup = Wireups.find(Main.class.getClassLoader()).orElseThrow();

                public static void main(String[] args) throws Exception {
                    int rank = wireup.rank();
                    wireup.put("name", ("r" + rank).getBytes());
                    wireup.put("process", ("" + ProcessHandle.current().pid()).getBytes());
                    wireup.fence();
                    StringBuilder names = new StringBuilder();
                    for (int other = 0; other < wireup.size(); other++) {
                        names.append(new String(wireup.get(other, "name")));
                    }
                    System.out.println(names + " " + Arrays.asList(args).subList(1, args.length));
                    boolean one = rank == 1;
                    switch (args[0]) {
                        case "end" -> {}
                        case "exit" -> { if (one) System.exit(7); else sleep(); }
                        case "throw" -> { if (one) throw new IllegalStateException("no good"); else sleep(); }
                        case "thread" -> {
                            if (one) new Thread(() -> { throw new IllegalStateException("no good"); }, "worker").start();
                            sleep();
                        }
                        case "interruptedThrow" -> {
                            if (one) { Thread.currentThread().interrupt(); throw new IllegalStateException("no good"); }
                            else sleep();
                        }
                        case "interruptedAbort" -> {
                            if (one) { Thread.currentThread().interrupt(); wireup.abort(9, "because"); }
                            else sleep();
                        }
                        case "interruptedExit" -> {
                            if (one) System.exit(7);
                            while (true) { Thread.currentThread().interrupt(); wireup.get(1, "name"); }
                        }
                        case "interrupted" -> {
                            Thread.currentThread().interrupt();
                            System.out.println(new String(wireup.get(1 - rank, "name")) + Thread.interrupted());
                        }
                        case "abort" -> { if (one) wireup.abort(9, "because"); else sleep(); }
                        case "kill" -> { if (one) kill(); }
                        case "fence" -> {
                            if (one) kill();
                            try {
                                wireup.fence();
                            } catch (RuntimeException failed) {
                                System.out.println(failed.getMessage());
                                throw failed;
                            }
                        }
                        case "sleep" -> sleep();
                        case "listed" -> {
                            // the thread of rank 1 that is in no call keeps this from being a deadlock
                            standStill();
                            if (one) {
                                new Thread(() -> {
                                    try {
                                        if (args.length == 1) new CountDownLatch(1).await(1, java.util.concurrent.TimeUnit.HOURS);
                                        killListed();
                                        System.exit(0);
                                    } catch (Exception failed) {
                                        throw new IllegalStateException(failed);
                                    }
                                }).start();
                            }
                            sleep();
                        }
                        case "hook" -> {
                            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
                            sleep();
                        }
                        case "leave" -> { leave(); sleep(); }
                        case "unread" -> {
                            leave();
                            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                                while (true) java.util.concurrent.locks.LockSupport.park();
                            }));
                            while (true) System.out.println("a line");
                        }
                        case "slowHook" -> {
                            if (!one) {
                                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                                    System.out.println("ends");
                                    java.util.concurrent.locks.LockSupport.parkNanos(1_000_000_000);
                                    System.out.println("has ended");
                                }));
                            }
                            wireup.fence();
                            if (one) throw new IllegalStateException("no good"); else sleep();
                        }
                        case "echo" -> { if (rank == 0) System.out.println(new String(System.in.readAllBytes())); }
                        case "processors" -> {
                            org.galerna.link.wireup.Hosts.publish(wireup, false);
                            wireup.fence();
                            System.out.println("of the process " + org.galerna.memory.Cpus.available() + ", of the ranks "
                                    + org.galerna.link.wireup.Hosts.of(wireup).processorsBeside(rank));
                        }
                        case "nice" -> {
                            int wanted = Integer.parseInt(args[1]);
                            long end = System.nanoTime() + java.util.concurrent.TimeUnit.SECONDS.toNanos(30);
                            while (leastNiceness() < wanted && System.nanoTime() < end) {
                                java.util.concurrent.locks.LockSupport.parkNanos(10_000_000);
                            }
                            System.out.println("niceness " + leastNiceness());
                        }
                        case "folder" -> System.out.println(System.getProperty("user.dir"));
                        case "process" -> System.out.println("process " + ProcessHandle.current().pid());
                        case "ends" -> {
                            if (one) kill();
                            while (wireup.endOf(1).isEmpty()) Thread.onSpinWait();
                            System.out.println("rank 1: " + wireup.endOf(1).get());
                        }
                        case "print" -> {
                            for (int line = 0; line < 3000; line++) {
                                System.out.println("out " + rank + " " + line);
                                System.err.println("err " + rank + " " + line);
                            }
                        }
                        case "lines" -> {
                            for (int line = 0; line < 4000; line++) System.out.println("line " + line);
                            if (args[1].equals("exit")) System.exit(7);
                        }
                        case "secret" -> {
                            JobKey.publish(wireup);
                            wireup.fence();
                            System.out.println("key " + (isShown(JobKey.of(wireup)) ? "shown" : "hidden"));
                        }
                        default -> throw new AssertionError(args[0]);
                    }
                }

                /** Of all threads of this process. */
                static int leastNiceness() throws Exception {
                    int least = 20;
                    for (String thread : new java.io.File("/proc/self/task").list()) {
                        try {
                            String all = Files.readString(Path.of("/proc/self/task/" + thread + "/stat"));
                            least = Math.min(least, Integer.parseInt(all.substring(all.lastIndexOf(')')).split(" ")[17]));
                        } catch (java.io.IOException ended) {
                            // that thread
                        }
                    }
                    return least;
                }

                static void sleep() throws InterruptedException {
                    System.out.println("ready " + ProcessHandle.current().pid());
                    new CountDownLatch(1).await();
                }

                /** Leaves what it would remove if it ended in order. */
                static void leave() throws Exception {
                    org.galerna.link.process.TemporaryFolder.make("left");
                }

                /** So that its process lists its threads. */
                static void standStill() {
                    int rank = wireup.rank();
                    Thread main = Thread.currentThread();
                    wireup.observe(new RankMonitor() {
                        private final java.util.concurrent.atomic.AtomicLong looks = new java.util.concurrent.atomic.AtomicLong();

                        @Override public int rank() { return rank; }
                        @Override public long progress() { return 0; }
                        @Override public boolean finished() { return rank == 1; } // its exit is no failure
                        @Override public List<Blocked> blocked() {
                            return List.of(new Blocked(main, "a message", 1 - rank, 1, looks.incrementAndGet()));
                        }
                    });
                }

                static void killListed() throws Exception {
                    String process = new String(wireup.get(0, "process"));
                    while (true) {
                        try (var open = Files.newDirectoryStream(Path.of("/proc", process, "fd"))) {
                            for (Path each : open) {
                                if (isInFolderOfLists(each)) {
                                    kill(Long.parseLong(process));
                                    return;
                                }
                            }
                        }
                    }
                }

                static boolean isInFolderOfLists(Path open) {
                    try {
                        return Files.readSymbolicLink(open).toString().matches(".*/galerna-dumps-[^/]*/.galerna-lock");
                    } catch (java.io.IOException closed) {
                        return false;
                    }
                }

                static boolean isShown(byte[] key) throws Exception {
                    String hex = HexFormat.of().formatHex(key);
                    List<String> forms = List.of(new String(key, StandardCharsets.ISO_8859_1), hex, hex.toUpperCase(),
                            Base64.getEncoder().encodeToString(key), Base64.getUrlEncoder().encodeToString(key));
                    long parent = ProcessHandle.current().parent().orElseThrow().pid();
                    for (String process : List.of("self", "" + parent)) {
                        for (String what : List.of("cmdline", "environ")) {
                            byte[] bytes = Files.readAllBytes(Path.of("/proc", process, what));
                            String text = new String(bytes, StandardCharsets.ISO_8859_1);
                            if (text.isEmpty() || forms.stream().anyMatch(text::contains)) {
                                return true;
                            }
                        }
                    }
                    return false;
                }

                static void kill() throws Exception {
                    kill(ProcessHandle.current().pid());
                }

                static void kill(long process) throws Exception {
                    new ProcessBuilder("kill", "-9", "" + process).start().waitFor();
                }
            }
            """;

    static Path compile(Path folder) {
        return Programs.compile(folder, PROGRAM);
    }

    static Launched of(Path classes, int ranks, String... arguments) {
        return of(classes, ranks, job -> job, arguments);
    }

    static Launched of(Path classes, int ranks, UnaryOperator<ProcessJob.Builder> more, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ProcessJob.Builder job = ProcessJob.builder()
                .ranks(ranks)
                .classPath(classes.toString())
                .mainClass("Main")
                .arguments(List.of(arguments))
                .jvmOptions(List.of("-XX:TieredStopAtLevel=1"))
                .timeout(Duration.ofSeconds(60))
                .standardInput(new ByteArrayInputStream(new byte[0]))
                .standardOutput(out)
                .standardError(err);
        JobResult result = more.apply(job).build().run();
        return new Launched(result, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Lines of the standard output, in alphabetical order. */
    List<String> sortedLines() {
        return out.lines().sorted().toList();
    }

    /** The least of any thread of each rank's process, as the ranks have printed it. */
    List<Integer> niceness() {
        String words = "niceness ";
        return out.lines()
                .filter(line -> line.startsWith(words))
                .map(line -> Integer.parseInt(line.substring(words.length())))
                .toList();
    }
}
