package org.galerna.dist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;

/**
 * What the ranks of {@link KilledAmongManyIntegrationTest} run: one of them kills itself in the {@link Phase} that the first argument
 * names. The second one is a folder in which processes count themselves before they know their ranks.
 */
public final class KilledAmongManyProgram {
    /** Before the number of a process, at its start. */
    static final String PROCESS = "process ";

    /** Before the time at which the one that is killed dies, in ms since 1970. */
    static final String DIES = "dies at ";

    /** Behind a rank and before the message of what its call has thrown. */
    static final String FAILED = " failed: ";

    /** Behind a rank that has done everything. */
    static final String DONE = " is done.";

    private static final int SIGKILL = 9;
    private static final int NO_SIGNAL = 0;
    private static final int TAG = 1;
    private static final int ROUNDS = 20;
    private static final int LONG = 4 << 20;

    /** Where the rank is when it is killed. */
    enum Phase {
        /** Its program has begun, and it has not met the others. */
        START,
        /** It waits for the others in {@code Init}. */
        WIRE_UP,
        /** It has not sent anything, and the others call a collective. */
        SILENT,
        /** All call a collective again and again. */
        COLLECTIVE,
        /** All send long messages to each other in pairs. */
        TRANSFER,
        /** All call {@code Finalize}. */
        FINALIZE,
        /** The others do not need it. */
        APART,
        /** All are killed at once. */
        ALL
    }

    private final Phase phase;
    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.Rank();
    private final int size = world.Size();
    private final boolean dies = rank == size / 2;

    private KilledAmongManyProgram(Phase phase) {
        this.phase = phase;
    }

    public static void main(String[] arguments) throws IOException {
        say(PROCESS + ProcessHandle.current().pid());
        Phase phase = Phase.valueOf(arguments[0]);
        boolean isChosen = number(Path.of(arguments[1])) == Integer.parseInt(arguments[2]) / 2;
        if (isChosen && phase == Phase.START) {
            die();
        } else if (isChosen && phase == Phase.WIRE_UP) {
            dieWithin("fence");
        }
        try {
            MPI.Init(arguments);
        } catch (MPIException lost) {
            say("a rank" + FAILED + lost.getMessage());
            throw lost;
        }
        new KilledAmongManyProgram(phase).run();
    }

    /** How many processes have come here before this one. */
    private static int number(Path folder) throws IOException {
        for (int number = 0; ; number++) {
            try {
                Files.createFile(folder.resolve(String.valueOf(number)));
                return number;
            } catch (FileAlreadyExistsException another) {
                // has this number
            }
        }
    }

    private void run() {
        try {
            switch (phase) {
                case START, WIRE_UP -> world.Barrier(); // where it was the last to come, Init has succeeded
                case SILENT -> {
                    dieIfChosen();
                    world.Barrier();
                }
                case COLLECTIVE -> reduce();
                case TRANSFER -> exchange();
                case FINALIZE -> {
                    world.Barrier();
                    leave();
                }
                case ALL -> {
                    world.Barrier();
                    die();
                }
                case APART -> {
                    world.Barrier();
                    dieIfChosen();
                    ring();
                }
            }
            MPI.Finalize();
            say("rank " + rank + DONE);
        } catch (MPIException lost) {
            say("rank " + rank + FAILED + lost.getMessage());
            throw lost;
        }
    }

    private void dieIfChosen() {
        if (dies) {
            die();
        }
    }

    private void reduce() {
        int[] sum = new int[1];
        for (int round = 0; ; round++) {
            if (dies && round == ROUNDS) {
                Thread.ofPlatform().daemon().start(KilledAmongManyProgram::die); // while this thread goes on
            }
            world.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        }
    }

    private void exchange() {
        byte[] sent = new byte[LONG];
        byte[] received = new byte[LONG];
        int peer = rank ^ 1;
        for (int round = 0; ; round++) {
            if (dies && round == 1) {
                Thread.ofPlatform().daemon().start(KilledAmongManyProgram::die);
            }
            world.Sendrecv(sent, 0, LONG, MPI.BYTE, peer, TAG, received, 0, LONG, MPI.BYTE, peer, TAG);
        }
    }

    /** The one that dies has sent a message that nobody receives, so that {@code Finalize} waits. */
    private void leave() {
        int peer = (size / 2) ^ 1;
        long[] process = {ProcessHandle.current().pid()};
        if (dies) {
            world.Send(process, 0, 1, MPI.LONG, peer, TAG);
            world.Isend(new byte[LONG], 0, LONG, MPI.BYTE, peer, TAG);
            dieWithin("Finalize");
        } else if (rank == peer) {
            world.Recv(process, 0, 1, MPI.LONG, size / 2, TAG);
            while (ProcessHandle.of(process[0]).isPresent()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Of all but the one that dies. */
    private void ring() {
        int after = (rank + 1) % size == size / 2 ? (rank + 2) % size : (rank + 1) % size;
        int before = (rank + size - 1) % size == size / 2 ? (rank + size - 2) % size : (rank + size - 1) % size;
        int[] received = new int[1];
        for (int round = 0; round < ROUNDS; round++) {
            world.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, after, TAG, received, 0, 1, MPI.INT, before, TAG);
        }
    }

    private static void say(String text) {
        System.out.println(text);
        System.out.flush();
    }

    /** When the calling thread is in a method of that name. */
    private static void dieWithin(String method) {
        Thread watched = Thread.currentThread();
        Thread.ofPlatform().daemon().start(() -> {
            while (Arrays.stream(watched.getStackTrace())
                    .noneMatch(frame -> frame.getMethodName().equals(method))) {
                Thread.onSpinWait();
            }
            die();
        });
    }

    /** As by {@code kill -9}: nothing of the virtual machine runs any more. */
    @SuppressWarnings("restricted")
    private static void die() {
        Linker linker = Linker.nativeLinker();
        try {
            MethodHandle kill = linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("kill"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int own = (int) ProcessHandle.current().pid();
            int unused = (int) kill.invokeExact(own, NO_SIGNAL); // prepares the call, which takes a second among many
            say(DIES + System.currentTimeMillis());
            int ignored = (int) kill.invokeExact(own, SIGKILL);
        } catch (Throwable impossible) {
            throw new UncheckedIOException(new IOException(impossible));
        }
    }
}
