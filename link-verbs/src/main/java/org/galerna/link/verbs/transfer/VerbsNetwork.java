package org.galerna.link.verbs.transfer;

import org.galerna.link.transfer.TransferNetwork;
import org.galerna.link.verbs.connection.CompletionPoller;
import org.jspecify.annotations.Nullable;

/** RDMA over reliable connections, as transfers see it. */
public record VerbsNetwork(
        CompletionPoller completions, @Override int mostReads) implements TransferNetwork {
    @Override
    public @Nullable Finished next() {
        return completions.next();
    }

    @Override
    public boolean needsLocalRegistration() {
        return true;
    }

    @Override
    public int mostBytes() {
        return Integer.MAX_VALUE;
    }

    /** What is sent after a write arrives after it, and does not arrive if the write fails, which breaks the connection. */
    @Override
    public boolean keepsOrder() {
        return true;
    }

    @Override
    public boolean isRead(long bytes, long local, long remote) {
        return true;
    }
}
