package org.galerna.device.support;

import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.device.Waited;
import org.galerna.link.counters.WaitKind;
import org.jspecify.annotations.Nullable;

/**
 * Over when one of several requests is done, or there is none. One that has failed because its peer has left in good order
 * counts only when no other one can succeed any more. For one waiting thread.
 */
final class AnyOf implements Waited {
    private static final int NONE = -1;

    private final @Nullable Request[] requests;
    private int index = NONE;
    private boolean inVain;

    AnyOf(@Nullable Request[] requests) {
        this.requests = requests;
    }

    /** Place of the request that is done; -1 if there is none. */
    int index() {
        return index;
    }

    @Override
    public boolean isDone() {
        if (inVain) {
            return true;
        }
        boolean pending = false;
        int failed = NONE;
        for (int each = 0; each < requests.length; each++) {
            Request request = requests[each];
            if (request == null) {
                continue;
            }
            if (!request.isDone()) {
                pending = true;
            } else if (!request.isInVain()) {
                index = each;
                return true;
            } else if (failed == NONE) {
                failed = each;
            }
        }
        if (!pending) {
            index = failed;
        }
        return !pending;
    }

    /** Fails the first one if none of them can succeed; the others stay as they are. */
    @Override
    public void failIfAlone() {
        int first = NONE;
        for (int each = 0; each < requests.length; each++) {
            Request request = requests[each];
            if (request != null) {
                boolean hopeless = request.isDone()
                        ? request.isInVain()
                        : request instanceof PendingRequest pending && pending.isHopeless(true);
                if (!hopeless) {
                    return;
                }
                first = first == NONE ? each : first;
            }
        }
        if (first != NONE && requests[first] instanceof PendingRequest request) {
            request.failIfAlone();
            if (request.isDone()) {
                index = first;
                inVain = true;
            }
        }
    }

    @Override
    public void aboutToSleep() {
        for (Request request : requests) {
            if (request instanceof PendingRequest pending) {
                pending.aboutToSleep();
            }
        }
    }

    @Override
    public WaitKind waitKind() {
        return WaitKind.ANY;
    }

    @Override
    public String operation() {
        StringBuilder text = new StringBuilder("any of:");
        for (Request request : requests) {
            if (request instanceof Waited waited) {
                text.append(' ').append(waited.operation()).append(';');
            }
        }
        return text.toString();
    }

    @Override
    public int awaitedPeer() {
        return Device.ANY_SOURCE;
    }
}
