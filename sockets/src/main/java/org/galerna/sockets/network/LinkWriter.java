package org.galerna.sockets.network;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.BooleanSupplier;
import org.galerna.link.Channel;
import org.galerna.memory.ByteRingConsumer;

/** Writes {@linkplain LinkMessage messages} and bytes of streams to a link. Any thread. */
final class LinkWriter {
    private static final byte[] NOTHING = {};

    private final Channel channel;
    private final int mostBytes;
    private final BooleanSupplier ended;

    /**
     * A writer.
     *
     * @param mostBytes longest piece of a stream in one frame, in bytes
     * @param ended whether the link is of no use any more
     */
    LinkWriter(Channel channel, int mostBytes, BooleanSupplier ended) {
        this.channel = channel;
        this.mostBytes = mostBytes;
        this.ended = ended;
    }

    /** Longest piece of a stream in one frame, in bytes. */
    int mostBytes() {
        return mostBytes;
    }

    /** Sends a message; false if the link does not take it at present. */
    boolean send(int kind, int id, long value) {
        return send(kind, id, value, NOTHING);
    }

    /** Sends a message that has more behind its header; false as above. */
    boolean send(int kind, int id, long value, byte[] more) {
        long claim = claim(LinkMessage.HEADER_BYTES + more.length);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        MemorySegment memory = channel.memory();
        long offset = Channel.offset(claim);
        LinkMessage.header(memory, offset, kind, id, value);
        MemorySegment.copy(more, 0, memory, ValueLayout.JAVA_BYTE, offset + LinkMessage.HEADER_BYTES, more.length);
        channel.commit(claim, LinkMessage.HEADER_BYTES + more.length);
        return true;
    }

    /** Sends the next bytes of a stream, which are there; false as above. */
    boolean send(int id, long before, ByteRingConsumer source, int count) {
        long claim = claim(LinkMessage.HEADER_BYTES + count);
        if (claim < 0) {
            return false;
        }
        MemorySegment memory = channel.memory();
        long offset = Channel.offset(claim);
        LinkMessage.header(memory, offset, LinkMessage.DATA, id, before);
        source.read(memory, offset + LinkMessage.HEADER_BYTES, count);
        channel.commit(claim, LinkMessage.HEADER_BYTES + count);
        return true;
    }

    private long claim(int length) {
        return ended.getAsBoolean() ? Channel.CLOSED : channel.claim(length);
    }

    /** Sets on its way what was sent. */
    void flush() {
        channel.flush();
    }
}
