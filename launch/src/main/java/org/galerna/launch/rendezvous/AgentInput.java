package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.locks.LockSupport;

/** What comes over a socket between a process of ranks and its agent; for the thread that reads. */
final class AgentInput extends InputStream {
    private final AgentSocket socket;
    private boolean inSystem = true;

    AgentInput(AgentSocket socket) {
        this.socket = socket;
    }

    /** From now on, waits without a call of the system. */
    void stayOutOfTheSystem() {
        inSystem = false;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        int count = socket.receive(bytes, offset, length, inSystem);
        while (count == 0) {
            // a program may interrupt all threads that it finds, and the wait does not last while the thread is
            // interrupted
            boolean unused = Thread.interrupted();
            LockSupport.parkNanos(socket, AgentSocket.PAUSE_NANOS);
            count = socket.receive(bytes, offset, length, inSystem);
        }
        return count;
    }
}
