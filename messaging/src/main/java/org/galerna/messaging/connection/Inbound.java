package org.galerna.messaging.connection;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.galerna.messaging.wire.Frames.HEADER_BYTES;
import static org.galerna.messaging.wire.Frames.LONG;
import static org.galerna.messaging.wire.Frames.RESPONSE_HEADER_BYTES;

import java.lang.foreign.MemorySegment;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.dispatch.Batch;
import org.galerna.messaging.dispatch.Origin;
import org.galerna.messaging.dispatch.WorkItem;
import org.galerna.messaging.flow.Credit;
import org.galerna.messaging.pending.PendingRequest;
import org.galerna.messaging.pending.RequestRoute;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.support.ThrownText;
import org.galerna.messaging.wire.Failures;
import org.galerna.messaging.wire.Frames;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of a connection, used by the polling thread: copies messages into batches for the handlers, so that
 * the link's memory is free again at once, and ends requests whose responses have come.
 */
final class Inbound implements FrameHandler {
    /** The connection that it belongs to. */
    interface Owner extends Origin, RequestRoute {
        /** Bytes that were handled so far. */
        long handledBytes();

        /** The other side would like to end the connection. By the polling thread. */
        void goodbyeHeard();

        /** The other side does not want to end the connection. By the polling thread. */
        void stayHeard();
    }

    private final Owner connection;
    private final ReceiveContext context;
    private final Link link;
    private final Credit credit;
    private final Importer importer = new Importer();
    private final Assembly messages;
    private final Assembly responses;
    private @Nullable Batch ordered;
    private @Nullable Batch concurrent;
    private byte[] scratch = new byte[256];
    private int processedBytes;
    private int processedMessages;
    private int confirmations;
    private @Nullable String lost;
    private final long window;
    private long taken; // bytes that have come and that count
    private long handled; // of them, when that was asked last

    Inbound(Owner connection, ReceiveContext context, Link link, Credit credit, int window) {
        this.window = window;
        this.connection = connection;
        this.context = context;
        this.link = link;
        this.credit = credit;
        this.messages = new Assembly(context.batches(), context.maximumMessage());
        this.responses = new Assembly(context.batches(), context.maximumMessage());
    }

    /** Of the last poll. */
    int confirmations() {
        return confirmations;
    }

    /** Takes what is there; returns the number of frames. */
    int poll(int limit) {
        confirmations = 0;
        int handled = link.poll(this, limit);
        if (handled > 0) {
            seal(true);
            seal(false);
            if (processedBytes > 0) {
                int count = processedMessages;
                int bytes = processedBytes;
                processedMessages = 0;
                processedBytes = 0;
                connection.processed(count, bytes);
            }
        }
        String reason = lost;
        if (reason != null) {
            lost = null;
            connection.lose(reason);
        }
        return handled;
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        lost = reason;
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        if (lost != null) {
            return;
        }
        try {
            if (length < HEADER_BYTES) {
                throw new MalformedMessageException("a frame has " + length + " bytes");
            }
            take(memory, offset, length, memory.get(LONG, offset));
            checkWindow();
        } catch (MalformedMessageException malformed) {
            lost = "it does not keep to the protocol: " + malformed.getMessage();
        } catch (Throwable thrown) { // such as no memory; what has come is incomplete from here on
            lost = "what it has sent could not be taken: " + ThrownText.describe(thrown);
        }
    }

    private void take(MemorySegment memory, long offset, int length, long header) {
        int kind = Frames.kind(header);
        switch (kind) {
            case Frames.MESSAGE, Frames.REQUEST -> {
                check(length >= Frames.headerBytes(kind) && Credit.cost(length) <= Batch.BYTES, length);
                room(context.receivers().isOrdered(Frames.type(header)), Credit.cost(length))
                        .addFrame(memory, offset, length, header);
                taken += Credit.cost(length);
            }
            case Frames.MANY -> takeMany(memory, offset, length, (int) (header >>> Integer.SIZE));
            case Frames.RESPONSE, Frames.FAILURE -> {
                check(length >= RESPONSE_HEADER_BYTES, length);
                byte[] response = scratch(length);
                MemorySegment.copy(memory, JAVA_BYTE, offset, response, 0, length);
                importer.begin(response, RESPONSE_HEADER_BYTES, length - RESPONSE_HEADER_BYTES, Frames.version(header));
                respond(header, memory.get(LONG, offset + HEADER_BYTES));
                taken += Credit.cost(length);
                processed(1, Credit.cost(length));
            }
            case Frames.PIECE -> takePiece(memory, offset, length, Frames.version(header));
            case Frames.ABANDON -> {
                boolean ofResponse = isOfResponse(Frames.version(header));
                (ofResponse ? responses : messages).clear();
                taken += Credit.cost(length);
                processed(
                        1,
                        Credit.cost(length)
                                + (ofResponse ? 0 : connection.advance().abandon()));
            }
            case Frames.GOODBYE -> connection.goodbyeHeard();
            case Frames.STAY -> connection.stayHeard();
            case Frames.CONFIRM -> {
                check(length == Frames.CONFIRM_BYTES, length);
                confirmations++;
                long counts = memory.get(LONG, offset + HEADER_BYTES);
                if (!credit.confirm((int) counts, (int) (counts >>> 32))) {
                    throw new MalformedMessageException("it confirms more than was sent");
                }
            }
            default -> throw new MalformedMessageException("a frame is of kind " + kind);
        }
    }

    /** Whoever keeps to the window never gets this far; what is read here is what both sides count. */
    private void checkWindow() {
        if (taken - handled - processedBytes > window) {
            handled = connection.handledBytes();
            if (taken - handled - processedBytes > window) {
                throw new MalformedMessageException("it has sent " + (taken - handled - processedBytes)
                        + " bytes that are not handled, and " + window + " may be");
            }
        }
    }

    private static void check(boolean possible, int length) {
        if (!possible) {
            throw new MalformedMessageException("a frame has " + length + " bytes");
        }
    }

    private void processed(int count, int bytes) {
        processedMessages += count;
        processedBytes += bytes;
    }

    // ---- messages

    /** What the other side can still change is copied first, and then checked. */
    private void takeMany(MemorySegment memory, long offset, int length, int count) {
        int bytes = length - HEADER_BYTES;
        check(bytes >= 0 && bytes <= Batch.BYTES, length);
        long first = bytes >= HEADER_BYTES ? memory.get(LONG, offset + HEADER_BYTES) : 0;
        boolean toOrdered = context.receivers().isOrdered(Frames.type(first));
        Batch batch = room(toOrdered, bytes);
        int from = batch.stage(memory, offset + HEADER_BYTES, bytes);
        taken += bytes;
        int ofOrdered = countOrdered(batch.memory(), from, from + bytes, count);
        if (ofOrdered == (toOrdered ? count : 0)
                && (toOrdered || context.dispatcher().concurrentBatch() == Integer.MAX_VALUE)) {
            batch.addStaged(bytes, count);
            return;
        }
        byte[] mixed = scratch(bytes);
        System.arraycopy(batch.memory(), from, mixed, 0, bytes);
        for (int at = 0; at < bytes; ) {
            long header = Frames.word(mixed, at);
            int each = Frames.length(header);
            room(context.receivers().isOrdered(Frames.type(header)), Credit.cost(each))
                    .addFrame(mixed, at, each);
            at += Credit.cost(each);
        }
    }

    /** Checks the lengths of messages that lie one behind the other; returns how many are to be handled in order. */
    private int countOrdered(byte[] memory, int from, int end, int count) {
        int found = 0;
        int ofOrdered = 0;
        int known = -1; // kind, version and type of the one before, which the next one mostly has as well
        int one = 0;
        for (int at = from; at < end; found++) {
            long header = end - at >= HEADER_BYTES ? Frames.word(memory, at) : 0;
            int each = Frames.length(header);
            if (each < HEADER_BYTES || each > Batch.BYTES || Credit.cost(each) > end - at) {
                throw new MalformedMessageException("a message among many has " + each + " bytes");
            }
            if ((int) header != known) {
                if (Frames.kind(header) != Frames.MESSAGE) {
                    throw new MalformedMessageException("one of many is of kind " + Frames.kind(header));
                }
                known = (int) header;
                one = context.receivers().isOrdered(Frames.type(header)) ? 1 : 0;
            }
            ofOrdered += one;
            at += Credit.cost(each);
        }
        if (found != count) {
            throw new MalformedMessageException("a frame of " + count + " messages has " + found);
        }
        return ofOrdered;
    }

    private byte[] scratch(int bytes) {
        if (scratch.length < bytes) {
            scratch = new byte[Math.max(bytes, 2 * scratch.length)];
        }
        return scratch;
    }

    /** A batch with room for so many bytes. */
    private Batch room(boolean toOrdered, int bytes) {
        Batch batch = toOrdered ? ordered : concurrent;
        if (batch != null && (batch.room() < bytes || isFull(batch, toOrdered))) {
            seal(toOrdered);
            batch = null;
        }
        if (batch == null) {
            batch = context.batches().take();
            if (toOrdered) {
                ordered = batch;
            } else {
                concurrent = batch;
            }
        }
        return batch;
    }

    /** What may be handled concurrently is spread over the handlers. */
    private boolean isFull(Batch batch, boolean toOrdered) {
        return !toOrdered && batch.frames() >= context.dispatcher().concurrentBatch();
    }

    private void seal(boolean ofOrdered) {
        Batch batch = ofOrdered ? ordered : concurrent;
        if (batch != null) {
            if (ofOrdered) {
                ordered = null;
            } else {
                concurrent = null;
            }
            batch.address(connection, ofOrdered);
            context.dispatcher().add(batch);
        }
    }

    // ---- pieces

    private static boolean isOfResponse(int marks) {
        return (marks & Frames.OF_RESPONSE) != 0;
    }

    private void takePiece(MemorySegment memory, long offset, int length, int marks) {
        boolean ofResponse = isOfResponse(marks);
        Assembly assembly = ofResponse ? responses : messages;
        int headerBytes = HEADER_BYTES;
        if ((marks & Frames.FIRST) != 0) {
            check(length >= HEADER_BYTES + Long.BYTES + RESPONSE_HEADER_BYTES, length);
            assembly.begin(memory.get(LONG, offset + HEADER_BYTES));
            headerBytes += Long.BYTES;
        }
        assembly.add(memory, offset + headerBytes, length - headerBytes);
        int cost = Credit.cost(length);
        taken += cost;
        if ((marks & Frames.LAST) == 0) {
            // the thread that asks takes the response; it is handled here when it is complete
            processed(0, ofResponse ? cost : connection.advance().addPiece(cost));
            return;
        }
        assembly.complete();
        long header = assembly.header();
        int kind = Frames.kind(header);
        if (ofResponse != kind >= Frames.RESPONSE) {
            throw new MalformedMessageException("pieces are of kind " + kind);
        }
        switch (kind) {
            case Frames.MESSAGE, Frames.REQUEST -> {
                if (Frames.kind(header) == Frames.REQUEST) {
                    assembly.startLimit();
                }
                boolean toOrdered = context.receivers().isOrdered(Frames.type(header));
                seal(toOrdered);
                WorkItem message = assembly.item(connection.advance().complete(cost));
                message.address(connection, toOrdered);
                context.dispatcher().add(message);
            }
            case Frames.RESPONSE, Frames.FAILURE -> {
                assembly.begin(importer, Frames.version(header));
                respond(header, assembly.request());
                assembly.clear();
                processed(1, cost);
            }
            default -> throw new MalformedMessageException("pieces are of kind " + kind);
        }
    }

    // ---- responses

    private void respond(long header, long id) {
        PendingRequest request = context.requests().take(id, connection);
        if (request == null) {
            context.counters().countLate();
            importer.end();
            return;
        }
        Object response = null;
        MessagingException failure = null;
        try {
            if (Frames.kind(header) == Frames.FAILURE) {
                failure = new MessagingException(
                        Failures.reason(Frames.version(header)),
                        "node " + connection.peer() + " could not answer: " + importer.readString());
            } else {
                response = context.types().of(Frames.type(header)).serializer().read(importer, null);
                if (response == null) {
                    throw new IllegalStateException("its serializer has read null");
                }
            }
        } catch (Throwable unreadable) { // whatever it is, this thread may be that of somebody else
            failure = new MessagingException(
                    MessagingException.Reason.REMOTE,
                    "the response of node " + connection.peer() + " cannot be read: " + ThrownText.describe(unreadable),
                    unreadable);
        } finally {
            importer.end();
        }
        context.counters().countResponse();
        context.completions().endAfterwards(request, response, failure);
    }

    /** Gives everything back; the connection is gone, and nobody polls it any more. */
    void close() {
        seal(true);
        seal(false);
        messages.clear();
        responses.clear();
    }
}
