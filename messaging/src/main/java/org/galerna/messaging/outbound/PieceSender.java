package org.galerna.messaging.outbound;

import org.galerna.link.Channel;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.flow.SendResult;
import org.galerna.messaging.waiting.WaitLine;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.WireType;

/**
 * Sends messages that are longer than a frame over a connection: one at a time, and responses beside messages, so that they need
 * not wait for one that waits for the window. Any number of threads may call.
 */
final class PieceSender {
    /** What a thread that sends one long message after the other does between two. */
    private static final long SILENCE_NANOS = 100_000;

    private final SendContext context;
    private final Channel channel;
    private final Credit credit;
    private final int longestFrame;
    private final long longestMessage;
    private final RoomWait.Sender sender;
    private final WaitLine room;
    private final WaitLine messages = new WaitLine(SILENCE_NANOS);
    private final WaitLine responses = new WaitLine(SILENCE_NANOS);

    /**
     * Nothing is sent yet.
     *
     * @param longestMessage bytes of a message that the other side takes, at most
     * @param room where threads wait for the window
     */
    PieceSender(
            SendContext context,
            Channel channel,
            Credit credit,
            int longestFrame,
            long longestMessage,
            RoomWait.Sender sender,
            WaitLine room) {
        this.context = context;
        this.channel = channel;
        this.credit = credit;
        this.longestFrame = longestFrame;
        this.longestMessage = longestMessage;
        this.sender = sender;
        this.room = room;
    }

    /** Fails if one of both nodes does not want messages of that length. */
    void checkLength(WireType<?> type, long length) {
        context.checkLength(type, length);
        SendContext.checkLength(type, length, longestMessage, "the other node takes");
    }

    /**
     * Sends, waiting for room.
     *
     * @param length of the whole message, with its header
     * @param end until when it may wait, as of {@link System#nanoTime}
     * @return {@link SendResult#SENT} or {@link SendResult#CLOSED}
     */
    <T> int send(WireType<T> type, int kind, long id, T message, long length, long end) {
        SendScratch scratch = SendScratch.ofThread();
        scratch.giveUpAdvance();
        boolean response = kind >= Frames.RESPONSE;
        WaitLine way = response ? responses : messages;
        RoomWait wait = new RoomWait();
        wait.begin(scratch, context.progress(), end, sender, response ? null : room, true);
        if (way.isOccupiedByCaller()) {
            throw new IllegalStateException("a serializer must not send");
        }
        if (!way.enter(true, end)) {
            throw RoomWait.late();
        }
        try {
            PieceWriter writer =
                    new PieceWriter(channel, credit, longestFrame, wait, response, response ? Frames.OF_RESPONSE : 0);
            boolean sent = writer.write(type, kind, id, message, length, end);
            channel.flush();
            if (!sent) {
                return SendResult.CLOSED;
            }
            scratch.countSent(context, type, length);
            return SendResult.SENT;
        } finally {
            room.leave(); // the next one will need room as well
            way.vacate();
        }
    }
}
