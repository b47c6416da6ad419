package org.galerna.link.verbs.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import org.galerna.link.support.ControlOutbox;
import org.galerna.link.support.Frames;
import org.galerna.link.support.ProtocolException;
import org.galerna.nativeaccess.verbs.QueuePairAddress;

/**
 * What ranks say to each other about their connection, before it is there and when it ends; over the control link, whose
 * connections have proved to belong to the job.
 *
 * <p>Of two ranks the lower one always begins, so that both never do at once: when the higher one wants to connect, it asks
 * the lower one to ({@link #WANT}).
 *
 * <pre>
 *  lower rank                                            higher rank
 *             ---  CALL (what it has, queue pair)   --&gt;
 *             &lt;--  INVITE (the same, token)       ---
 *             ===  with RDMA CM: connect (token)  ==&gt;
 *             ---  READY                          --&gt;
 * </pre>
 *
 * <p>Until it is READY the higher rank sends nothing by the queue pair, also when RDMA CM says that it may: the lower one,
 * which has to hear the same, may wait in vain for that. It {@linkplain #CALL calls} again then, and both begin anew.
 *
 * <pre>
 *    0 +------------+------------+
 *      | kind (4)   | mtu (4)    |
 *    8 +------------+------------+
 *      | slot (4)   | credits (4)|
 *   16 +------------+------------+
 *      | flush target (8)        |
 *   24 +------------+------------+
 *      | its rkey(4)| QP (4)     |
 *   32 +------------+------------+
 *      | packet (4) | LID (4)    |
 *   40 +------------+------------+
 *      | GID (16)                |
 *   56 +-------------------------+
 *      | token (16)              |
 *   72 +-------------------------+
 *      | messages sent (8)       |
 *   80 +-------------------------+
 * </pre>
 *
 * @param token random bytes that the RDMA CM connection is to show
 * @param messages of a rank that leaves: how many it has sent
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record ControlMessage(int kind, PeerInfo info, byte[] token, long messages) implements ControlOutbox.Message {
    public static final int WANT = 1;
    public static final int CALL = 2;
    public static final int INVITE = 3;
    public static final int READY = 4;

    /** The sender leaves the job. */
    public static final int LEAVING = 5;

    /** The sender has lost the receiver, whose adapter may not notice while it has nothing to send. */
    public static final int LOST = 6;

    /** The receiver is to look at what has come for it. */
    public static final int ROUSE = 7;

    public static final int BYTES = 80;
    public static final int TOKEN_BYTES = 16;

    private static final int GID_BYTES = 16;
    private static final QueuePairAddress NO_PAIR = new QueuePairAddress(0, 0, 0, new byte[GID_BYTES]);
    private static final PeerInfo NO_INFO = new PeerInfo(0, 0, 0, 0, 0, NO_PAIR);
    private static final byte[] NO_TOKEN = new byte[TOKEN_BYTES];

    public static ControlMessage of(int kind) {
        return new ControlMessage(kind, NO_INFO, NO_TOKEN, 0);
    }

    public static ControlMessage leaving(long messages) {
        return new ControlMessage(LEAVING, NO_INFO, NO_TOKEN, messages);
    }

    @Override
    public int bytes() {
        return BYTES;
    }

    @Override
    public void write(MemorySegment memory, long at) {
        memory.set(Frames.INT, at, kind);
        memory.set(Frames.INT, at + 4, info.mtu());
        memory.set(Frames.INT, at + 8, info.slotBytes());
        memory.set(Frames.INT, at + 12, info.credits());
        memory.set(Frames.LONG, at + 16, info.flushAddress());
        memory.set(Frames.INT, at + 24, info.flushKey());
        memory.set(Frames.INT, at + 28, info.address().number());
        memory.set(Frames.INT, at + 32, info.address().firstPacket());
        memory.set(Frames.INT, at + 36, info.address().lid());
        MemorySegment.copy(info.address().gid(), 0, memory, JAVA_BYTE, at + 40, GID_BYTES);
        MemorySegment.copy(token, 0, memory, JAVA_BYTE, at + 56, TOKEN_BYTES);
        memory.set(Frames.LONG, at + 72, messages);
    }

    public static ControlMessage read(MemorySegment memory, long at, int length) throws ProtocolException {
        if (length != BYTES) {
            throw new ProtocolException("a control message of " + length + " bytes");
        }
        byte[] gid = memory.asSlice(at + 40, GID_BYTES).toArray(JAVA_BYTE);
        QueuePairAddress address = new QueuePairAddress(
                memory.get(Frames.INT, at + 28), memory.get(Frames.INT, at + 32), memory.get(Frames.INT, at + 36), gid);
        PeerInfo info = new PeerInfo(
                memory.get(Frames.INT, at + 8),
                memory.get(Frames.INT, at + 12),
                memory.get(Frames.INT, at + 4),
                memory.get(Frames.LONG, at + 16),
                memory.get(Frames.INT, at + 24),
                address);
        ControlMessage message = new ControlMessage(
                memory.get(Frames.INT, at),
                info,
                memory.asSlice(at + 56, TOKEN_BYTES).toArray(JAVA_BYTE),
                memory.get(Frames.LONG, at + 72));
        if (message.kind < WANT || message.kind > ROUSE || message.messages < 0) {
            throw new ProtocolException("a control message of kind " + message.kind);
        }
        return message;
    }
}
