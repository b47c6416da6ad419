package org.galerna.sockets.connection;

/**
 * The option {@code TCP_NODELAY} of a connection, as the program sees it. While the connection sends a mark, which must not
 * wait for an acknowledgement, the socket has another value. What the program sets meanwhile is set afterwards. Any thread.
 */
public final class NoDelay {
    // guarded by this
    private boolean overridden;
    private boolean chosen;

    /** For one connection. */
    NoDelay() {}

    /** Reads the option of the socket. */
    @FunctionalInterface
    public interface Getter<E extends Exception> {
        /** Its value. */
        boolean get() throws E;
    }

    /** Sets the option of the socket. */
    @FunctionalInterface
    public interface Setter<E extends Exception> {
        /** Sets it. */
        void set(boolean on) throws E;
    }

    /** What the program has chosen. */
    public synchronized <E extends Exception> boolean get(Getter<E> socket) throws E {
        return overridden ? chosen : socket.get();
    }

    /** Sets what the program chooses. */
    public synchronized <E extends Exception> void set(boolean on, Setter<E> socket) throws E {
        if (overridden) {
            chosen = on;
        } else {
            socket.set(on);
        }
    }

    /** What is written next goes at once, until {@link #restore}; one thread at a time. */
    public synchronized <E extends Exception> void override(Getter<E> getter, Setter<E> setter) throws E {
        chosen = getter.get();
        setter.set(true);
        overridden = true;
    }

    /** Gives the socket what the program has chosen. */
    public synchronized <E extends Exception> void restore(Setter<E> socket) throws E {
        overridden = false;
        socket.set(chosen);
    }
}
