package mpi;

import java.util.Arrays;
import org.galerna.device.ErrorClass;
import org.jspecify.annotations.Nullable;

/** The calls on arrays of requests. */
final class Requests {
    private static final int NONE = -1;

    private Requests() {}

    static Status[] waitAll(@Nullable Request[] requests) {
        return takeAll(requests, true, "Request.Waitall");
    }

    static Status @Nullable [] testAll(@Nullable Request[] requests) {
        try {
            for (Request request : requests) {
                if (request != null && !request.advance(false)) {
                    return null;
                }
            }
        } catch (RuntimeException failure) {
            throw Errors.failed("Request.Testall", failure);
        }
        return takeAll(requests, false, "Request.Testall");
    }

    /** Ends all requests, after waiting for each or because {@link Request#advance} has said of each that it can end. */
    private static Status[] takeAll(@Nullable Request[] requests, boolean block, String call) {
        Status[] statuses = new Status[requests.length];
        MPIException first = null;
        for (int index = 0; index < requests.length; index++) {
            Request request = requests[index];
            if (request == null) {
                statuses[index] = new Status().at(index);
                continue;
            }
            try {
                if (block) {
                    request.advance(true);
                }
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
        boolean active = false;
        try {
            for (int index = 0; index < requests.length; index++) {
                Request request = requests[index];
                if (request != null && request.isActive()) {
                    active = true;
                    if (request.advance(false)) {
                        return take(requests, index, "Request.Testany");
                    }
                }
            }
        } catch (RuntimeException failure) {
            throw Errors.failed("Request.Testany", failure);
        }
        return active ? null : new Status().at(Constants.UNDEFINED);
    }

    static Status[] some(@Nullable Request[] requests, boolean block) {
        String call = block ? "Request.Waitsome" : "Request.Testsome";
        if (block && awaitOne(requests, call) == NONE) {
            return new Status[0];
        }
        Status[] completed = new Status[lengthOf(requests, call)];
        int count = 0;
        for (int index = 0; index < requests.length; index++) {
            Request request = requests[index];
            if (request != null && request.isActive() && ready(request, call)) {
                completed[count++] = take(requests, index, call);
            }
        }
        return Arrays.copyOf(completed, count);
    }

    private static int lengthOf(@Nullable Request @Nullable [] requests, String call) {
        if (requests == null) {
            throw Errors.failed(call, Errors.wrong(ErrorClass.REQUEST, "the array of requests is null"));
        }
        return requests.length;
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

    /** Index of a request that can be ended, after waiting for one; {@link #NONE} if none is active. */
    private static int awaitOne(@Nullable Request[] requests, String call) {
        try {
            org.galerna.device.@Nullable Request[] operations = new org.galerna.device.Request[requests.length];
            while (true) {
                Request pending = null;
                for (int index = 0; index < requests.length; index++) {
                    Request request = requests[index];
                    if (request == null || !request.isActive()) {
                        continue;
                    }
                    if (request.advance(false)) {
                        return index;
                    }
                    operations[index] = request.operation;
                    pending = request;
                }
                if (pending == null) {
                    return NONE;
                }
                pending.comm.device.awaitAny(operations);
            }
        } catch (RuntimeException failure) {
            throw Errors.failed(call, failure);
        }
    }

    private static String describe(String call, int index, int length) {
        return call + " (request " + index + " of " + length + ")";
    }
}
