package org.galerna.messaging;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.serialization.Importer;
import org.galerna.messaging.serialization.MalformedMessageException;

/** The message of a connection that comes in pieces. Nobody sees it before it is complete. Used by the polling thread. */
final class Assembly {
    private final Engine engine;
    private final long longest;
    private final List<Batch> batches = new ArrayList<>();
    private long whole;
    private long have;
    private long begun;

    Assembly(Engine engine, long longest) {
        this.engine = engine;
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
            Batch batch = batches.isEmpty() ? null : batches.getLast();
            if (batch == null || batch.room() == 0) {
                batch = engine.batches().take();
                batches.add(batch);
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
        return Frames.word(batches.getFirst().memory, 0);
    }

    /** Of a request: puts the end of its time where it says how much it had left when it began to come. */
    void startLimit() {
        byte[] first = batches.getFirst().memory;
        long left = Frames.word(first, Frames.LIMIT_OFFSET);
        Frames.setWord(first, Frames.LIMIT_OFFSET, Frames.deadline(begun, left));
    }

    long request() {
        return Frames.word(batches.getFirst().memory, Frames.HEADER_BYTES);
    }

    void begin(Importer importer, int version) {
        WholeMessage.begin(importer, batches, whole, Frames.RESPONSE_HEADER_BYTES, version);
    }

    /** Hands the message over, and is ready for the next one. */
    Parcel parcel(Advance.Rest rest) {
        Parcel parcel = new WholeMessage(batches, whole, rest);
        batches.clear();
        whole = 0;
        have = 0;
        return parcel;
    }

    void clear() {
        batches.forEach(engine.batches()::giveBack);
        batches.clear();
        whole = 0;
        have = 0;
    }
}
