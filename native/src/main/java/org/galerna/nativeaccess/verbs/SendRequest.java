package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.nativeaccess.call.ByteOrders;

/** One work request for the send queue, filled in again and again. One thread's at a time. */
public final class SendRequest {
    private static final int SGE = VerbsLayout.SEND_BYTES;
    private static final int BAD = SGE + VerbsLayout.SGE_BYTES;
    private static final int BYTES = BAD + Long.BYTES;

    private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
    private final long address = memory.address();

    /** A request that is not filled in yet. */
    public SendRequest() {
        memory.set(JAVA_LONG, VerbsLayout.SEND_SGES, address + SGE);
    }

    long address() {
        return address;
    }

    long bad() {
        return address + BAD;
    }

    /**
     * A message to the other side.
     *
     * @param id number of the request, which its completion has
     * @param from its first byte
     * @param length bytes; of none at all, neither address nor key matter
     * @param localKey of the region that it lies in; of no importance if {@code inline}
     * @param inline whether its bytes are taken at once
     * @param signaled whether its success is worth a completion
     */
    public SendRequest send(long id, long from, int length, int localKey, boolean inline, boolean signaled) {
        fill(
                id,
                VerbsLayout.OPCODE_SEND,
                (inline ? VerbsLayout.FLAG_INLINE : 0) | (signaled ? VerbsLayout.FLAG_SIGNALED : 0),
                from,
                length,
                localKey);
        return this;
    }

    /** Adds a word to the message of the last {@link #send}. */
    public SendRequest withImmediate(int word) {
        memory.set(JAVA_INT, VerbsLayout.SEND_OPCODE, VerbsLayout.OPCODE_SEND_WITH_IMMEDIATE);
        memory.set(JAVA_INT, VerbsLayout.SEND_IMMEDIATE, ByteOrders.network(word));
        return this;
    }

    /** Writes into memory of the other side, with a completion on this one. */
    public SendRequest write(long id, long from, int length, int localKey, long to, int remoteKey) {
        fill(id, VerbsLayout.OPCODE_WRITE, VerbsLayout.FLAG_SIGNALED, from, length, localKey);
        memory.set(JAVA_LONG, VerbsLayout.SEND_REMOTE_ADDRESS, to);
        memory.set(JAVA_INT, VerbsLayout.SEND_RKEY, remoteKey);
        return this;
    }

    /** Reads memory of the other side, with a completion on this one. */
    public SendRequest read(long id, long to, int length, int localKey, long from, int remoteKey) {
        fill(id, VerbsLayout.OPCODE_READ, VerbsLayout.FLAG_SIGNALED, to, length, localKey);
        memory.set(JAVA_LONG, VerbsLayout.SEND_REMOTE_ADDRESS, from);
        memory.set(JAVA_INT, VerbsLayout.SEND_RKEY, remoteKey);
        return this;
    }

    private void fill(long id, int opcode, int flags, long local, int length, int localKey) {
        memory.set(JAVA_LONG, VerbsLayout.SEND_ID, id);
        memory.set(JAVA_INT, VerbsLayout.SEND_SGE_COUNT, length == 0 ? 0 : 1);
        memory.set(JAVA_INT, VerbsLayout.SEND_OPCODE, opcode);
        memory.set(JAVA_INT, VerbsLayout.SEND_FLAGS, flags);
        memory.set(JAVA_LONG, SGE + VerbsLayout.SGE_ADDRESS, local);
        memory.set(JAVA_INT, SGE + VerbsLayout.SGE_LENGTH, length);
        memory.set(JAVA_INT, SGE + VerbsLayout.SGE_LKEY, localKey);
    }
}
