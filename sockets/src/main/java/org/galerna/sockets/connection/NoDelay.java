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

    /** Reads the option of the socket, or writes and says whether that is done. */
    @FunctionalInterface
    public interface Getter<E extends Exception> {
        /** What it finds. */
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

    /**
     * Writes something that goes at once; one thread at a time. If that fails, the socket keeps what it needed, and the program
     * reads and sets the option of the socket again.
     *
     * @return what the writer returns
     */
    public <E extends Exception> boolean writeAtOnce(Getter<E> getter, Setter<E> setter, Getter<E> writer) throws E {
        synchronized (this) {
            chosen = getter.get();
            setter.set(true);
            overridden = true;
        }
        boolean written = false;
        try {
            boolean result = writer.get();
            written = true;
            return result;
        } finally {
            restore(written, setter);
        }
    }

    private synchronized <E extends Exception> void restore(boolean written, Setter<E> setter) throws E {
        overridden = false;
        if (written) {
            setter.set(chosen);
        }
    }
}
