package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.galerna.link.Channel;
import org.galerna.link.Descriptor;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.link.LinkOptions;
import org.galerna.link.LinkProvider;
import org.galerna.link.Region;
import org.galerna.link.Wireup;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;

/** A rank with an open link, and an inbox for the frames that come. Used by one thread, unless a test says so. */
public final class LinkRank implements FrameHandler, AutoCloseable {
    /** Frames that one look takes from a peer. */
    public static final int LIMIT = 32;

    private final Wireup wireup;
    private final Link link;
    private final Map<Integer, Deque<byte[]>> inbox = new HashMap<>();
    private final Map<Integer, Deque<Long>> heads = new HashMap<>();
    private final Map<Integer, byte[]> open = new HashMap<>();
    private final Map<Integer, String> lost = new HashMap<>();

    private LinkRank(Wireup wireup, Link link) {
        this.wireup = wireup;
        this.link = link;
    }

    /** Opens the link and waits until all ranks have. */
    public static LinkRank open(LinkProvider provider, Wireup wireup, LinkOptions options) {
        LinkRank rank = new LinkRank(wireup, provider.open(wireup, options));
        wireup.fence();
        return rank;
    }

    /** This rank. */
    public int rank() {
        return wireup.rank();
    }

    /** The wire-up that the link was opened with. */
    public Wireup wireup() {
        return wireup;
    }

    /** Number of ranks. */
    public int size() {
        return wireup.size();
    }

    /** The link. */
    public Link link() {
        return link;
    }

    /** Peers that were reported lost so far, with the reasons. */
    public Map<Integer, String> lost() {
        return lost;
    }

    @Override
    public void onFrame(int peer, MemorySegment memory, long offset, int length) {
        assertThat(lost)
                .as("a frame of rank %s after its loss was reported", peer)
                .doesNotContainKey(peer);
        assertThat(offset % 8).as("alignment of a frame").isZero();
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        inbox(peer).add(bytes);
    }

    @Override
    public void onOpenFrame(int peer, MemorySegment memory, long offset, int length) {
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        open.put(peer, bytes);
    }

    @Override
    public void onHead(int peer, long head, int length) {
        heads(peer).add(head);
    }

    @Override
    public void onContents(int peer, MemorySegment memory, long offset, int length) {
        onFrame(peer, memory, offset, length);
    }

    /** Heads of frames of a peer that have been told and not taken. */
    public Deque<Long> heads(int peer) {
        return heads.computeIfAbsent(peer, key -> new ArrayDeque<>());
    }

    /** What has been shown of a frame of a peer that was not complete; empty if nothing. */
    public byte[] open(int peer) {
        return open.getOrDefault(peer, new byte[0]);
    }

    @Override
    public void onReleaseAsked(int peer) {
        link.connect(peer).release();
    }

    @Override
    public void onPeerLost(int peer, String reason) {
        assertThat(lost.put(peer, reason))
                .as("an earlier report of losing rank %s", peer)
                .isNull();
        assertThat(peer).as("lost peer").isNotEqualTo(rank());
        assertThat(reason).isNotBlank();
    }

    /** Frames from a peer that have been polled and not taken. */
    public Deque<byte[]> inbox(int peer) {
        return inbox.computeIfAbsent(peer, key -> new ArrayDeque<>());
    }

    /** Polls once. */
    public int poll() {
        return link.poll(this, LIMIT);
    }

    /** Polls, and helps peers, until the condition holds. */
    public void pollUntil(String what, BooleanSupplier condition) {
        Deadline deadline = Deadline.after(RankThreads.LIMIT);
        while (!condition.getAsBoolean()) {
            if (poll() == 0 && !link.rma().assist()) {
                deadline.check("rank " + rank() + ": " + what);
                Thread.yield();
            }
        }
    }

    /** Claims on the channel to a peer, polling while there is no room; a refusal other than that is returned. */
    public long claim(int peer, int length) {
        return claim(peer, length, channel -> channel.claim(length));
    }

    /** As {@link #claim}, with a head. */
    public long claimWithHead(int peer, int length, long head) {
        return claim(
                peer, length, channel -> Objects.requireNonNull(channel.early()).claimWithHead(length, head));
    }

    private long claim(int peer, int length, ToLongFunction<Channel> call) {
        Channel channel = link.connect(peer);
        Deadline deadline = Deadline.after(RankThreads.LIMIT);
        long claim;
        while ((claim = call.applyAsLong(channel)) == Channel.BACK_PRESSURE || claim == Channel.MOVED) {
            if (claim == Channel.MOVED) {
                channel = link.connect(peer);
            } else if (poll() == 0) {
                deadline.check("rank " + rank() + ": room for " + length + " bytes to rank " + peer);
                Thread.yield();
            }
        }
        return claim;
    }

    /** Sends a frame with the bytes of a seed, without flushing. */
    public void put(int peer, int length, long seed) {
        long claim = claim(peer, length);
        if (claim < 0) {
            throw new AssertionError("claim of " + length + " bytes to rank " + peer + " is refused: " + claim
                    + (claim == Channel.CLOSED ? ", because " + whyLost(peer) : ""));
        }
        Channel channel = link.connect(peer); // the one of the claim, which may have moved
        Payload.fill(channel.memory(), Channel.offset(claim), length, seed);
        channel.commit(claim, length);
    }

    private String whyLost(int peer) {
        pollUntil("the loss of rank " + peer, () -> lost.containsKey(peer));
        return lost.getOrDefault(peer, "it is unknown");
    }

    /** Sends a frame with the bytes of a seed. */
    public void send(int peer, int length, long seed) {
        put(peer, length, seed);
        link.connect(peer).flush();
    }

    /** Sends a frame with the bytes of a seed, unless the peer has left. */
    public void sendIfThere(int peer, int length, long seed) {
        long claim = claim(peer, length);
        if (claim != Channel.CLOSED) {
            Channel channel = link.connect(peer);
            Payload.fill(channel.memory(), Channel.offset(claim), length, seed);
            channel.commit(claim, length);
            channel.flush();
        }
    }

    /** Sends one number. */
    public void sendLong(int peer, long value) {
        long claim = claim(peer, Long.BYTES);
        Channel channel = link.connect(peer);
        channel.memory().set(ValueLayout.JAVA_LONG, Channel.offset(claim), value);
        channel.commit(claim, Long.BYTES);
        channel.flush();
    }

    /** Waits for the next frame from a peer and takes it. */
    public byte[] receive(int peer) {
        pollUntil("a frame from rank " + peer, () -> !inbox(peer).isEmpty() || lost.containsKey(peer));
        if (inbox(peer).isEmpty()) {
            throw new AssertionError(
                    "rank " + rank() + " waits for a frame from rank " + peer + ", which is lost: " + lost.get(peer));
        }
        return inbox(peer).remove();
    }

    /** Waits for a number from a peer. */
    public long receiveLong(int peer) {
        return MemorySegment.ofArray(receive(peer)).get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    /** Waits for the next frame from a peer, which must have this length and the bytes of the seed. */
    public void expect(int peer, int length, long seed) {
        byte[] frame = receive(peer);
        assertThat(frame.length).as("length of a frame from rank %s", peer).isEqualTo(length);
        assertThat(Payload.difference(frame, seed))
                .as("a frame from rank %s", peer)
                .isEmpty();
    }

    /** Sends the descriptor of a region, and nothing else. */
    public void sendRegion(int peer, Region region) {
        Channel channel = link.connect(peer);
        int length = region.descriptorBytes();
        long claim = claim(peer, length);
        region.describe(channel.memory(), Channel.offset(claim));
        channel.commit(claim, length);
        channel.flush();
    }

    /** Waits for a descriptor from a peer. */
    public Descriptor receiveRegion(int peer) {
        return descriptor(receive(peer));
    }

    /** A descriptor that consists of these bytes. */
    public static Descriptor descriptor(byte... bytes) {
        Descriptor region = new Descriptor();
        region.read(MemorySegment.ofArray(bytes), 0, bytes.length);
        return region;
    }

    /** Waits until every rank has come here, serving the others meanwhile. */
    public void barrier() {
        for (int peer = 0; peer < size(); peer++) {
            sendLong(peer, -1);
        }
        for (int peer = 0; peer < size(); peer++) {
            assertThat(receiveLong(peer)).as("barrier of rank %s", peer).isEqualTo(-1);
        }
    }

    @Override
    public void close() {
        link.stop();
        link.drain(RankThreads.LIMIT.toNanos());
        link.close();
    }
}
