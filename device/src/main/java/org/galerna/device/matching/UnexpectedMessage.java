package org.galerna.device.matching;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.galerna.link.Descriptor;
import org.jspecify.annotations.Nullable;

/** A message that has arrived before its receive: its bytes, or the announcement of them. Pooled. */
final class UnexpectedMessage {
    /** Places under the key of the message itself and, once asked for, under its keys with wildcards. */
    final List<MatchTable.Node<UnexpectedMessage>> nodes = new ArrayList<>(UnexpectedQueue.KEYS);

    int kind;
    int source;
    long envelope;
    long length;
    long sendId;

    /** Of an announced message: where its bytes lie at the sender. */
    final Descriptor region = new Descriptor();

    /** Whether a probe has found it, so that its receiver may rely on it. */
    boolean probed;

    @Nullable
    MemorySegment bytes;

    /** Of an announced message whose bytes are fetched before its receive. */
    @Nullable
    Retrieval retrieval;

    @Nullable
    UnexpectedMessage earlier;

    @Nullable
    UnexpectedMessage later;

    UnexpectedMessage() {
        for (int key = 0; key < UnexpectedQueue.KEYS; key++) {
            nodes.add(new MatchTable.Node<>(this));
        }
    }
}
