package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * What is being written to a peer: frames of the link and of the ring, or a piece of a transfer, and the bytes of an array that
 * follow. Guarded by the lock of its {@link Outbound}.
 *
 * <p>Between two pieces of a transfer everything else that is there is written, and after every such batch each transfer
 * in turn gets a piece: neither can starve the other.
 */
final class OutboundBatch {
    /** Fewer bytes of an array go through a buffer, with their header and their padding in one call. */
    private static final int LEAST_IN_PLACE = 4096;

    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    private final LinkBuffers buffers;
    private final OutboundQueue queue;
    private final ByteBuffer[] batch = {NONE, NONE};
    private final ArrayPiece array = new ArrayPiece(); // the current transfer's bytes, which follow the batch
    private @Nullable ByteBuffer controlBuffer;
    private int fromRing;
    private @Nullable OutgoingTransfer current;
    private @Nullable MemorySegment staged;
    private boolean transferNext;
    private boolean moved;
    private long written; // batches of the rank's; a hint

    OutboundBatch(LinkBuffers buffers, OutboundQueue queue) {
        this.buffers = buffers;
        this.queue = queue;
    }

    /** Whether everything is written. */
    boolean isEmpty() {
        return !hasBuffers() && !array.isThere();
    }

    /** Whether nothing is being written, and no transfer has more. */
    boolean isIdle() {
        return isEmpty() && current == null;
    }

    /** A number that grows with what the rank writes; a racy look. */
    long written() {
        return written;
    }

    /** Whether bytes of buffers are left. */
    boolean hasBuffers() {
        return batch[0].hasRemaining() || batch[1].hasRemaining();
    }

    /** The ring is given back, and everything in it is written. */
    void dropFrames() {
        batch[1] = NONE;
    }

    /** Whether bytes of transfers have gone since the last call; a hint, without the lock. */
    boolean takeMoved() {
        boolean was = moved;
        moved = false;
        return was;
    }

    // ---- putting together

    /** Puts together what is written next; false if there is nothing. */
    boolean prepare(Wire to, @Nullable OutboundRing frames) {
        if (transferNext && prepareTransfer(to, frames)) {
            return true;
        }
        transferNext = false;
        batch[0] = drainControls();
        batch[1] = frames == null ? NONE : frames.next();
        fromRing = batch[1].remaining();
        return hasBuffers() || prepareTransfer(to, frames);
    }

    /** What is left of a frame of the ring, with so many bytes, is written next. */
    void continueFrame(ByteBuffer rest, int bytes) {
        batch[1] = rest;
        fromRing = bytes;
    }

    /** A frame of this type, behind which nothing follows, is written next. */
    void end(int type) {
        batch[0] = controlBuffer().putLong(Frames.header(type, 0)).flip();
    }

    private ByteBuffer drainControls() {
        if (!queue.hasControls()) {
            return NONE;
        }
        ByteBuffer buffer = controlBuffer();
        return queue.drainControls(buffer) ? buffer.flip() : NONE;
    }

    private ByteBuffer controlBuffer() {
        ByteBuffer buffer = controlBuffer;
        if (buffer == null) {
            buffer = buffers.takeControl();
            controlBuffer = buffer;
        }
        return buffer.clear();
    }

    private boolean prepareTransfer(Wire to, @Nullable OutboundRing frames) {
        OutgoingTransfer transfer;
        while ((transfer = queue.nextTransfer()) != null) {
            int bytes = (int) Math.min(Frames.DATA_BYTES, transfer.source.byteSize() - transfer.sent);
            boolean inPlace = to.reachesArrays() && !transfer.source.isNative() && bytes >= LEAST_IN_PLACE;
            bytes = inPlace ? bytes & -Long.BYTES : bytes; // the rest is a piece of its own, with its padding
            try {
                batch[1] = inPlace ? NONE : piece(transfer, bytes);
            } catch (RuntimeException inaccessible) { // freed, or another thread's alone
                fail(transfer, inaccessible);
                transfer.end();
                transferNext = false;
                return prepare(to, frames);
            }
            batch[0] = controlBuffer()
                    .putLong(Frames.header(transfer.type, Frames.TRANSFER_BYTES + bytes))
                    .putLong(transfer.id)
                    .flip();
            if (inPlace) {
                array.begin(transfer.source, transfer.sent, bytes);
            }
            transfer.sent += bytes;
            current = transfer;
            return true;
        }
        return false;
    }

    /** The next bytes of a transfer, followed by their padding. */
    private ByteBuffer piece(OutgoingTransfer transfer, int bytes) {
        boolean whole = Frames.padded(bytes) == bytes;
        if (transfer.source.isNative() && whole) {
            return transfer.source.asSlice(transfer.sent, bytes).asByteBuffer();
        }
        MemorySegment copy = buffers.staging().take();
        try {
            MemorySegment.copy(transfer.source, transfer.sent, copy, 0, bytes);
        } catch (RuntimeException inaccessible) {
            buffers.staging().give(copy);
            throw inaccessible;
        }
        staged = copy;
        return copy.asSlice(0, Frames.padded(bytes)).asByteBuffer();
    }

    // ---- writing

    /** Writes everything; false if the socket takes no more. */
    boolean write(Wire to) throws IOException {
        return writeBuffers(to) && array.write(to);
    }

    /** Writes from buffers; false if the socket takes no more. */
    boolean writeBuffers(Wire to) throws IOException {
        if (array.isThere() && batch[0].hasRemaining()) {
            // a header: a packet of its own would cost the system as much as one of 64 KiB
            ByteBuffer header = batch[0];
            int count = to.send(MemorySegment.ofBuffer(header), 0, header.remaining(), true);
            header.position(header.position() + count);
        } else if (batch[0].hasRemaining() && batch[1].hasRemaining()) {
            to.write(batch, 0, 2);
        } else if (hasBuffers()) {
            to.write(batch[0].hasRemaining() ? batch[0] : batch[1]);
        }
        return !hasBuffers();
    }

    /**
     * The memory of the piece that is being written was freed, or belongs to another thread alone. A piece that has begun has
     * to have as many bytes as it said, so the rest becomes zeros, and the peer is told behind them that the transfer has
     * failed. Only in a GET whose last bytes are zeros that could go unnoticed; so the connection is broken then.
     *
     * @return why the connection is of no use any more; null if it is
     * @throws RuntimeException that one, if nothing of a transfer is being written: no user can free other memory
     */
    @Nullable
    String giveUpPiece(RuntimeException inaccessible) {
        OutgoingTransfer transfer = current;
        if (transfer == null) {
            throw inaccessible;
        }
        boolean begun = batch[0].position() > 0;
        int owed = array.isThere() ? array.left() : batch[1].remaining();
        array.drop();
        if (!begun) {
            batch[0] = NONE;
        }
        batch[1] = begun ? ByteBuffer.allocateDirect(owed) : NONE;
        if (begun && transfer.isOver() && transfer.type == Frames.GET_DATA) {
            return "it was reading memory that cannot be read any more: " + inaccessible.getMessage();
        }
        fail(transfer, inaccessible);
        return null;
    }

    private void fail(OutgoingTransfer transfer, RuntimeException inaccessible) {
        transfer.fail(inaccessible);
        if (transfer.type == Frames.GET_DATA) {
            queue.add(Frames.REFUSED, transfer.id, Frames.INACCESSIBLE);
        } else {
            queue.add(Frames.ABANDONED, transfer.id);
        }
    }

    /** After the last byte of a batch. */
    void finish(@Nullable OutboundRing frames) {
        if (fromRing > 0 && frames != null) {
            frames.release(fromRing);
            fromRing = 0;
            written++;
        }
        ByteBuffer control = controlBuffer;
        if (control != null) {
            controlBuffer = null;
            batch[0] = NONE; // it is somebody else's from now on
            buffers.give(control);
        }
        transferNext = true;
        OutgoingTransfer transfer = current;
        if (transfer != null) {
            current = null;
            written++;
            moved = true;
            transferNext = false;
            MemorySegment copy = staged;
            if (copy != null) {
                staged = null;
                buffers.staging().give(copy);
            }
            if (transfer.isOver()) {
                transfer.end();
            } else {
                queue.add(transfer);
            }
        }
    }
}
