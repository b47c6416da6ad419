package org.galerna.link.shm;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.galerna.link.Channel;
import org.galerna.memory.RecordProducer;
import org.galerna.memory.SpscProducer;
import org.galerna.nativeaccess.RawMemory;
import org.jspecify.annotations.Nullable;

/** A ring to another process. */
final class ShmChannel implements Channel {
    private final int peer;
    private final PairFile file;
    private final RecordProducer producer;
    private final @Nullable SpscProducer only;
    private final MemorySegment memory;
    private final MemorySegment board;
    private final long state;
    private final Bell bell;
    private final ShmLink source;
    private volatile boolean closed;

    ShmChannel(int peer, PairFile file, RecordProducer producer, Board board, Bell bell, ShmLink source) {
        this.peer = peer;
        this.file = file;
        this.producer = producer;
        this.only = producer instanceof SpscProducer spsc ? spsc : null;
        this.memory = file.first().memory();
        this.board = board.memory();
        this.state = BoardLayout.entry(peer) + BoardLayout.STATE;
        this.bell = bell;
        this.source = source;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public long claim(int length) {
        return isGone() ? CLOSED : producer.claim(length);
    }

    private boolean isGone() {
        // the line of the state is the bell's, which is read with every flush anyway
        return closed || RawMemory.getIntOpaque(board, state) != BoardLayout.ATTACHED;
    }

    @Override
    public MemorySegment memory() {
        return memory;
    }

    @Override
    public void commit(long claim, int length) {
        producer.commit(claim, length);
    }

    @Override
    public boolean beginsAtLines() {
        return true; // as records do that are no inline ones
    }

    @Override
    public boolean showsHeads() {
        return true;
    }

    @Override
    public long claimWithHead(int length, long head) {
        return isGone() ? CLOSED : producer.claimWithHead(length, head);
    }

    @Override
    public void commitContents(long claim) {
        producer.commitContents(claim);
    }

    @Override
    public boolean showsOpenFrames() {
        return only != null;
    }

    @Override
    public void show(long claim, int length) {
        Objects.requireNonNull(only).show(claim, length);
    }

    @Override
    public void prepare() {
        if (only != null) {
            only.prepare();
        }
    }

    @Override
    public void abort(long claim) {
        producer.abort(claim);
    }

    @Override
    public void flush() {
        bell.ring();
    }

    @Override
    public void close() {
        closed = true;
        file.markClosed();
        source.forget(this); // its next poll drops the ring
    }
}
