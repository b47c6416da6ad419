package org.galerna.device.support;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The compound operations under way, moved by whichever thread makes progress.
 *
 * <p><b>Order.</b> One thread at a time moves them: the one that has raised {@code calls} from 0. A thread that finds
 * another one at work, which may be itself further up its stack, leaves it a call to answer and goes its way; the one at
 * work ends only when it has looked at everything after the last such call. So nothing that a thread has seen arrive
 * before it came here is overlooked, and each look happens after the one before it, through the counter.
 */
final class Compounds {
    private final Queue<CompoundRequest> started = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger number = new AtomicInteger();

    /** Touched by the thread at work alone. */
    private final List<CompoundRequest> underWay = new ArrayList<>();

    /** Whether there are any; a cheap look. */
    boolean areUnderWay() {
        return number.getAcquire() > 0;
    }

    /** Starts one, and moves it as far as it goes. */
    void start(CompoundRequest request) {
        number.getAndIncrement();
        started.add(request);
        advance();
    }

    /** Moves all; the number of those that have got further. */
    int advance() {
        int moved = 0;
        if (calls.getAndIncrement() == 0) {
            int answered = 1;
            do {
                moved += look();
                answered = calls.addAndGet(-answered);
            } while (answered != 0);
        }
        return moved;
    }

    private int look() {
        CompoundRequest next;
        while ((next = started.poll()) != null) {
            underWay.add(next);
        }
        int moved = 0;
        for (int each = underWay.size() - 1; each >= 0; each--) {
            CompoundRequest request = underWay.get(each);
            if (request.advance()) {
                moved++;
            }
            if (request.isDone()) {
                underWay.remove(each);
                number.getAndDecrement();
            }
        }
        return moved;
    }
}
