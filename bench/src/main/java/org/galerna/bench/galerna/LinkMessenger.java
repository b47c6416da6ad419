package org.galerna.bench.galerna;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.galerna.bench.suite.Command;
import org.galerna.link.Channel;
import org.galerna.link.EarlyChannel;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkTraits;
import org.galerna.memory.idle.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Messages as single frames of a link, without tags and matching: the n-th receive from a peer is done when n frames of
 * that peer have been copied out of the link's memory.
 */
final class LinkMessenger extends Messenger implements FrameHandler {
    private static final int POLL_LIMIT = 64;

    private final Link link;
    private final int rank;
    private final Channel[] channels;
    private final IdleStrategy waiting;
    private final SharedMaximum shared;

    /** Frames that have come from each peer, and those that receives have asked for. */
    private final long[] arrived;

    private final long[] asked;

    LinkMessenger(Link link, int rank, int size, SharedMaximum shared) {
        this.link = link;
        this.rank = rank;
        this.shared = shared;
        this.waiting = IdleStrategy.adaptive(size);
        this.arrived = new long[size];
        this.asked = new long[size];
        this.channels = new Channel[size];
        for (int peer = 0; peer < size; peer++) {
            channels[peer] = link.connect(peer);
        }
    }

    @Override
    int rank() {
        return rank;
    }

    @Override
    int size() {
        return channels.length;
    }

    @Override
    Optional<String> objection(Command command) {
        int longest = link.traits().maximumFrame();
        return command.bytes() <= longest
                ? Optional.empty()
                : Optional.of("a frame of link " + link.name() + " has at most " + longest + " bytes");
    }

    @Override
    void send(int peer) {
        commit(peer, length);
        channels[peer].flush();
    }

    @Override
    void receive(int peer) {
        await(peer, 1);
    }

    @Override
    void sendWindow(int peer, int window) {
        for (int each = 0; each < window; each++) {
            commit(peer, length);
        }
        channels[peer].flush();
    }

    @Override
    void receiveWindow(int peer, int window) {
        await(peer, window);
    }

    @Override
    void exchangeWindows(int peer, int window) {
        sendWindow(peer, window);
        receiveWindow(peer, window);
    }

    @Override
    void acknowledge(int peer) {
        commit(peer, ACKNOWLEDGEMENT_BYTES);
        channels[peer].flush();
    }

    @Override
    void awaitAcknowledgement(int peer) {
        await(peer, 1);
    }

    @Override
    double maximum(double value) {
        return shared.over(this, value);
    }

    private void commit(int peer, int bytes) {
        Channel channel = channels[peer];
        EarlyChannel headFirst = goesHeadFirst(bytes) ? channel.early() : null;
        long claim = claim(channel, bytes, headFirst);
        for (int round = 0; claim < 0; round++) {
            if (claim != Channel.BACK_PRESSURE) {
                throw new IllegalStateException("rank " + rank + " cannot send " + bytes + " bytes to rank " + peer
                        + " over link " + link.name() + ": refusal " + claim);
            }
            channel.flush();
            link.poll(this, POLL_LIMIT);
            pause(round);
            claim = claim(channel, bytes, headFirst);
        }
        long at = Channel.offset(claim);
        if (headFirst != null) {
            MemorySegment.copy(source, 0, channel.memory(), ValueLayout.JAVA_BYTE, at + EarlyChannel.CONTENTS, bytes);
            headFirst.commitContents(claim);
        } else {
            MemorySegment.copy(source, 0, channel.memory(), ValueLayout.JAVA_BYTE, at, bytes);
            channel.commit(claim, bytes);
        }
    }

    private static long claim(Channel channel, int bytes, @Nullable EarlyChannel headFirst) {
        return headFirst != null ? headFirst.claimWithHead(bytes, 0) : channel.claim(bytes);
    }

    /** As messages of the device go. */
    private boolean goesHeadFirst(int bytes) {
        LinkTraits traits = link.traits();
        return bytes > traits.inlineFrame() && EarlyChannel.CONTENTS + bytes <= traits.maximumFrame();
    }

    private void await(int peer, int frames) {
        long goal = asked[peer] += frames;
        int round = 0;
        while (arrived[peer] < goal) {
            if (link.poll(this, POLL_LIMIT) == 0) {
                pause(round++);
            }
        }
        waiting.over(round);
    }

    /** Never sleeps: the other side of a benchmark answers at once. */
    private void pause(int round) {
        if (!waiting.pause(round)) {
            Thread.yield();
        }
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int bytes) {
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, target, 0, bytes);
        arrived[peer]++;
    }

    @Override
    public void onContents(int peer, MemorySegment memory, long offset, int bytes) {
        onFrame(peer, memory, offset, bytes);
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        throw new IllegalStateException("rank " + rank + " has lost rank " + peer + ": " + reason);
    }
}
