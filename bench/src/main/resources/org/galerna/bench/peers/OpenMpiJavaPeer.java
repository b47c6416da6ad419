import java.io.IOException;
import java.nio.ByteBuffer;
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
 * A rank of Open MPI's own Java bindings, for Galerna to be compared with. It runs as a source file, because the bindings are
 * there at run time only, and before Galerna on the class path, whose package has the same name. Started by
 * {@code mpiexec -n 2} with the folder of the driver's pipes.
 *
 * <p>Messages are {@code byte[]}, as Galerna's are; those of a window are direct buffers, since the bindings take nothing else
 * for operations that do not block.
 */
final class OpenMpiJavaPeer implements MessageEnd {
    private static final byte FILLING = 'a';
    private static final int TAG = 1;

    private final Comm world = MPI.COMM_WORLD;
    private final int peer;
    private byte[] source = new byte[0];
    private byte[] target = new byte[0];
    private ByteBuffer direct = MPI.newByteBuffer(0);
    private Request[] requests = new Request[0];

    private OpenMpiJavaPeer(int peer) {
        this.peer = peer;
    }

    public static void main(String[] arguments) throws IOException, MPIException {
        String[] own = MPI.Init(arguments);
        int rank = MPI.COMM_WORLD.getRank();
        CoreOfARank.bind(rank, 2);
        ContenderServer.serve(Path.of(own[0]), rank, new PairRank(rank, new OpenMpiJavaPeer(1 - rank)));
        MPI.Finalize();
    }

    @Override
    public void send(int bytes) throws IOException {
        if (source.length < bytes) {
            source = new byte[bytes];
            Arrays.fill(source, FILLING);
        }
        try {
            world.send(source, bytes, MPI.BYTE, peer, TAG);
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
            world.recv(target, bytes, MPI.BYTE, peer, TAG);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public void sendWindow(int bytes, int messages) throws IOException {
        prepareWindow(bytes, messages);
        try {
            for (int message = 0; message < messages; message++) {
                requests[message] = world.iSend(direct, bytes, MPI.BYTE, peer, TAG);
            }
            Request.waitAll(requests);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    @Override
    public void receiveWindow(int bytes, int messages) throws IOException {
        prepareWindow(bytes, messages);
        try {
            for (int message = 0; message < messages; message++) {
                requests[message] = world.iRecv(direct, bytes, MPI.BYTE, peer, TAG);
            }
            Request.waitAll(requests);
        } catch (MPIException failed) {
            throw new IOException(failed);
        }
    }

    private void prepareWindow(int bytes, int messages) {
        if (direct.capacity() < bytes) {
            direct = MPI.newByteBuffer(bytes);
            while (direct.hasRemaining()) {
                direct.put(FILLING);
            }
            direct.clear();
        }
        if (requests.length != messages) {
            requests = new Request[messages];
        }
    }
}
