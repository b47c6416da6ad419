package org.galerna.sockets;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;

/** A server of remote method invocation that knows nothing of Galerna. */
public final class RemoteProgram {
    private RemoteProgram() {}

    /** What it offers. */
    public interface Doubler extends Remote {
        /** Returns the array with every number doubled. */
        int[] twice(int[] numbers) throws RemoteException;
    }

    /** What it does. */
    private static final class Server implements Doubler {
        @Override
        public int[] twice(int[] numbers) {
            int[] doubled = numbers.clone();
            for (int index = 0; index < doubled.length; index++) {
                doubled[index] *= 2;
            }
            return doubled;
        }
    }

    /** Serves until it is killed; prints the port of its registry. */
    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1");
        int port;
        try (java.net.ServerSocket free = new java.net.ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Registry registry = LocateRegistry.createRegistry(port);
        Server server = new Server();
        registry.bind("doubler", UnicastRemoteObject.exportObject(server, 0));
        System.out.println("port " + port);
        Thread.currentThread().join();
    }
}
