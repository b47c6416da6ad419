package org.galerna.device.support;

import org.galerna.device.Compound;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.link.Collective;
import org.galerna.link.counters.WaitKind;
import org.jspecify.annotations.Nullable;

/** The request of a {@link Compound}. */
final class CompoundRequest extends PendingRequest {
    private final Compound compound;

    CompoundRequest(ProgressLoop progress, Compound compound) {
        super(progress);
        this.compound = compound;
    }

    /** Goes on as far as possible; true if it has got further. Not to be called again once it is done. */
    boolean advance() {
        boolean moved;
        try {
            moved = compound.advance();
        } catch (DeviceException failure) {
            fail(failure);
            return true;
        } catch (RuntimeException | Error failure) {
            // thrown in whichever thread makes progress, it is this operation that fails
            fail(new DeviceException(ErrorClass.OTHER, operation() + " failed: " + failure.getMessage(), failure));
            return true;
        }
        if (compound.isOver()) {
            complete();
            return true;
        }
        return moved;
    }

    @Override
    public void askToCancel() {
        // goes on, as all of its ranks do
    }

    @Override
    public boolean cancel() {
        return false;
    }

    @Override
    public void release() {
        requireDone();
    }

    @Override
    public int source() {
        return Device.ANY_SOURCE;
    }

    @Override
    public int tag() {
        return Device.ANY_TAG;
    }

    @Override
    public long length() {
        return 0;
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.COLLECTIVE;
    }

    @Override
    public String operation() {
        return compound.operation();
    }

    @Override
    public @Nullable Collective collective() {
        return compound.collective();
    }

    @Override
    public int awaitedPeer() {
        return compound.awaitedPeer();
    }
}
