import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.galerna.bench.peers.MessageEnd;
import org.galerna.bench.peers.PairRank;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.bench.suite.CoreOfARank;

/**
 * A rank of MPJ Express in its multicore configuration, where ranks are threads with class loaders of their own, for Galerna to
 * be compared with. The starter of MPJ Express loads it, with its own {@code mpi} before Galerna's. Its last argument is the
 * folder of the driver's pipes.
 */
public final class MpjExpressPeer implements MessageEnd {
    private static final byte FILLING = 'a';
    private static final int TAG = 1;

    private final Comm world = MPI.COMM_WORLD;
    private final int peer;
    private byte[] source = new byte[0];
    private byte[] target = new byte[0];
    private Request[] requests = new Request[0];

    private MpjExpressPeer(int peer) {
        this.peer = peer;
    }

    /** The starter ends the process if this throws. */
    public static void main(String[] arguments) throws IOException, MPIException {
        String[] own = MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.Rank();
        CoreOfARank.bind(rank, 2);
        ContenderServer.serve(Path.of(own[own.length - 1]), rank, new PairRank(rank, new MpjExpressPeer(1 - rank)));
        MPI.Finalize();
    }

    @Override
    public void send(int bytes) throws IOException {
        if (source.length < bytes) {
            source = new byte[bytes];
            Arrays.fill(source, FILLING);
        }
        try {
            world.Send(source, 0, bytes, MPI.BYTE, peer, TAG);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public void receive(int bytes) throws IOException {
        if (target.length < bytes) {
            target = new byte[bytes];
        }
        try {
            world.Recv(target, 0, bytes, MPI.BYTE, peer, TAG);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public void sendWindow(int bytes, int messages) throws IOException {
        if (source.length < bytes) {
            source = new byte[bytes];
            Arrays.fill(source, FILLING);
        }
        prepareWindow(messages);
        try {
            for (int message = 0; message < messages; message++) {
                requests[message] = world.Isend(source, 0, bytes, MPI.BYTE, peer, TAG);
            }
            Request.Waitall(requests);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public void receiveWindow(int bytes, int messages) throws IOException {
        if (target.length < bytes) {
            target = new byte[bytes];
        }
        prepareWindow(messages);
        try {
            for (int message = 0; message < messages; message++) {
                requests[message] = world.Irecv(target, 0, bytes, MPI.BYTE, peer, TAG);
            }
            Request.Waitall(requests);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    private void prepareWindow(int messages) {
        if (requests.length != messages) {
            requests = new Request[messages];
        }
    }
}
