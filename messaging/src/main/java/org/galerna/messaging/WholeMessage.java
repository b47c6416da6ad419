package org.galerna.messaging;

import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.serialization.Importer;

/** One message that came in pieces, complete. */
final class WholeMessage extends Parcel {
    private final List<Batch> batches;
    private final long length;
    private final int unconfirmed;
    private boolean hasAdvance;

    WholeMessage(List<Batch> batches, long length, Advance.Rest rest) {
        this.batches = new ArrayList<>(batches);
        this.length = length;
        this.unconfirmed = rest.bytes();
        this.hasAdvance = rest.hasAdvance();
    }

    @Override
    void open(Handler handler) {
        handler.deliver(connection(), this);
        connection().processed(1, unconfirmed);
        giveUpAdvance();
    }

    /** Lets another message go beyond the window. By the handler; idempotent. */
    void giveUpAdvance() {
        if (hasAdvance) {
            hasAdvance = false;
            connection().processed(0, connection().advance().end());
        }
    }

    byte[] first() {
        return batches.getFirst().memory;
    }

    /** Begins to read after the header. */
    void begin(Importer in, int headerBytes, int version) {
        begin(in, batches, length, headerBytes, version);
    }

    static void begin(Importer in, List<Batch> batches, long length, int headerBytes, int version) {
        int first = batches.getFirst().used();
        int[] next = {1};
        Importer.Source source = importer -> {
            Batch batch = batches.get(next[0]++);
            importer.resume(batch.memory, 0, batch.used());
        };
        in.begin(batches.getFirst().memory, headerBytes, first - headerBytes, length - first, source, version);
    }

    @Override
    int messages() {
        return 1;
    }

    @Override
    void discard() {
        batches.forEach(connection().engine().batches()::giveBack);
    }
}
