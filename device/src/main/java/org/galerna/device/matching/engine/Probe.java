package org.galerna.device.matching.engine;

import java.util.Objects;
import java.util.function.Supplier;
import org.galerna.device.DeviceException;
import org.galerna.device.Status;
import org.galerna.device.Waited;
import org.galerna.device.support.Descriptions;
import org.galerna.link.counters.WaitKind;
import org.jspecify.annotations.Nullable;

/** A probe that waits: over when a message is there, or none can come any more. */
final class Probe implements Waited {
    static final String VERB = "probe for a message";

    private final Supplier<@Nullable Status> look;
    private final Reachability reachability;
    private final int source;
    private final int tag;
    private final int context;
    private @Nullable Status found;
    private @Nullable DeviceException failure;

    Probe(Supplier<@Nullable Status> look, Reachability reachability, int source, int tag, int context) {
        this.look = look;
        this.reachability = reachability;
        this.source = source;
        this.tag = tag;
        this.context = context;
    }

    Status found() {
        if (failure != null) {
            throw failure;
        }
        return Objects.requireNonNull(found, "a probe that is over has found a message or failed");
    }

    @Override
    public boolean isDone() {
        try {
            found = look.get();
        } catch (DeviceException unreachable) {
            failure = unreachable;
        }
        return found != null || failure != null;
    }

    @Override
    public void failIfAlone() {
        if (reachability.nobodySends(source, context, true) && !isDone()) {
            failure = reachability.unreachable(operation(), source, context);
        }
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.PROBE;
    }

    @Override
    public String operation() {
        return Descriptions.receive(VERB, source, tag);
    }

    @Override
    public int awaitedPeer() {
        return source;
    }
}
