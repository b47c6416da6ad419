package org.galerna.device;

import org.jspecify.annotations.Nullable;

/** Over when one of several requests is done, or there is none. For one waiting thread. */
final class AnyOf implements Waited {
    private final @Nullable Request[] requests;
    private int index = -1;

    AnyOf(@Nullable Request[] requests) {
        this.requests = requests;
    }

    /** Place of the request that is done; -1 if there is none. */
    int index() {
        return index;
    }

    @Override
    public boolean isDone() {
        boolean pending = false;
        for (int each = 0; each < requests.length; each++) {
            Request request = requests[each];
            if (request != null) {
                if (request.isDone()) {
                    index = each;
                    return true;
                }
                pending = true;
            }
        }
        return !pending;
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
