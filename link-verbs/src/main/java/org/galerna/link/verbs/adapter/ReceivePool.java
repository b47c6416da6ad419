package org.galerna.link.verbs.adapter;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.galerna.nativeaccess.verbs.MemoryRegion;
import org.galerna.nativeaccess.verbs.ReceiveRequests;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * Where messages arrive: buffers in the shared receive queue, as many for each peer that is connected as may be under way
 * from it. They belong to no peer, but there are never fewer than all peers together may fill. Those of a peer that is
 * gone serve the next one.
 *
 * <p>Growing is one thread's at a time. A buffer is its taker's, from its completion until it is posted again.
 */
public final class ReceivePool implements AutoCloseable {
    private final Attachment attachment;
    private final Consumer<String> failure;
    private final int blockSlots;
    private final int slotBytes;
    private final ReceiveRequests requests;
    private final MemorySegment[] blocks;
    private final List<MemoryRegion> regions = new ArrayList<>();
    private int posted; // blocks that are posted
    private int used; // peers
    private @Nullable String broken; // why nothing more can be posted

    /**
     * An empty one.
     *
     * @param failure is told why nothing can be received any more
     */
    public ReceivePool(Attachment attachment, Sizes sizes, Consumer<String> failure) {
        this.attachment = attachment;
        this.failure = failure;
        this.blockSlots = sizes.receives();
        this.slotBytes = sizes.slotBytes();
        this.requests = new ReceiveRequests(attachment.peers() * blockSlots);
        this.blocks = new MemorySegment[attachment.peers()];
    }

    /**
     * Registers the memory for the first peer before it comes. So a limit of locked memory that is too small for any peer is
     * known when the link is opened, and not when two ranks begin to talk.
     */
    public synchronized void prepare() throws VerbsException {
        if (regions.isEmpty()) {
            register();
        }
    }

    /** Registers one more block. */
    private void register() throws VerbsException {
        MemorySegment block = Arena.ofAuto().allocate((long) blockSlots * slotBytes, 4096);
        MemoryRegion region = attachment.domain().register(block.address(), block.byteSize());
        blocks[regions.size()] = block;
        regions.add(region);
    }

    /** Makes room for one more peer. */
    public synchronized void admit() throws VerbsException {
        if (used == blocks.length) {
            throw new IllegalStateException("the queues of adapter "
                    + attachment.adapter().name() + " have room for " + blocks.length
                    + " peers at once; with smaller galerna.verbs.receive.depth and send.depth there is for more");
        }
        if (used == posted) {
            grow();
        }
        used++;
    }

    private void grow() throws VerbsException {
        if (broken != null) {
            throw new IllegalStateException(broken);
        }
        if (regions.size() == posted) {
            register();
        }
        MemorySegment block = blocks[posted];
        MemoryRegion region = regions.get(posted);
        int first = posted * blockSlots;
        for (int index = 0; index < blockSlots; index++) {
            requests.describe(first + index, block.address() + (long) index * slotBytes, slotBytes, region.localKey());
            requests.chain(first + index, index + 1 < blockSlots ? first + index + 1 : ReceiveRequests.END);
        }
        try {
            attachment.receives().post(requests, first);
        } catch (VerbsException failed) { // some may have been posted: the block stays, and has no successor
            broken = failed.getMessage();
            throw failed;
        }
        posted++;
    }

    /** A peer is gone. */
    synchronized void dismiss() {
        used--;
    }

    /** Memory that a buffer lies in. Its completion happened after it was made, so a plain read sees it. */
    public MemorySegment memory(int slot) {
        return blocks[slot / blockSlots];
    }

    /** Where in {@link #memory} it begins. */
    public long offset(int slot) {
        return (long) (slot % blockSlots) * slotBytes;
    }

    /** Chains a buffer before another one that is to be posted too, or {@link ReceiveRequests#END}; the first of the chain. */
    public int chain(int slot, int next) {
        requests.chain(slot, next);
        return slot;
    }

    /** Posts a chain again. */
    public void post(int first) throws VerbsException {
        attachment.receives().post(requests, first);
    }

    /** Posts one buffer again. */
    public void repost(int slot) {
        try {
            post(chain(slot, ReceiveRequests.END));
        } catch (VerbsException failed) {
            failure.accept(String.valueOf(failed.getMessage()));
        }
    }

    @Override
    public synchronized void close() {
        regions.forEach(MemoryRegion::close);
        regions.clear();
    }
}
