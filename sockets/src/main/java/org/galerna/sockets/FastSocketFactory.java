package org.galerna.sockets;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.net.SocketImplFactory;

/**
 * Makes what sockets, or listeners, are made of. The platform takes one factory of each, once. Programs that come with one
 * of their own would be refused because of these, if {@link FactoryHooks} did not have the platform {@link #run} the factory
 * that is there when another one is set: which takes both away, so that the program meets what it would without.
 */
final class FastSocketFactory implements SocketImplFactory, Runnable {
    private static final VarHandle SOCKETS = field(Socket.class);
    private static final VarHandle LISTENERS = field(ServerSocket.class);

    private final FastSockets home;
    private final boolean listeners;

    FastSocketFactory(FastSockets home, boolean listeners) {
        this.home = home;
        this.listeners = listeners;
    }

    private static VarHandle field(Class<?> owner) {
        try {
            return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
                    .findStaticVarHandle(owner, "factory", SocketImplFactory.class);
        } catch (ReflectiveOperationException notOpen) {
            throw new IllegalStateException(notOpen);
        }
    }

    @Override
    public SocketImpl createSocketImpl() {
        return new FastSocketImpl(home, listeners);
    }

    /** Lets the program have its own: sockets and listeners that are there stay what they are, later ones are plain. */
    @Override
    public void run() {
        withdraw(SOCKETS);
        withdraw(LISTENERS);
        Journal.programHasFactory();
    }

    /** Not if the program has set one in the meantime: the platform's lock is held for one of the two only. */
    private static void withdraw(VarHandle field) {
        SocketImplFactory current = (SocketImplFactory) field.getVolatile();
        if (current instanceof FastSocketFactory) {
            field.compareAndSet(current, (SocketImplFactory) null);
        }
    }
}
