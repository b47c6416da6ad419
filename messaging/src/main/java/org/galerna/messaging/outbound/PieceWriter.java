package org.galerna.messaging.outbound;

import static org.galerna.messaging.wire.Frames.LONG;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.WireType;

/** Writes one object into as many frames as it needs, waiting for room between them. Used by one thread, once. */
public final class PieceWriter {
    /** Thrown through a serializer when the connection is gone. */
    private static final class Gone extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Gone() {
            super("the connection is gone", null, false, false);
        }
    }

    private final Channel channel;
    private final Credit credit;
    private final int pieceBytes;
    private final RoomWait wait;
    private final boolean overdraft;
    private final int way;
    private final Exporter out = new Exporter(this::next);
    private long claim = -1;
    private int headerOfPiece;
    private long written;
    private long whole;
    private int marks;
    private boolean committed;

    public PieceWriter(Channel channel, Credit credit, int pieceBytes, RoomWait wait, boolean overdraft, int way) {
        this.channel = channel;
        this.credit = credit;
        this.pieceBytes = pieceBytes;
        this.wait = wait;
        this.overdraft = overdraft;
        this.way = way;
    }

    /**
     * False if the connection is gone; then nothing of the object is received.
     *
     * @param deadline of a request
     */
    public <T> boolean write(WireType<T> type, int kind, long id, T message, long length, long deadline) {
        whole = length;
        boolean complete = false;
        try {
            begin(Frames.FIRST);
            out.writeLong(Frames.header(kind, type.version(), type.id()));
            if (kind != Frames.MESSAGE) {
                out.writeLong(id);
            }
            if (kind == Frames.REQUEST) {
                out.writeLong(deadline - System.nanoTime());
            }
            type.serializer().write(message, out);
            written += out.written();
            if (written != whole) {
                throw new IllegalStateException("a message of " + type + " changes while it is sent: " + whole
                        + " bytes were announced, and " + written + " written");
            }
            complete = true;
            commit(Frames.LAST);
            return true;
        } catch (Gone gone) {
            return false;
        } finally {
            out.end();
            if (!complete) {
                abandon();
            }
        }
    }

    private void begin(int mark) {
        int length = pieceBytes;
        int cost = Credit.cost(length);
        while (true) {
            int granted = credit.take(cost, mark == Frames.FIRST ? 1 : 0, overdraft, committed);
            if (granted == Credit.CLOSED) {
                throw new Gone();
            }
            if (granted == Credit.GRANTED) {
                claim = channel.claim(length);
                if (claim >= 0) {
                    break;
                }
                credit.giveBack(cost, mark == Frames.FIRST ? 1 : 0);
                if (claim != Channel.BACK_PRESSURE) {
                    throw new Gone();
                }
            }
            wait.await();
        }
        marks = way | mark;
        headerOfPiece = Frames.HEADER_BYTES;
        if (mark == Frames.FIRST) {
            channel.memory().set(LONG, Channel.offset(claim) + headerOfPiece, whole);
            headerOfPiece += Long.BYTES;
        }
        out.begin(channel.memory(), Channel.offset(claim) + headerOfPiece, length - headerOfPiece);
    }

    private void commit(int mark) {
        out.flush();
        int length = headerOfPiece + out.written();
        MemorySegment memory = channel.memory();
        memory.set(LONG, Channel.offset(claim), Frames.header(Frames.PIECE, marks | mark, 0));
        channel.commit(claim, length);
        claim = -1;
        committed = true;
        int less = Credit.cost(pieceBytes) - Credit.cost(length);
        if (less != 0) {
            credit.giveBack(less, 0);
        }
    }

    private void next(Exporter full) {
        written += full.written();
        if (written >= whole) {
            throw new IllegalStateException("an object is longer than the " + whole
                    + " bytes that were announced: it changes while it is sent");
        }
        commit(0);
        channel.flush();
        begin(0);
    }

    /** Lets the receiver forget what it has. */
    private void abandon() {
        if (claim >= 0) {
            channel.abort(claim);
            credit.giveBack(Credit.cost(pieceBytes), committed ? 0 : 1);
            claim = -1;
        }
        if (!committed || credit.take(Credit.cost(Frames.HEADER_BYTES), 0, true, true) != Credit.GRANTED) {
            return;
        }
        long last;
        while ((last = channel.claim(Frames.HEADER_BYTES)) == Channel.BACK_PRESSURE) {
            wait.awaitAnyway();
        }
        if (last >= 0) {
            channel.memory().set(LONG, Channel.offset(last), Frames.header(Frames.ABANDON, way, 0));
            channel.commit(last, Frames.HEADER_BYTES);
            channel.flush();
        }
    }
}
