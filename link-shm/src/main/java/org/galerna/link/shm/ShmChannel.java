package org.galerna.link.shm;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.galerna.link.Channel;
import org.galerna.link.shm.board.ControlPage;
import org.galerna.link.shm.board.FutexEvent;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.support.RingChannel;
import org.galerna.nativeaccess.memory.RawMemory;

/** A ring to another process. */
final class ShmChannel extends RingChannel {
    private final int peer;
    private final PairFile file;
    private final MemorySegment board;
    private final long state;
    private final FutexEvent bell;
    private final Consumer<Channel> forget;
    private final boolean besideQueue;
    private volatile boolean closed;
    private volatile boolean released;

    /**
     * A channel into a ring of this process.
     *
     * @param besideQueue whether the peer has a queue, too, and may want the ring back
     */
    ShmChannel(
            int peer,
            PairFile file,
            boolean concurrentClaims,
            ControlPage board,
            FutexEvent bell,
            boolean besideQueue,
            Consumer<Channel> forget) {
        super(file.first(), concurrentClaims);
        this.besideQueue = besideQueue;
        this.peer = peer;
        this.file = file;
        this.board = board.memory();
        this.state = ControlPageLayout.entry(peer) + ControlPageLayout.STATE;
        this.bell = bell;
        this.forget = forget;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    protected boolean isGone() {
        // the line of the state is the bell's, which is read with every flush anyway
        return closed || !isPeerThere();
    }

    private boolean isPeerThere() {
        return RawMemory.getIntOpaque(board, state) == ControlPageLayout.ATTACHED;
    }

    @Override
    protected boolean isReleased() {
        return released && isPeerThere();
    }

    /** Whether the peer wants the ring back, and still has it. */
    boolean isReleaseAsked() {
        return !closed && file.isReleaseAsked();
    }

    @Override
    public void release() {
        if (!closed && besideQueue) {
            released = true;
            close();
        }
    }

    @Override
    public void flush() {
        bell.ring();
    }

    @Override
    public void close() {
        closed = true;
        file.markClosed();
        forget.accept(this); // its next poll drops the ring
    }
}
