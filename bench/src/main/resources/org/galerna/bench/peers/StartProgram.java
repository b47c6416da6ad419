import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/**
 * What a program does in its first seconds, on two ranks: {@code first}, {@code loop SECONDS}, {@code rate SECONDS}, or
 * {@code mixed ROUNDS}, where 0 rounds are a few operations of each kind. Rank 0 prints when things happened. It needs the mpiJava
 * 1.2 API alone, so that other systems run it, too; start-program.c does the same in C.
 */
public final class StartProgram {
    private static final int TAG = 1;
    private static final int BATCHES = 20;
    private static final int WINDOW = 64;
    private static final int ACROSS = 64;
    private static final int BUCKET_MICROS = 10_000;
    private static final int SMALL = 64;
    private static final int LARGE = 1 << 20;

    /** Of so many operations one is done where a few are enough. */
    private static final int FEW = 20;

    private static final String[] KINDS = {
        "send-1", "send-1K", "send-64K", "send-1M", "isend-8", "window-8", "sendrecv-256", "ssend-8", "wildcard-64",
        "probe-64", "persistent-512", "doubles-16", "vector-128", "barrier", "bcast-1K", "allreduce-8", "alltoall-256"
    };

    /** How often each kind is done in a batch, so that a batch takes some milliseconds. */
    private static final int[] OPERATIONS = {
        8000, 3000, 300, 20, 6000, 250, 6000, 4000, 8000, 5000, 4000, 8000, 3000, 8000, 8000, 5000, 5000
    };

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank;
    private final int peer;
    private final byte[] out = new byte[LARGE];
    private final byte[] in = new byte[LARGE];
    private final double[] doublesOut = new double[ACROSS * 4];
    private final double[] doublesIn = new double[ACROSS * 4];
    private final Request[] window = new Request[WINDOW];
    private final Prequest[] persistent;
    private final Datatype vector;
    private final long begun = System.nanoTime();
    private final StringBuilder printed = new StringBuilder();

    private StartProgram() throws MPIException {
        rank = world.Rank();
        peer = 1 - rank;
        persistent = new Prequest[] {
            world.Recv_init(in, 0, 512, MPI.BYTE, peer, TAG), world.Send_init(out, 0, 512, MPI.BYTE, peer, TAG)
        };
        vector = Datatype.Vector(ACROSS, 2, 4, MPI.DOUBLE);
        vector.Commit();
        Arrays.fill(out, (byte) 'a');
        Arrays.fill(doublesOut, 1);
    }

    /** Does what the arguments say. */
    public static void main(String[] arguments) throws MPIException {
        String[] own = MPI.Init(arguments);
        long initialized = System.currentTimeMillis();
        String mode = own[own.length > 1 ? own.length - 2 : 0];
        int amount = own.length > 1 ? Integer.parseInt(own[own.length - 1]) : 0;
        int rank = MPI.COMM_WORLD.Rank();
        StringBuilder printed = new StringBuilder("init " + initialized + '\n');
        if (mode.equals("first")) {
            meet();
            printed.append("first ").append(System.currentTimeMillis()).append('\n');
        } else {
            StartProgram program = new StartProgram();
            if (mode.equals("mixed")) {
                program.mixed(amount);
            } else {
                program.loop(mode.equals("rate"), amount);
            }
            printed.append(program.printed);
        }
        if (rank == 0) {
            if (!mode.equals("first")) {
                CompilationMXBean compilers = ManagementFactory.getCompilationMXBean();
                printed.append("compilers ")
                        .append(compilers == null ? 0 : compilers.getTotalCompilationTime())
                        .append("\njvm ")
                        .append(ManagementFactory.getRuntimeMXBean().getStartTime())
                        .append('\n');
            }
            System.out.print(printed);
        }
        MPI.Finalize();
    }

    /** Rank 0 receives a byte of each other rank. */
    private static void meet() throws MPIException {
        byte[] one = new byte[1];
        if (MPI.COMM_WORLD.Rank() > 0) {
            MPI.COMM_WORLD.Send(one, 0, 1, MPI.BYTE, 0, TAG);
            return;
        }
        for (int other = 1; other < MPI.COMM_WORLD.Size(); other++) {
            MPI.COMM_WORLD.Recv(one, 0, 1, MPI.BYTE, other, TAG);
        }
    }

    /** One loop of a byte to and fro, or of windows of messages, until the time is over; a line for each ten milliseconds. */
    private void loop(boolean windows, int seconds) throws MPIException {
        long end = seconds * 1_000_000_000L;
        int batch = windows ? 10 : 50;
        int operations = 0;
        long spent = 0;
        long bucket = BUCKET_MICROS;
        boolean goesOn = true;
        while (goesOn) {
            long start = System.nanoTime();
            for (int index = 0; index < batch; index++) {
                if (windows) {
                    window();
                } else {
                    pingPong(1);
                }
            }
            long now = System.nanoTime();
            operations += batch;
            spent += now - start;
            if (rank == 0 && (now - begun) / 1000 >= bucket) {
                note("loop", now, (double) spent / operations);
                operations = 0;
                spent = 0;
                bucket = ((now - begun) / 1000 / BUCKET_MICROS + 1) * BUCKET_MICROS;
            }
            goesOn = agree(now - begun < end);
        }
    }

    /** Rank 0 decides. */
    private boolean agree(boolean goesOn) throws MPIException {
        if (rank == 0) {
            out[0] = (byte) (goesOn ? 1 : 0);
            world.Send(out, 0, 1, MPI.BYTE, peer, TAG);
            return goesOn;
        }
        world.Recv(in, 0, 1, MPI.BYTE, peer, TAG);
        return in[0] == 1;
    }

    private void mixed(int rounds) throws MPIException {
        for (int round = 0; round < rounds; round++) {
            round(BATCHES, 1);
        }
        if (rounds == 0) {
            round(1, FEW);
        }
    }

    /** All kinds, one after the other, each with its part of the operations in a batch. */
    private void round(int batches, int part) throws MPIException {
        for (int kind = 0; kind < KINDS.length; kind++) {
            int operations = OPERATIONS[kind] / part;
            for (int batch = 0; batch < batches; batch++) {
                long start = System.nanoTime();
                for (int index = 0; index < operations; index++) {
                    operation(kind, index);
                }
                long now = System.nanoTime();
                note(KINDS[kind], now, (double) (now - start) / operations);
            }
            world.Barrier();
        }
    }

    private void note(String kind, long now, double nanos) {
        if (rank == 0) {
            printed.append("batch ")
                    .append((now - begun) / 1000)
                    .append(' ')
                    .append(kind)
                    .append(' ')
                    .append((long) nanos)
                    .append('\n');
        }
    }

    private void operation(int kind, int index) throws MPIException {
        switch (kind) {
            case 0 -> pingPong(1);
            case 1 -> pingPong(1 << 10);
            case 2 -> pingPong(1 << 16);
            case 3 -> pingPong(LARGE);
            case 4 -> {
                Request receive = world.Irecv(in, 0, 8, MPI.BYTE, peer, TAG);
                Request send = world.Isend(out, 0, 8, MPI.BYTE, peer, TAG);
                receive.Wait();
                send.Wait();
            }
            case 5 -> window();
            case 6 -> world.Sendrecv(out, 0, 256, MPI.BYTE, peer, TAG, in, 0, 256, MPI.BYTE, peer, TAG);
            case 7 -> {
                if (rank == 0) {
                    world.Ssend(out, 0, 8, MPI.BYTE, peer, TAG);
                    world.Recv(in, 0, 8, MPI.BYTE, peer, TAG);
                } else {
                    world.Recv(in, 0, 8, MPI.BYTE, peer, TAG);
                    world.Ssend(out, 0, 8, MPI.BYTE, peer, TAG);
                }
            }
            case 8 -> anySource();
            case 9 -> probe();
            case 10 -> {
                Prequest.Startall(persistent);
                Request.Waitall(persistent);
            }
            case 11 -> pingPong(doublesOut, doublesIn, 16, MPI.DOUBLE);
            case 12 -> pingPong(doublesOut, doublesIn, 1, vector);
            case 13 -> world.Barrier();
            case 14 -> world.Bcast(rank == index % 2 ? out : in, 0, 1 << 10, MPI.BYTE, index % 2);
            case 15 -> world.Allreduce(doublesOut, 0, doublesIn, 0, 8, MPI.DOUBLE, MPI.SUM);
            default -> world.Alltoall(out, 0, 256, MPI.BYTE, in, 0, 256, MPI.BYTE);
        }
    }

    private void pingPong(int bytes) throws MPIException {
        pingPong(out, in, bytes, MPI.BYTE);
    }

    private void pingPong(Object source, Object target, int count, Datatype type) throws MPIException {
        if (rank == 0) {
            world.Send(source, 0, count, type, peer, TAG);
            world.Recv(target, 0, count, type, peer, TAG);
        } else {
            world.Recv(target, 0, count, type, peer, TAG);
            world.Send(source, 0, count, type, peer, TAG);
        }
    }

    private void window() throws MPIException {
        for (int index = 0; index < WINDOW; index++) {
            window[index] = rank == 0
                    ? world.Isend(out, 0, 8, MPI.BYTE, peer, TAG)
                    : world.Irecv(in, index * 8, 8, MPI.BYTE, peer, TAG);
        }
        Request.Waitall(window);
        if (rank == 0) {
            world.Recv(in, 0, 1, MPI.BYTE, peer, TAG);
        } else {
            world.Send(out, 0, 1, MPI.BYTE, peer, TAG);
        }
    }

    private void anySource() throws MPIException {
        if (rank == 0) {
            world.Send(out, 0, SMALL, MPI.BYTE, peer, TAG);
        }
        world.Recv(in, 0, SMALL, MPI.BYTE, MPI.ANY_SOURCE, MPI.ANY_TAG);
        if (rank == 1) {
            world.Send(out, 0, SMALL, MPI.BYTE, peer, TAG);
        }
    }

    private void probe() throws MPIException {
        if (rank == 0) {
            world.Send(out, 0, SMALL, MPI.BYTE, peer, TAG);
        }
        Status status = world.Probe(peer, TAG);
        world.Recv(in, 0, status.Get_count(MPI.BYTE), MPI.BYTE, peer, TAG);
        if (rank == 1) {
            world.Send(out, 0, SMALL, MPI.BYTE, peer, TAG);
        }
    }
}
