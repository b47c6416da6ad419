package org.galerna.launch.rendezvous;

import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.locks.LockSupport;

/** What goes over a socket between a process of ranks and its agent; the stream of messages lets one thread write at a time. */
final class AgentOutput extends OutputStream {
    private final AgentSocket socket;

    AgentOutput(AgentSocket socket) {
        this.socket = socket;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        boolean interrupted = false;
        try {
            for (int done = 0; done < length; ) {
                int count = socket.send(bytes, offset + done, length - done);
                done += count;
                if (count == 0) {
                    interrupted |= Thread.interrupted(); // no wait lasts while the thread is interrupted
                    LockSupport.parkNanos(socket, AgentSocket.PAUSE_NANOS);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
