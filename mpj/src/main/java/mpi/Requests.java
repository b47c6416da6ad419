package mpi;

import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** The calls on arrays of requests. */
final class Requests {
    /** In place of an index: there is no active request. */
    private static final int NONE = -1;

    /** In place of an index: no request can be ended yet. */
    private static final int PENDING = -2;

    private Requests() {}

    static Status[] waitAll(@Nullable Request[] requests) {
        return takeAll(requests, "Request.Waitall");
    }

    static Status @Nullable [] testAll(@Nullable Request[] requests) {
        try {
            for (Request request : requests) {
                if (request != null && !request.advance(false) && !request.isInVain()) {
                    return null;
                }
            }
        } catch (RuntimeException failure) {
            throw Errors.failed("Request.Testall", failure);
        }
        return takeAll(requests, "Request.Testall");
    }

    /** Ends all requests, after waiting for each. */
    private static Status[] takeAll(@Nullable Request[] requests, String call) {
        Status[] statuses = new Status[requests.length];
        MPIException first = null;
        for (int index = 0; index < requests.length; index++) {
            Request request = requests[index];
            if (request == null) {
                statuses[index] = new Status().at(index);
                continue;
            }
            try {
                request.advance(true);
                statuses[index] = request.take().at(index);
            } catch (RuntimeException failure) {
                MPIException failed = Errors.failed(request.comm, describe(call, index, requests.length), failure);
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
        return statuses;
    }

    static Status waitAny(@Nullable Request[] requests) {
        int index = awaitOne(requests, "Request.Waitany");
        return index == NONE ? new Status().at(Constants.UNDEFINED) : take(requests, index, "Request.Waitany");
    }

    static @Nullable Status testAny(@Nullable Request[] requests) {
        int index = testOne(requests, "Request.Testany");
        return switch (index) {
            case NONE -> new Status().at(Constants.UNDEFINED);
            case PENDING -> null;
            default -> take(requests, index, "Request.Testany");
        };
    }

    static Status[] some(@Nullable Request[] requests, boolean block) {
        String call = block ? "Request.Waitsome" : "Request.Testsome";
        int first = block ? awaitOne(requests, call) : testOne(requests, call);
        if (first == NONE || first == PENDING) {
            return new Status[0];
        }
        Status[] completed = new Status[requests.length];
        int count = 0;
        for (int index = 0; index < requests.length; index++) {
            Request request = requests[index];
            if (request != null && request.isActive() && ready(request, call) && !request.isInVain()) {
                completed[count++] = take(requests, index, call);
            }
        }
        if (count == 0) {
            completed[count++] = take(requests, first, call);
        }
        return Arrays.copyOf(completed, count);
    }

    private static boolean ready(Request request, String call) {
        try {
            return request.advance(false);
        } catch (RuntimeException failure) {
            throw Errors.failed(request.comm, call, failure);
        }
    }

    private static Status take(@Nullable Request[] requests, int index, String call) {
        Request request = requests[index];
        if (request == null) {
            throw new IllegalStateException("request " + index + " of the array has been taken away by another thread");
        }
        try {
            return request.take().at(index);
        } catch (RuntimeException failure) {
            throw Errors.failed(request.comm, describe(call, index, requests.length), failure);
        }
    }

    /**
     * Index of a request that can be ended; {@link #PENDING} if none can be yet, {@link #NONE} if none is active. One whose
     * peer has left in good order is ended only if all are of that kind.
     */
    private static int testOne(@Nullable Request @Nullable [] requests, String call) {
        try {
            if (requests == null) {
                throw Errors.wrong(ErrorClass.REQUEST, "the array of requests is null");
            }
            int inVain = NONE;
            boolean pending = false;
            for (int index = 0; index < requests.length; index++) {
                Request request = requests[index];
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
            advance(requests, inVain);
            return inVain;
        } catch (RuntimeException failure) {
            throw Errors.failed(call, failure);
        }
    }

    /** Waits for a request that cannot succeed any more. */
    private static void advance(@Nullable Request[] requests, int index) {
        Request request = requests[index];
        if (request != null) {
            request.advance(true);
        }
    }

    /** As {@link #testOne}, after waiting for a request. */
    private static int awaitOne(@Nullable Request[] requests, String call) {
        try {
            while (true) {
                int index = testOne(requests, call);
                if (index != PENDING) {
                    return index;
                }
                org.galerna.device.@Nullable Request[] operations = new org.galerna.device.Request[requests.length];
                Comm comm = null;
                for (int each = 0; each < requests.length; each++) {
                    Request request = requests[each];
                    operations[each] = request == null ? null : request.operation;
                    comm = operations[each] == null || request == null ? comm : request.comm;
                }
                if (comm != null) {
                    int ended = comm.device.awaitAny(operations);
                    Request request = requests[ended];
                    if (request != null && request.isInVain()) {
                        return ended; // as all others are
                    }
                }
            }
        } catch (RuntimeException failure) {
            throw Errors.failed(call, failure);
        }
    }

    private static String describe(String call, int index, int length) {
        return call + " (request " + index + " of " + length + ")";
    }
}
