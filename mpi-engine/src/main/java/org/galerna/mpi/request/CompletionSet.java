package org.galerna.mpi.request;

import java.util.Arrays;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.support.Compensation;
import org.galerna.mpi.comm.Communicator;
import org.galerna.mpi.group.Group;
import org.jspecify.annotations.Nullable;

/**
 * Waits for several requests, or tests them: all, one, or as many as there are. Null elements of an array are skipped. Every
 * status has the index of its request.
 *
 * @param <S> class of the statuses
 */
public final class CompletionSet<S> {
    /** In place of an index: there is no active request. */
    private static final int NONE = -1;

    /** In place of an index: no request can be ended yet. */
    private static final int PENDING = -2;

    private final Statuses<S> statuses;

    /** For an API with these statuses. */
    public CompletionSet(Statuses<S> statuses) {
        this.statuses = statuses;
    }

    /** Ends all requests, after waiting for each; the first failure has the others as suppressed ones. */
    public S[] awaitAll(@Nullable BaseRequest<S>[] requests, String call) {
        required(requests, call);
        S[] ended = statuses.array(requests.length);
        RuntimeException first = null;
        for (int index = 0; index < requests.length; index++) {
            BaseRequest<S> request = requests[index];
            try {
                S status = request == null ? statuses.empty() : request.finish();
                ended[index] = statuses.at(status, index);
            } catch (RuntimeException failure) {
                RuntimeException failed = failed(requests, index, call, failure);
                if (first == null) {
                    first = failed;
                } else {
                    first.addSuppressed(failed);
                }
            }
        }
        if (first != null) {
            throw first;
        }
        return ended;
    }

    /** As {@link #awaitAll} if no request has to be waited for; null otherwise. */
    public S @Nullable [] testAll(@Nullable BaseRequest<S>[] requests, String call) {
        required(requests, call);
        try {
            for (BaseRequest<S> request : requests) {
                if (request != null && !request.advance(false) && !request.isInVain()) {
                    Compensation.polledInVain();
                    return null;
                }
            }
        } catch (RuntimeException failure) {
            throw statuses.failed(call, failure);
        }
        return awaitAll(requests, call);
    }

    /** Ends a request; an empty status with the index {@link Group#UNDEFINED} if none is active. */
    public S awaitAny(@Nullable BaseRequest<S>[] requests, String call) {
        int index = awaitOne(requests, call);
        return index == NONE ? none() : take(requests, index, call);
    }

    /** As {@link #awaitAny}; null if no request can be ended without waiting. */
    public @Nullable S testAny(@Nullable BaseRequest<S>[] requests, String call) {
        int index = polled(testOne(requests, call));
        return switch (index) {
            case NONE -> none();
            case PENDING -> null;
            default -> take(requests, index, call);
        };
    }

    private S none() {
        return statuses.at(statuses.empty(), Group.UNDEFINED);
    }

    /** Ends all requests that can be, after waiting for one; no status if none is active. */
    public S[] awaitSome(@Nullable BaseRequest<S>[] requests, String call) {
        return some(requests, awaitOne(requests, call), call);
    }

    /** As {@link #awaitSome}, without waiting. */
    public S[] testSome(@Nullable BaseRequest<S>[] requests, String call) {
        return some(requests, polled(testOne(requests, call)), call);
    }

    private static int polled(int found) {
        if (found == PENDING) {
            Compensation.polledInVain();
        }
        return found;
    }

    private S[] some(@Nullable BaseRequest<S>[] requests, int first, String call) {
        if (first == NONE || first == PENDING) {
            return statuses.array(0);
        }
        S[] completed = statuses.array(requests.length);
        int count = 0;
        for (int index = 0; index < requests.length; index++) {
            BaseRequest<S> request = requests[index];
            if (request != null && request.isActive() && ready(request, call) && !request.isInVain()) {
                completed[count++] = take(requests, index, call);
            }
        }
        if (count == 0) {
            completed[count++] = take(requests, first, call);
        }
        return Arrays.copyOf(completed, count);
    }

    private boolean ready(BaseRequest<S> request, String call) {
        try {
            return request.advance(false);
        } catch (RuntimeException failure) {
            throw request.comm.failed(call, failure);
        }
    }

    private S take(@Nullable BaseRequest<S>[] requests, int index, String call) {
        BaseRequest<S> request = requests[index];
        if (request == null) {
            throw new IllegalStateException("request " + index + " of the array has been taken away by another thread");
        }
        try {
            return statuses.at(request.take(), index);
        } catch (RuntimeException failure) {
            throw failed(requests, index, call, failure);
        }
    }

    private RuntimeException failed(
            @Nullable BaseRequest<S>[] requests, int index, String call, RuntimeException failure) {
        BaseRequest<S> request = requests[index];
        String described = call + " (request " + index + " of " + requests.length + ")";
        return request == null ? statuses.failed(described, failure) : request.comm.failed(described, failure);
    }

    private void required(@Nullable BaseRequest<S> @Nullable [] requests, String call) {
        if (requests == null) {
            throw statuses.failed(call, new DeviceException(ErrorClass.REQUEST, "the array of requests is null"));
        }
    }

    /**
     * Index of a request that can be ended; {@link #PENDING} if none can be yet, {@link #NONE} if none is active. One whose
     * peer has left in good order is ended only if all are of that kind.
     */
    private int testOne(@Nullable BaseRequest<S>[] requests, String call) {
        required(requests, call);
        try {
            int inVain = NONE;
            boolean pending = false;
            for (int index = 0; index < requests.length; index++) {
                BaseRequest<S> request = requests[index];
                if (request == null || !request.isActive()) {
                    continue;
                }
                boolean ended = request.advance(false);
                if (request.isInVain()) {
                    inVain = inVain == NONE ? index : inVain;
                } else if (ended) {
                    return index;
                } else {
                    pending = true;
                }
            }
            if (pending || inVain == NONE) {
                return pending ? PENDING : NONE;
            }
            BaseRequest<S> hopeless = requests[inVain];
            if (hopeless != null) {
                hopeless.advance(true);
            }
            return inVain;
        } catch (RuntimeException failure) {
            throw statuses.failed(call, failure);
        }
    }

    /** As {@link #testOne}, after waiting for a request. */
    private int awaitOne(@Nullable BaseRequest<S>[] requests, String call) {
        while (true) {
            int index = testOne(requests, call);
            if (index != PENDING) {
                return index;
            }
            try {
                int ended = awaitAnyOperation(requests);
                BaseRequest<S> request = ended < 0 ? null : requests[ended];
                if (request != null && request.isInVain()) {
                    return ended; // as all others are
                }
            } catch (RuntimeException failure) {
                throw statuses.failed(call, failure);
            }
        }
    }

    private int awaitAnyOperation(@Nullable BaseRequest<S>[] requests) {
        @Nullable Request[] operations = new Request[requests.length];
        Communicator comm = null;
        for (int each = 0; each < requests.length; each++) {
            BaseRequest<S> request = requests[each];
            operations[each] = request == null ? null : request.operation;
            comm = operations[each] == null || request == null ? comm : request.comm;
        }
        return comm == null ? NONE : comm.device().awaitAny(operations);
    }
}
