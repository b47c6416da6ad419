package org.galerna.testkit.faulty;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.galerna.link.CommunicationException;
import org.galerna.link.Descriptor;
import org.galerna.link.Region;
import org.galerna.link.Rma;
import org.galerna.link.TransferCompletion;
import org.jspecify.annotations.Nullable;

/** Transfers whose ends are told late, and fail with a peer that is lost. */
final class FaultyRma implements Rma {
    private final Rma inner;
    private final HeldBack heldBack;
    private final IntPredicate lost;

    FaultyRma(Rma inner, HeldBack heldBack, IntPredicate lost) {
        this.inner = inner;
        this.heldBack = heldBack;
        this.lost = lost;
    }

    @Override
    public Region register(MemorySegment memory, @Nullable Region former) {
        return inner.register(memory, former);
    }

    @Override
    public void get(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        if (isThere(peer, completion)) {
            inner.get(peer, region, offset, local, late(peer, completion));
        }
    }

    @Override
    public void put(int peer, Descriptor region, long offset, MemorySegment local, TransferCompletion completion) {
        if (isThere(peer, completion)) {
            inner.put(peer, region, offset, local, late(peer, completion));
        }
    }

    @Override
    public void flush(int peer, TransferCompletion completion) {
        if (isThere(peer, completion)) {
            inner.flush(peer, late(peer, completion));
        }
    }

    private boolean isThere(int peer, TransferCompletion completion) {
        if (lost.test(peer)) {
            completion.completed(new CommunicationException("rank " + peer + " is gone: " + FaultyLink.CUT));
            return false;
        }
        return true;
    }

    private TransferCompletion late(int peer, TransferCompletion completion) {
        return failure -> heldBack.add(peer, handler -> completion.completed(failure));
    }

    @Override
    public boolean anticipate(int peer, Region region, long token) {
        return inner.anticipate(peer, region, token);
    }

    @Override
    public boolean assist() {
        return inner.assist();
    }

    @Override
    public Optional<MemorySegment> allocate(long bytes, Arena arena) {
        return inner.allocate(bytes, arena);
    }
}
