package org.galerna.messaging.connection;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.dispatch.Batch;
import org.galerna.messaging.dispatch.BatchPool;
import org.galerna.messaging.dispatch.WholeMessage;
import org.galerna.messaging.dispatch.WorkItem;
import org.galerna.messaging.flow.Advance;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;
import org.galerna.messaging.wire.Frames;

/** The message of a connection that comes in pieces. Nobody sees it before it is complete. Used by the polling thread. */
final class Assembly {
    private final BatchPool batches;
    private final long longest;
    private final List<Batch> pieces = new ArrayList<>();
    private long whole;
    private long have;
    private long begun;

    Assembly(BatchPool batches, long longest) {
        this.batches = batches;
        this.longest = longest;
    }

    void begin(long length) {
        if (whole != 0) {
            throw new MalformedMessageException("a message in pieces begins within another one");
        }
        if (length < Frames.REQUEST_HEADER_BYTES || length > longest) {
            throw new MalformedMessageException(
                    "a message in pieces has " + length + " bytes, and at most " + longest + " are taken");
        }
        whole = length;
        begun = System.nanoTime();
    }

    void add(MemorySegment memory, long offset, int length) {
        if (length > whole - have) {
            throw new MalformedMessageException("a message in pieces is longer than it said");
        }
        long from = offset;
        int left = length;
        while (left > 0) {
            Batch batch = pieces.isEmpty() ? null : pieces.getLast();
            if (batch == null || batch.room() == 0) {
                batch = batches.take();
                pieces.add(batch);
            }
            int fitting = Math.min(left, batch.room());
            batch.addBytes(memory, from, fitting);
            from += fitting;
            left -= fitting;
        }
        have += length;
    }

    void complete() {
        if (whole == 0 || have != whole) {
            throw new MalformedMessageException("a message in pieces has " + have + " bytes, and not " + whole);
        }
    }

    long header() {
        return Frames.word(pieces.getFirst().memory(), 0);
    }

    /** Of a request: puts the end of its time where it says how much it had left when it began to come. */
    void startLimit() {
        byte[] first = pieces.getFirst().memory();
        long left = Frames.word(first, Frames.LIMIT_OFFSET);
        Frames.setWord(first, Frames.LIMIT_OFFSET, Frames.deadline(begun, left));
    }

    long request() {
        return Frames.word(pieces.getFirst().memory(), Frames.HEADER_BYTES);
    }

    void begin(Importer importer, int version) {
        WholeMessage.begin(importer, pieces, whole, Frames.RESPONSE_HEADER_BYTES, version);
    }

    /** Hands the message over, and is ready for the next one. */
    WorkItem item(Advance.Rest rest) {
        WorkItem item = new WholeMessage(pieces, whole, rest);
        pieces.clear();
        whole = 0;
        have = 0;
        return item;
    }

    void clear() {
        pieces.forEach(Batch::discard);
        pieces.clear();
        whole = 0;
        have = 0;
    }
}
