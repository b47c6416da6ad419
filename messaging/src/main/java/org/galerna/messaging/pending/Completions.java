package org.galerna.messaging.pending;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.support.FailureLog;
import org.galerna.messaging.waiting.HandlerWakeup;
import org.jspecify.annotations.Nullable;

/**
 * Ends requests. A thread that waits is woken at once. What depends on a future may do as it likes, and runs where it holds
 * nobody up: on a handler that has nothing else to do, or on a thread of its own. Any thread.
 */
public final class Completions {
    /** A request with a future, whose response has come. */
    private record Ended(
            PendingRequest request,
            @Nullable Object response,
            @Nullable MessagingException failure) {}

    private final String threadName;
    private final FailureLog failures;
    private final HandlerWakeup handlers;

    /**
     * Taken out one by one: what depends on one may wait for another one, and others then take that. Handlers do, the guard,
     * and every thread that waits.
     */
    private final ConcurrentLinkedQueue<Ended> ended = new ConcurrentLinkedQueue<>();

    /** Nothing has ended yet. */
    public Completions(String threadName, FailureLog failures, HandlerWakeup handlers) {
        this.threadName = threadName;
        this.failures = failures;
        this.handlers = handlers;
    }

    /** Ends a request that was taken out; what depends on it runs here. */
    public void end(PendingRequest request, @Nullable Object response, @Nullable MessagingException failure) {
        try {
            request.end(response, failure);
        } catch (Throwable thrown) { // by what depends on it
            failures.report(() -> "what depends on a response has thrown", thrown);
        }
    }

    /** Ends a request that was taken out; what depends on a future runs later. By the polling thread. */
    public void endAfterwards(PendingRequest request, @Nullable Object response, @Nullable MessagingException failure) {
        if (request.hasFuture()) {
            ended.add(new Ended(request, response, failure));
        } else {
            request.end(response, failure);
        }
    }

    /** Whether responses have come on which something depends that nobody has run yet. */
    public boolean areDue() {
        return !ended.isEmpty();
    }

    /** Runs on this handler what depends on responses that have come. Others are woken if there are more, for one may take long. */
    public void runDue() {
        boolean first = true;
        for (Ended each = ended.poll(); each != null; each = ended.poll()) {
            if (first && !ended.isEmpty()) {
                handlers.ring();
                first = false;
            }
            end(each.request, each.response, each.failure);
        }
    }

    /** Runs what depends on responses that have come, each on a thread of its own. */
    public void runDueElsewhere() {
        for (Ended each = ended.poll(); each != null; each = ended.poll()) {
            Ended one = each;
            elsewhere(() -> end(one.request, one.response, one.failure));
        }
    }

    /** Fails requests that were taken out. */
    public void fail(List<PendingRequest> taken, MessagingException failure) {
        List<PendingRequest> futures = new ArrayList<>();
        for (PendingRequest each : taken) {
            if (each.hasFuture()) {
                futures.add(each);
            } else {
                each.end(null, failure);
            }
        }
        failElsewhere(futures, _ -> failure);
    }

    /** Fails requests that were taken out, each on a thread of its own: what depends on one may wait for another one. */
    public void failElsewhere(List<PendingRequest> taken, Function<PendingRequest, MessagingException> failure) {
        for (PendingRequest each : taken) {
            elsewhere(() -> end(each, null, failure.apply(each)));
        }
    }

    private void elsewhere(Runnable work) {
        try {
            Thread ignored = Thread.ofVirtual().name(threadName).start(work);
        } catch (OutOfMemoryError noThread) { // a future that nobody completes would be worse than waiting
            work.run();
        }
    }
}
