package org.galerna.link.tcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Selector;
import org.galerna.link.tcp.stream.Connection;
import org.galerna.link.tcp.wire.Closing;
import org.galerna.link.tcp.wire.Wire;

/**
 * Which of many connections have something to read. With few of them the quickest way is to try each: a selector costs
 * as much as two reads that find nothing. Used by the polling thread.
 */
final class Readiness implements AutoCloseable {
    /** Up to so many connections each is read from at every look. */
    static final int FEW = 3;

    private final Selector selector;
    private Connection[] registered = {};

    Readiness() throws IOException {
        this.selector = Selector.open();
    }

    /** Marks the connections that have something to read. */
    void update(Connection[] connections) {
        try {
            if (registered != connections) {
                registered = connections;
                for (Connection each : connections) {
                    Wire wire = each.wire();
                    if (wire == null) {
                        registered = new Connection[0]; // about to begin: once more at the next look
                    } else {
                        wire.select(selector, each, true, false);
                    }
                }
            }
            selector.selectNow(key -> {
                if (key.attachment() instanceof Connection connection) {
                    connection.setReady();
                }
            });
        } catch (IOException failed) {
            throw new UncheckedIOException("the sockets cannot be looked at", failed);
        }
    }

    @Override
    public void close() {
        Closing.quietly(selector);
    }
}
