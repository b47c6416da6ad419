package org.galerna.link.tcp.stream;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.galerna.link.FrameHandler;
import org.galerna.link.tcp.wire.Frames;
import org.galerna.link.tcp.wire.ProtocolException;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * What comes from one peer: takes the stream of bytes apart, wherever it was cut, and checks every header before it acts
 * on it. Frames are handed out where they were read; the bytes of transfers are read to where they belong. Used by the
 * polling thread.
 */
public final class Inbound {
    /** Bytes that one look takes at most, so that the other peers have their turn. */
    private static final int BUDGET = 1 << 20;

    /** Fewer bytes for an array come through a buffer, with what is behind them. */
    private static final int LEAST_RECEIVED = 4096;

    private static final int PIECE_HEADER = Frames.HEADER_BYTES + Frames.TRANSFER_BYTES;

    /** How far the stream has got. Whatever ends it, nothing is handled after that. */
    private enum Stage {
        /** Frames come. */
        OPEN,
        /** The peer has sent its last frame over this wire. */
        LAST,
        /** The peer has said goodbye. */
        GOODBYE,
        /** The stream has ended without any of that. */
        BROKEN_OFF
    }

    private final int peer;
    private final int maximumFrame;
    private final Events events;
    private final LinkBuffers buffers;

    /** Null while nothing is left of what has been read. */
    private LinkBuffers.@Nullable ReadBuffer buffer;

    private MemorySegment memory = MemorySegment.NULL; // that of the buffer
    private int start;
    private int end;

    // the piece of a transfer that is being read
    private @Nullable IncomingTransfer transfer;
    private int transferType;
    private int dataLeft;
    private int paddingLeft;
    private final ByteBuffer[] pair = new ByteBuffer[2];

    /** The last bytes were for an array. */
    private boolean pieceLikely;

    /** Bytes that the last read had room for. */
    private int asked;

    private Stage stage = Stage.OPEN;
    private boolean leftover;
    private boolean moved;
    private long frames;

    // facts for the manager of connections; written only when that changes something, because a volatile write costs
    // more than a look
    private volatile boolean heard;
    private volatile boolean looked;

    /** Told of everything that is not a frame of the rank's. */
    interface Events {
        void onRequest(int type, long id, long key, long offset, long length) throws ProtocolException;

        /** Where the data of a transfer go. */
        IncomingTransfer onData(int type, long id);

        /** A piece of data is there in full. */
        void onPiece(int type, IncomingTransfer transfer);

        void onDone(long id) throws ProtocolException;

        void onRefused(long id, long reason);

        void onAbandoned(long id);

        void onLost(long rank) throws ProtocolException;
    }

    /** Nothing read yet. */
    Inbound(int peer, Events events, LinkBuffers buffers) {
        this.peer = peer;
        this.maximumFrame = buffers.maximumFrame();
        this.events = events;
        this.buffers = buffers;
    }

    /** The peer has said goodbye, and everything before that was handled. */
    public boolean hasSaidGoodbye() {
        return stage == Stage.GOODBYE;
    }

    /** The peer has sent its last frame over this wire, and everything before that was handled. */
    boolean isOver() {
        return stage == Stage.LAST;
    }

    /** Number of frames handed out. */
    long frames() {
        return frames;
    }

    /** Whether nothing has been read of which the rest is still to come. */
    boolean isBetweenFrames() {
        return start == end && dataLeft == 0 && paddingLeft == 0;
    }

    /** Somebody has looked, and nothing was there. */
    void foundNothing() {
        if (!looked) {
            looked = true;
        }
    }

    /** Whether bytes have come since the last call; for the manager of connections. */
    public boolean takeHeard() {
        boolean was = heard;
        heard = false;
        return was;
    }

    /** Whether somebody has looked and found nothing since the last call; for the manager of connections. */
    public boolean takeLooked() {
        boolean was = looked;
        looked = false;
        return was;
    }

    /** Whether the limit of the last look has left frames in the buffer. */
    boolean hasLeftover() {
        return leftover;
    }

    /** The stream is over, and the peer has not said so before. */
    public boolean hasEnded() {
        return stage == Stage.BROKEN_OFF;
    }

    private void end(Stage last) {
        if (stage != Stage.OPEN) {
            throw new IllegalStateException("a stream ends once: it is " + stage + ", and would be " + last);
        }
        stage = last;
    }

    /** Whether bytes of transfers have come since the last call. */
    boolean takeMoved() {
        boolean was = moved;
        moved = false;
        return was;
    }

    /**
     * Reads and handles what is there.
     *
     * @param limit frames to hand out at most
     * @return number of frames handed out
     * @throws IOException if the connection is broken, or the peer does not keep to the protocol
     */
    int poll(Wire wire, FrameHandler handler, int limit) throws IOException {
        LinkBuffers.ReadBuffer into = buffer;
        if (into == null) {
            into = buffers.takeReadBuffer();
            buffer = into;
            memory = into.memory();
        }
        int handled = poll(wire, into, handler, limit);
        frames += handled;
        if (stage == Stage.LAST && start != end) {
            throw new ProtocolException("it has sent " + (end - start) + " bytes behind its last frame");
        }
        if (start == end) {
            buffer = null;
            buffers.give(into);
        }
        return handled;
    }

    private int poll(Wire wire, LinkBuffers.ReadBuffer into, FrameHandler handler, int limit) throws IOException {
        leftover = false;
        int handled = start == end ? 0 : parse(handler, limit);
        int budget = BUDGET;
        while (handled < limit && budget > 0 && stage == Stage.OPEN) {
            long count = fill(wire, into);
            if (count <= 0) {
                foundNothing();
                if (count < 0) {
                    end(Stage.BROKEN_OFF);
                }
                break;
            }
            if (!heard) {
                heard = true;
            }
            budget -= (int) count;
            handled += parse(handler, limit - handled);
            if (count < asked) {
                break; // that was all there is
            }
        }
        return handled;
    }

    private long fill(Wire wire, LinkBuffers.ReadBuffer into) throws IOException {
        makeRoom();
        ByteBuffer bytes = into.bytes();
        IncomingTransfer to = transfer;
        if (to == null || dataLeft == 0) {
            // behind a piece for an array another one is likely: what of it came along would have to be copied
            int most = pieceLikely ? Math.min(into.capacity(), end + PIECE_HEADER) : into.capacity();
            pieceLikely = false;
            bytes.limit(most).position(end);
            asked = bytes.remaining();
            int count = wire.read(bytes);
            end += Math.max(0, count);
            return count;
        }
        if (wire.reachesArrays() && dataLeft >= LEAST_RECEIVED && to.isForArray()) {
            asked = dataLeft;
            pieceLikely = true;
            int count = to.receive(wire, dataLeft);
            consume(Math.max(0, count));
            return count;
        }
        ByteBuffer place = to.place(dataLeft);
        return place == null ? fillByCopy(wire, to, bytes) : fillInPlace(wire, to, place, bytes);
    }

    private void makeRoom() {
        if (start == end) {
            // where the padding ends, so that the next header is aligned
            start = -paddingLeft & 7;
            end = start;
        } else if (start > 0) {
            MemorySegment.copy(memory, start, memory, 0, end - start);
            end -= start;
            start = 0;
        }
    }

    private long fillInPlace(Wire wire, IncomingTransfer to, ByteBuffer place, ByteBuffer bytes) throws IOException {
        long count;
        try {
            count = readPair(wire, place, bytes);
        } catch (IllegalStateException | WrongThreadException inaccessible) { // freed, or another thread's alone
            to.fail(inaccessible);
            count = place.position(); // what a wire of several steps has put there before is not read again
        }
        to.arrived(place.position());
        consume(place.position());
        return count == 0 && to.failure() != null ? fillByCopy(wire, to, bytes) : count;
    }

    private long fillByCopy(Wire wire, IncomingTransfer to, ByteBuffer bytes) throws IOException {
        MemorySegment copy = buffers.staging().take();
        try {
            ByteBuffer place = copy.asByteBuffer().limit(dataLeft);
            long count = readPair(wire, place, bytes);
            to.take(copy, 0, place.position());
            consume(place.position());
            return count;
        } finally {
            buffers.staging().give(copy);
        }
    }

    private long readPair(Wire wire, ByteBuffer place, ByteBuffer bytes) throws IOException {
        bytes.limit(LinkBuffers.BEHIND_TRANSFER).position(end);
        pair[0] = place;
        pair[1] = bytes;
        asked = place.remaining() + bytes.remaining();
        long count = wire.read(pair);
        end = bytes.position();
        return count;
    }

    private void consume(int count) {
        dataLeft -= count;
        moved |= count > 0;
        if (dataLeft == 0) {
            endPiece();
        }
    }

    // ---- taking apart

    private int parse(FrameHandler handler, int limit) throws ProtocolException {
        int handled = 0;
        while (stage == Stage.OPEN && pastData() && end - start >= Frames.HEADER_BYTES) {
            long header = memory.get(Frames.LONG, start);
            int type = Frames.type(header);
            int length = Frames.length(header);
            if (!Frames.isPlain(header) || length < 0) {
                throw malformed(header);
            }
            if (type == Frames.FRAME) {
                if (length > maximumFrame) {
                    throw malformed(header);
                }
                int total = Frames.bytes(length);
                if (end - start < total) {
                    return handled;
                }
                if (handled == limit) {
                    leftover = true;
                    return handled;
                }
                int at = start + Frames.HEADER_BYTES;
                start += total; // first: a handler may throw
                handled++;
                handler.onFrame(peer, memory, at, length);
            } else if (!(isData(type) ? beginPiece(header) : control(header))) {
                return handled;
            }
        }
        return handled;
    }

    private static boolean isData(int type) {
        return type == Frames.GET_DATA || type == Frames.PUT_DATA;
    }

    /** Takes what the buffer holds of a piece of data; true if the next header follows. */
    private boolean pastData() {
        IncomingTransfer to = transfer;
        if (to != null && dataLeft > 0) {
            int count = Math.min(dataLeft, end - start);
            to.take(memory, start, count);
            start += count;
            consume(count);
        }
        if (dataLeft > 0) {
            return false;
        }
        int skipped = Math.min(paddingLeft, end - start);
        start += skipped;
        paddingLeft -= skipped;
        return paddingLeft == 0;
    }

    private boolean beginPiece(long header) throws ProtocolException {
        int length = Frames.length(header) - Frames.TRANSFER_BYTES;
        if (length <= 0 || length > Frames.DATA_BYTES) {
            throw malformed(header);
        }
        if (end - start < Frames.HEADER_BYTES + Frames.TRANSFER_BYTES) {
            return false;
        }
        long id = memory.get(Frames.LONG, start + Frames.HEADER_BYTES);
        start += Frames.HEADER_BYTES + Frames.TRANSFER_BYTES;
        transferType = Frames.type(header);
        IncomingTransfer to = events.onData(transferType, id);
        if (length > to.missing()) {
            throw new ProtocolException(
                    "it has sent " + length + " bytes of a transfer of which only " + to.missing() + " were missing");
        }
        transfer = to;
        dataLeft = length;
        paddingLeft = Frames.padded(length) - length;
        return true;
    }

    private void endPiece() {
        IncomingTransfer to = transfer;
        if (to != null) {
            transfer = null;
            events.onPiece(transferType, to);
        }
    }

    private boolean control(long header) throws ProtocolException {
        int type = Frames.type(header);
        int length = bodyLength(type);
        if (length != Frames.length(header)) {
            throw malformed(header);
        }
        int body = start + Frames.HEADER_BYTES;
        if (end - body < length) {
            return false;
        }
        start = body + length;
        switch (type) {
            case Frames.GET, Frames.PUT ->
                events.onRequest(type, word(body, 0), word(body, 1), word(body, 2), word(body, 3));
            case Frames.DONE -> events.onDone(word(body, 0));
            case Frames.REFUSED -> events.onRefused(word(body, 0), word(body, 1));
            case Frames.ABANDONED -> events.onAbandoned(word(body, 0));
            case Frames.LOST -> events.onLost(word(body, 0));
            case Frames.GOODBYE -> end(Stage.GOODBYE);
            case Frames.LAST -> end(Stage.LAST);
            default -> {} // a sign of life
        }
        return true;
    }

    private static int bodyLength(int type) {
        return switch (type) {
            case Frames.ALIVE, Frames.GOODBYE, Frames.LAST -> 0;
            case Frames.DONE, Frames.ABANDONED, Frames.LOST -> Long.BYTES;
            case Frames.REFUSED -> 2 * Long.BYTES;
            case Frames.GET, Frames.PUT -> Frames.REQUEST_BYTES;
            default -> -1;
        };
    }

    private long word(int body, int index) {
        return memory.get(Frames.LONG, body + (long) index * Long.BYTES);
    }

    private static ProtocolException malformed(long header) {
        return new ProtocolException("it has sent a frame of type " + Frames.type(header) + " and length "
                + Frames.length(header) + (Frames.isPlain(header) ? "" : " with unknown bits") + ", which none has");
    }
}
