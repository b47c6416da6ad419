package org.galerna.bench.peers;

import java.io.IOException;
import java.nio.file.Path;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.server.UnicastRemoteObject;
import java.util.List;
import java.util.Map;
import org.galerna.bench.suite.Contender;
import org.galerna.bench.suite.ContenderServer;
import org.galerna.bench.suite.ProcessContender;
import org.galerna.launch.GalernaPath;

/** Java's RMI over the loopback interface. */
public final class JavaRmi extends JavaPeer {
    /** Needs nothing. */
    public JavaRmi() {
        super("rmi");
    }

    @Override
    Contender start() {
        return ProcessContender.start(
                name(), "", 2, List.of(java(), "-cp", GalernaPath.classPath(), JavaRmi.class.getName()), Map.of());
    }

    /** What is called. */
    interface Echo extends Remote {
        /** Returns what it is given. */
        byte[] echo(byte[] bytes) throws RemoteException;

        /** Takes what it is given. */
        void take(byte[] bytes) throws RemoteException;
    }

    private static final class Served implements Echo {
        @Override
        public byte[] echo(byte[] bytes) {
            return bytes;
        }

        @Override
        public void take(byte[] bytes) {
            // it has come
        }
    }

    private static final class End implements CallRank.CallEnd {
        private final Echo stub;
        private byte[] argument = {};

        End(Echo stub) {
            this.stub = stub;
        }

        private byte[] argument(int bytes) {
            if (argument.length != bytes) {
                argument = new byte[bytes];
            }
            return argument;
        }

        @Override
        public void call(int bytes) throws IOException {
            if (stub.echo(argument(bytes)).length != bytes) {
                throw new IOException("RMI has returned something else");
            }
        }

        @Override
        public void stream(int bytes, long messages) throws IOException {
            for (long message = 0; message < messages; message++) {
                stub.take(argument(bytes));
            }
        }
    }

    /** The process of the peer: rank 0 calls an object of rank 1 through its stub, by TCP. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        Served served = new Served();
        Echo stub = (Echo) UnicastRemoteObject.exportObject(served, 0);
        PairRank.serveBoth(rank -> ContenderServer.serve(folder, rank, new CallRank(rank, new End(stub))));
        boolean ignored = UnicastRemoteObject.unexportObject(served, true);
    }
}
