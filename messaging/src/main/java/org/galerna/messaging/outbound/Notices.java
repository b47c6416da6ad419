package org.galerna.messaging.outbound;

import static org.galerna.messaging.wire.Frames.LONG;

import java.lang.foreign.MemorySegment;
import org.galerna.link.Channel;
import org.galerna.messaging.wire.Frames;

/** Frames that say something of the connection itself. */
final class Notices {
    private Notices() {}

    /** Sends a frame that is nothing but a kind; false if there is no room at the moment. */
    static boolean say(Channel channel, int kind) {
        long claim = channel.claim(Frames.HEADER_BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        channel.memory().set(LONG, Channel.offset(claim), Frames.header(kind, 0, 0));
        channel.commit(claim, Frames.HEADER_BYTES);
        channel.flush();
        return true;
    }

    /** Says how much was processed; false if there is no room at the moment. It is sent when the channel is flushed. */
    static boolean confirm(Channel channel, int messages, int bytes) {
        long claim = channel.claim(Frames.CONFIRM_BYTES);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        MemorySegment memory = channel.memory();
        long at = Channel.offset(claim);
        memory.set(LONG, at, Frames.CONFIRM);
        memory.set(LONG, at + Long.BYTES, (messages & 0xffffffffL) | (long) bytes << 32);
        channel.commit(claim, Frames.CONFIRM_BYTES);
        return true;
    }
}
