package org.galerna.messaging.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.galerna.messaging.DecoderInputs;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.serialization.RecordSerializer;
import org.galerna.messaging.wire.Frames;
import org.galerna.messaging.wire.TypeTable;
import org.galerna.messaging.wire.WireType;

/** Frames as a node sends them, at random. */
final class SentFrames {
    record Text(String text) {}

    static final WireType<Text> ORDERED = type(1);

    /** The same class is received by another number. */
    static final WireType<Text> CONCURRENT = type(2);

    static final Duration LONG = Duration.ofMinutes(1);
    private static final int UNKNOWN = 3;

    private final Random random;

    SentFrames(Random random) {
        this.random = random;
    }

    private static WireType<Text> type(int number) {
        return new WireType<>(number, 0, Text.class, RecordSerializer.of(Text.class), null);
    }

    private byte[] text() {
        return DecoderInputs.written(new Text("abcdefghij".substring(random.nextInt(10))), ORDERED.serializer());
    }

    private int anyType() {
        return 1 + random.nextInt(UNKNOWN);
    }

    private static byte[] frame(byte[] body, long... words) {
        byte[] frame = new byte[words.length * Long.BYTES + body.length];
        for (int word = 0; word < words.length; word++) {
            Frames.setWord(frame, word * Long.BYTES, words[word]);
        }
        System.arraycopy(body, 0, frame, words.length * Long.BYTES, body.length);
        return frame;
    }

    /** A message, a request, a response or a failure. */
    private byte[] whole(int kind, long request, byte[] body) {
        return switch (kind) {
            case Frames.MESSAGE -> frame(body, Frames.header(kind, 0, anyType()));
            case Frames.REQUEST -> frame(body, Frames.header(kind, 0, anyType()), 7, LONG.toNanos());
            case Frames.RESPONSE -> frame(body, Frames.header(kind, 0, ORDERED.id()), request);
            default -> frame(body, Frames.header(kind, random.nextInt(6), TypeTable.FIRST_INTERNAL_ID), request);
        };
    }

    private byte[] many() {
        int count = 1 + random.nextInt(4);
        byte[][] messages = new byte[count][];
        for (int each = 0; each < count; each++) {
            byte[] message = whole(Frames.MESSAGE, 0, text());
            Frames.setWord(message, 0, Frames.withLength(Frames.word(message, 0), message.length));
            messages[each] = Arrays.copyOf(message, Credit.cost(message.length));
        }
        byte[] body =
                new byte[Arrays.stream(messages).mapToInt(each -> each.length).sum()];
        int at = 0;
        for (byte[] each : messages) {
            System.arraycopy(each, 0, body, at, each.length);
            at += each.length;
        }
        return frame(body, Frames.MANY | (long) count << Integer.SIZE);
    }

    /** Something that goes in pieces. */
    private List<byte[]> pieces(long request) {
        int kind = Frames.MESSAGE + random.nextInt(4);
        byte[] body = random.nextInt(100) == 0
                ? DecoderInputs.written(new Text("a".repeat(random.nextInt(9000))), ORDERED.serializer())
                : text();
        byte[] all = whole(kind, request, body);
        int response = kind >= Frames.RESPONSE ? Frames.OF_RESPONSE : 0;
        int first = Math.min(all.length, Frames.RESPONSE_HEADER_BYTES + random.nextInt(20));
        List<byte[]> pieces = new ArrayList<>();
        pieces.add(frame(
                Arrays.copyOf(all, first),
                Frames.header(Frames.PIECE, response | Frames.FIRST | (first == all.length ? Frames.LAST : 0), 0),
                all.length));
        for (int at = first; at < all.length; ) {
            int end = Math.min(all.length, at + 1 + random.nextInt(all.length));
            pieces.add(frame(
                    Arrays.copyOfRange(all, at, end),
                    Frames.header(Frames.PIECE, response | (end == all.length ? Frames.LAST : 0), 0)));
            at = end;
        }
        if (random.nextInt(8) == 0) {
            pieces.removeLast();
            pieces.add(frame(new byte[0], Frames.header(Frames.ABANDON, response, 0)));
        }
        return pieces;
    }

    /** Frames that may come after each other; {@code request} is one that waits for a response. */
    List<byte[]> plausible(long request) {
        byte[] none = {};
        int choice = random.nextInt(24);
        return switch (choice) {
            case 0 -> List.of(frame(none, random.nextBoolean() ? Frames.GOODBYE : Frames.STAY));
            case 1 -> List.of(frame(none, Frames.CONFIRM, random.nextInt(3) | (long) random.nextInt(65) << 32));
            case 2, 3, 4, 5 -> List.of(whole(Frames.MESSAGE, request, text()));
            case 6, 7, 8 -> List.of(whole(Frames.REQUEST, request, text()));
            case 9, 10 -> List.of(whole(Frames.RESPONSE, request, text()));
            case 11 -> List.of(whole(Frames.FAILURE, request, text()));
            case 12, 13, 14, 15 -> List.of(many());
            default -> pieces(request);
        };
    }
}
