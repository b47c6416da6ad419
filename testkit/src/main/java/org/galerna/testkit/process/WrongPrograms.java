package org.galerna.testkit.process;

import java.nio.file.Path;
import java.util.List;

/**
 * Programs of three ranks that go wrong, each in its own way, with what a job of them says first and how it ends: one class
 * {@code Wrong}, whose first argument is the name of the program.
 */
public final class WrongPrograms {
    private static final String PROGRAM = """
            import java.io.*;
            import java.util.*;
            import mpi.*;

            public class Wrong {
                static Intracomm world;
                static int rank;
                static int size;
                static int[] numbers = new int[64];
                static int[] results = new int[64 * 3];

                public static void main(String[] args) throws Exception {
                    String what = MPI.Init(args)[0];
                    world = MPI.COMM_WORLD;
                    rank = world.Rank();
                    size = world.Size();
                    if (rank == 1) {
                        inRankOne(what);
                    }
                    inAllRanks(what);
                    if (!what.startsWith("misses") && (rank == 2 || !what.equals("bcastIsOver"))) {
                        world.Barrier();
                    }
                    MPI.Finalize();
                }

                static void inRankOne(String what) throws Exception {
                    switch (what) {
                        case "throws" -> throw new IllegalStateException("bad");
                        case "throwsChecked" -> throw new IOException("there is no file data.csv");
                        case "throwsInAThread" -> inThread(new Thread(() -> { throw new IllegalStateException("bad"); }, "worker"));
                        case "wraps" -> wrap();
                        case "initializer" -> System.out.println(Broken.NUMBER);
                        case "overflows" -> overflow(1);
                        case "outOfMemory" -> throw new OutOfMemoryError("Java heap space");
                        case "missingClass" -> throw new NoClassDefFoundError("com/example/Gone");
                        case "exits" -> System.exit(3);
                        case "aborts" -> world.Abort(5);
                        case "leaves" -> System.exit(0);
                        case "noSuchRank" -> world.Send(numbers, 0, 1, MPI.INT, 99, 0);
                        case "wrongType" -> world.Send(numbers, 0, 1, MPI.DOUBLE, 0, 0);
                        case "tooMany" -> world.Send(numbers, 0, 65, MPI.INT, 0, 0);
                        case "nothing" -> world.Send(null, 0, 1, MPI.INT, 0, 0);
                        case "noSuchRoot" -> world.Bcast(numbers, 0, 1, MPI.INT, 3);
                        case "operator" -> world.Reduce_local(numbers, null, 1, MPI.INT, MPI.SUM);
                        case "negativeCount" -> world.Send(numbers, 0, -1, MPI.INT, 0, 0);
                        case "negativeTag" -> world.Send(numbers, 0, 1, MPI.INT, 0, -3);
                        case "negativeTagOfReceive" -> world.Recv(numbers, 0, 1, MPI.INT, 0, -3);
                        case "sendsToAny" -> world.Send(numbers, 0, 1, MPI.INT, MPI.ANY_SOURCE, 0);
                        case "notSerializable" -> world.Send(new Object[] {new Object()}, 0, 1, MPI.OBJECT, 0, 0);
                        case "freedType" -> {
                            Datatype triple = Datatype.Contiguous(3, MPI.INT);
                            triple.free();
                            world.Send(numbers, 0, 1, triple, 0, 0);
                        }
                        case "noBuffer" -> world.Bsend(numbers, 0, 10, MPI.INT, 0, 0);
                        case "startsTwice" -> {
                            Prequest receive = world.Recv_init(numbers, 0, 1, MPI.INT, 0, 77);
                            receive.Start();
                            receive.Start();
                        }
                        case "noSuchMember" -> world.Group().Incl(new int[] {0, 9});
                        case "predefined" -> world.Free();
                        case "initsTwice" -> MPI.Init(new String[0]);
                        case "skipsBarrier" -> world.Recv(numbers, 0, 1, MPI.INT, 0, 5);
                        case "killed" -> {
                            new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
                            Thread.sleep(10_000);
                        }
                        default -> {}
                    }
                }

                static void inAllRanks(String what) throws Exception {
                    switch (what) {
                        case "truncates" -> {
                            if (rank == 0) {
                                world.Send(numbers, 0, 20, MPI.INT, 1, 3);
                            } else if (rank == 1) {
                                world.Recv(numbers, 0, 10, MPI.INT, 0, 3);
                            }
                        }
                        case "bcastAndBarrier" -> {
                            if (rank == 0) {
                                world.Bcast(numbers, 0, 10, MPI.INT, 1);
                            }
                        }
                        case "missesBarrier" -> {
                            world.Bcast(numbers, 0, 10, MPI.INT, 1);
                            if (rank != 1) {
                                world.Barrier();
                            }
                        }
                        case "missesGather" -> {
                            if (rank == 0) {
                                world.Gather(numbers, 0, 10, MPI.INT, results, 0, 10, MPI.INT, 0);
                            }
                        }
                        case "missesIbarrier" -> {
                            if (rank == 0) {
                                world.Ibarrier().Wait();
                            }
                        }
                        case "emptyForBarrier" -> {
                            if (rank == 0) {
                                world.Bcast(numbers, 0, 0, MPI.INT, 0);
                            } else {
                                world.Barrier();
                            }
                        }
                        case "ibcast" -> {
                            if (rank == 2) {
                                world.Ibcast(numbers, 0, 10, MPI.INT, 0).Wait();
                            } else {
                                world.Bcast(numbers, 0, 10, MPI.INT, 0);
                            }
                        }
                        case "ibcastOfRoot" -> {
                            if (rank == 0) {
                                world.Ibcast(numbers, 0, 10, MPI.INT, 0).Wait();
                            } else {
                                world.Bcast(numbers, 0, 10, MPI.INT, 0);
                            }
                        }
                        case "bcastIsOver" -> {
                            if (rank != 2) {
                                world.Bcast(numbers, 0, 10, MPI.INT, 0);
                            }
                        }
                        case "roots" -> world.Bcast(numbers, 0, 10, MPI.INT, rank == 2 ? 1 : 0);
                        case "rootsOfReduce" ->
                            world.Reduce(numbers, 0, results, 0, 10, MPI.INT, MPI.SUM, rank == 2 ? 2 : 0);
                        case "countsOfBcast" -> world.Bcast(numbers, 0, rank == 1 ? 10 : 20, MPI.INT, 0);
                        case "countsOfGather" ->
                            world.Gather(numbers, 0, rank == 1 ? 10 : 20, MPI.INT, results, 0, 20, MPI.INT, 0);
                        case "countsOfAllreduce" ->
                            world.Allreduce(numbers, 0, results, 0, rank == 1 ? 10 : 20, MPI.INT, MPI.SUM);
                        case "ring" -> world.Recv(numbers, 0, 1, MPI.INT, (rank + 1) % size, 5);
                        case "split" -> {
                            if (rank == 2) {
                                world.Bcast(numbers, 0, 10, MPI.INT, 0);
                            } else {
                                world.Split(0, rank);
                            }
                        }
                        default -> {}
                    }
                }

                static void inThread(Thread thread) throws InterruptedException {
                    thread.start();
                    thread.join();
                }

                static void wrap() throws Exception {
                    try {
                        world.Send(numbers, 0, 1, MPI.INT, 99, 0);
                    } catch (MPIException failed) {
                        throw new IOException("the result could not be sent", failed);
                    }
                }

                static int overflow(int depth) {
                    return overflow(depth + 1) + 1;
                }

                static class Broken {
                    static final int NUMBER = Integer.parseInt(numberOf("x1"));

                    static String numberOf(String text) {
                        return text;
                    }
                }
            }
            """;

    private static final String NOT_ALIKE =
            "; one of them blocks and the other does not, so all ranks have to call the same one";

    private static final String SAME_ORDER =
            "; all ranks of a communicator have to call the same collectives in the same order";

    /**
     * A program that goes wrong.
     *
     * @param name the first argument of class {@code Wrong}
     * @param status exit status of the job
     * @param says what the first line matches behind {@code galerna: }, or the whole report if it is a deadlock
     */
    public record Wrong(String name, int status, String says) {
        /** Whether a job's report is as it should be. */
        public boolean isAnsweredBy(String report) {
            String said = says.startsWith("(?s)")
                    ? report
                    : report.lines().findFirst().orElse("");
            return said.matches("galerna: (" + says + ")");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private WrongPrograms() {}

    /** Compiles class {@code Wrong}. */
    public static Path compile(Path folder) {
        return Programs.compile(folder, PROGRAM);
    }

    /** Those that go wrong alike whether ranks are threads or processes. */
    public static List<Wrong> everywhere() {
        return List.of(
                new Wrong("throws", 1, failed("java.lang.IllegalStateException: bad")),
                new Wrong("throwsChecked", 1, failed("java.io.IOException: there is no file data\\.csv")),
                new Wrong(
                        "throwsInAThread",
                        1,
                        "rank 1 has failed in thread worker: java.lang.IllegalStateException: bad"),
                new Wrong("wraps", 1, failed("java.io.IOException: the result could not be sent")),
                new Wrong(
                        "initializer",
                        1,
                        failed(
                                "java.lang.ExceptionInInitializerError, caused by java.lang.NumberFormatException: .*\"x1\"")),
                new Wrong("overflows", 1, failed("java.lang.StackOverflowError")),
                new Wrong("outOfMemory", 1, failed("java.lang.OutOfMemoryError: Java heap space")),
                new Wrong("missingClass", 1, failed("java.lang.NoClassDefFoundError: com/example/Gone")),
                new Wrong("exits", 3, "rank 1 has ended the job with exit status 3"),
                new Wrong("aborts", 5, "rank 1 has aborted the job with status 5: .*"),
                new Wrong(
                        "leaves",
                        1,
                        "rank 1 has ended without MPI.Finalize, and without its part in the Barrier that ranks? [02](, 2)?"
                                + " (is|are) in"),
                new Wrong("noSuchRank", 1, mpi("Send", "there is no rank 99 to send to; .*")),
                new Wrong("wrongType", 1, mpi("Send", ".* MPI.DOUBLE needs a double\\[\\]")),
                new Wrong("tooMany", 1, mpi("Send", ".*64 elements.*")),
                new Wrong("nothing", 1, mpi("Send", "the buffer is null")),
                new Wrong("noSuchRoot", 1, mpi("Bcast", "there is no rank 3; a root is 0 to 2")),
                new Wrong("operator", 1, failed("mpi.MPIException: rank 1, Op.Call: the buffer is null")),
                new Wrong("negativeCount", 1, mpi("Send", "count must not be negative, it is -1")),
                new Wrong("negativeTag", 1, mpi("Send", "the tag of a send must not be negative, it is -3")),
                new Wrong(
                        "negativeTagOfReceive",
                        1,
                        mpi("Recv", "the tag of a receive must be 0 or more, or MPI.ANY_TAG; it is -3")),
                new Wrong("sendsToAny", 1, mpi("Send", "there is no rank -2 to send to; valid are 0 to 2 and .*")),
                new Wrong(
                        "notSerializable",
                        1,
                        mpi("Send", ".*java.lang.Object does not implement java.io.Serializable")),
                new Wrong("freedType", 1, mpi("Send", "the datatype has been freed")),
                new Wrong("noBuffer", 1, mpi("Bsend", ".*call MPI.Buffer_attach before the first one")),
                new Wrong("startsTwice", 1, mpi("Prequest.Start", ".*is active; wait for it .*")),
                new Wrong("noSuchMember", 1, failed("mpi.MPIException: rank 1, Group.Incl: there is no rank 9 .*")),
                new Wrong("predefined", 1, mpi("Comm.Free", "a predefined communicator cannot be freed")),
                new Wrong(
                        "initsTwice",
                        1,
                        failed("mpi.MPIException: rank 1, MPI.Init: MPI has been initialized already")),
                new Wrong("truncates", 1, mpi("Recv", ".*message of 80 bytes from rank 0.* buffer of 40 bytes.*")),
                new Wrong(
                        "bcastIsOver",
                        1,
                        "rank 2 has failed: mpi.MPIException: Barrier on rank 2 of 3: "
                                + "rank [01] is in Bcast, rank 2 in Barrier" + SAME_ORDER + ".*"),
                new Wrong(
                        "countsOfBcast",
                        1,
                        mpi(
                                "Bcast",
                                "rank 0 sends 80 bytes, rank 1 expects 40; all ranks have to call Bcast with"
                                        + " matching counts.*")),
                new Wrong(
                        "countsOfGather",
                        1,
                        "rank 0 has failed: mpi.MPIException: Gather on rank 0 of 3, .*: rank 1 sends 40 bytes, rank 0"
                                + " expects 80; all ranks have to call Gather with matching counts.*"),
                new Wrong(
                        "skipsBarrier",
                        3,
                        "(?s)deadlock: .*rank 0 +waits for rank 1 +in Barrier .*"
                                + "rank 1 +waits for rank 0 +in receive from rank 0, tag 5 .*rank 2 +waits for rank . +in Barrier.*"),
                new Wrong(
                        "missesBarrier",
                        1,
                        "rank 1 has left the job without its part in the Barrier that ranks? [02](, 2)? (is|are) in"),
                new Wrong(
                        "missesGather",
                        1,
                        "rank [12] has left the job without its part in the Gather that rank 0 is in"),
                new Wrong(
                        "missesIbarrier",
                        1,
                        "rank [12] has left the job without its part in the Ibarrier that rank 0 is in"),
                new Wrong(
                        "emptyForBarrier",
                        1,
                        "(rank [12] has failed: mpi.MPIException: Barrier on rank [12] of 3: rank 0 (has called|is in)"
                                + " Bcast, rank [12] (in )?Barrier" + SAME_ORDER + ".*)"
                                + "|(rank 0 has left the job without its part in the Barrier that ranks? [12](, 2)? (is|are)"
                                + " in)"),
                new Wrong(
                        "ibcast",
                        3,
                        "(?s)deadlock: .*mismatch: ranks 0, 1 have called Bcast, rank 2 Ibcast" + NOT_ALIKE + "\n.*"),
                new Wrong(
                        "ibcastOfRoot",
                        1,
                        "rank [012] has failed: mpi.MPIException: (Bcast|Barrier) on rank [012] of 3.*: rank [012] has called"
                                + " (Ib|B)cast, rank [012] (is in )?(Ib|B)cast" + NOT_ALIKE + ".*"),
                new Wrong("ring", 3, "(?s)deadlock: .*cycle: 0 → 1 → 2 → 0\n"));
    }

    private static String failed(String exception) {
        return "rank 1 has failed: " + exception;
    }

    private static String mpi(String call, String reason) {
        return failed("mpi.MPIException: " + call + "( on rank 1 of 3, .*)?: " + reason);
    }
}
