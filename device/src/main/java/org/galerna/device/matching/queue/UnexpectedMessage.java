package org.galerna.device.matching.queue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.galerna.device.matching.request.Retrieval;
import org.galerna.link.Descriptor;
import org.jspecify.annotations.Nullable;

/** A message that has arrived before its receive: its bytes, or the announcement of them. Pooled. */
public final class UnexpectedMessage {
    /** The four combinations of wildcards. */
    static final int KEYS = 4;

    /** Places under the key of the message itself and, once asked for, under its keys with wildcards. */
    final List<MatchTable.Node<UnexpectedMessage>> nodes = new ArrayList<>(KEYS);

    public int kind;
    public int source;
    public long envelope;
    public long length;
    public long sendId;

    /** Of an announced message: where its bytes lie at the sender. */
    public final Descriptor region = new Descriptor();

    /** Whether a probe has found it, so that its receiver may rely on it. */
    public boolean probed;

    @Nullable
    public MemorySegment bytes;

    /** Of an announced message whose bytes are fetched before its receive. */
    @Nullable
    public Retrieval retrieval;

    @Nullable
    UnexpectedMessage earlier;

    @Nullable
    UnexpectedMessage later;

    public UnexpectedMessage() {
        for (int key = 0; key < KEYS; key++) {
            nodes.add(new MatchTable.Node<>(this));
        }
    }
}
