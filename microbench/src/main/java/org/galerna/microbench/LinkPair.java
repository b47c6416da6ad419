package org.galerna.microbench;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.wireup.InProcessWireup;

/** Two ranks on the threads link, each with a channel to the other. */
final class LinkPair implements AutoCloseable {
    private final Link[] links = new Link[2];

    LinkPair(boolean concurrentClaims) {
        List<InProcessWireup> wireups = InProcessWireup.create(2, (rank, status, reason) -> {
            throw new IllegalStateException("rank " + rank + " has aborted: " + reason);
        });
        LinkProvider provider = LinkProvider.named("threads");
        for (InProcessWireup wireup : wireups) {
            links[wireup.rank()] = provider.open(wireup, new LinkOptions(0, 0, concurrentClaims));
        }
    }

    End end(int rank, int peer, int length) {
        return new End(links[rank], links[rank].connect(peer), length);
    }

    @Override
    public void close() {
        for (Link link : links) {
            link.close();
        }
    }

    /** One rank: sends frames of one length, and takes those that come. */
    static final class End implements FrameHandler {
        private final Link link;
        private final Channel channel;
        private final int length;
        private final Bytes sent;
        private final Bytes received;

        private End(Link link, Channel channel, int length) {
            this.link = link;
            this.channel = channel;
            this.length = length;
            this.sent = new Bytes(length);
            this.received = new Bytes(length);
        }

        boolean send() {
            long claim = channel.claim(length);
            if (claim < 0) {
                return false;
            }
            sent.copyTo(channel.memory(), Channel.offset(claim));
            channel.commit(claim, length);
            channel.flush();
            return true;
        }

        int poll() {
            return link.poll(this, 1);
        }

        @Override
        public void onFrame(int peer, MemorySegment memory, long offset, int bytes) {
            received.copyFrom(memory, offset, bytes);
        }

        @Override
        public void onPeerLost(int peer, String reason) {
            throw new IllegalStateException("rank " + peer + " is lost: " + reason);
        }
    }
}
