package org.galerna.messaging.dispatch;

import java.util.ArrayList;
import java.util.List;
import org.galerna.messaging.flow.Advance;
import org.galerna.messaging.flow.AdvanceHolder;
import org.galerna.messaging.serialization.Importer;

/** One message that came in pieces, complete. */
public final class WholeMessage extends WorkItem implements AdvanceHolder {
    private final List<Batch> batches;
    private final long length;
    private final int unconfirmed;
    private boolean hasAdvance;

    public WholeMessage(List<Batch> batches, long length, Advance.Rest rest) {
        this.batches = new ArrayList<>(batches);
        this.length = length;
        this.unconfirmed = rest.bytes();
        this.hasAdvance = rest.hasAdvance();
    }

    @Override
    public void open(Deliverer deliverer) {
        if (deliverer.deliver(origin(), this)) {
            processed();
        }
    }

    /** With its header, in bytes. */
    long length() {
        return length;
    }

    /** Its receiver has returned. */
    void processed() {
        origin().processed(1, unconfirmed);
        giveUpAdvance();
    }

    @Override
    public void giveUpAdvance() {
        if (hasAdvance) {
            hasAdvance = false;
            origin().processed(0, origin().advance().end());
        }
    }

    public byte[] first() {
        return batches.getFirst().memory;
    }

    /** Begins to read after the header. */
    public void begin(Importer in, int headerBytes, int version) {
        begin(in, batches, length, headerBytes, version);
    }

    public static void begin(Importer in, List<Batch> batches, long length, int headerBytes, int version) {
        int first = batches.getFirst().used();
        int[] next = {1};
        Importer.Source source = importer -> {
            Batch batch = batches.get(next[0]++);
            importer.resume(batch.memory, 0, batch.used());
        };
        in.begin(batches.getFirst().memory, headerBytes, first - headerBytes, length - first, source, version);
    }

    @Override
    public int messages() {
        return 1;
    }

    @Override
    public void discard() {
        batches.forEach(Batch::discard);
    }
}
