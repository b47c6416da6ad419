package org.galerna.link.support;

import java.util.ArrayDeque;
import java.util.Deque;
import org.galerna.link.TransferCompletion;
import org.jspecify.annotations.Nullable;

/**
 * The puts to one peer that are under way, for links whose puts are complete when they are in the peer's memory: so a flush
 * is over when all puts before it are. Safe for use by many threads.
 *
 * <p>Puts between two flushes are one epoch. A flush ends the epoch and is told when that epoch and all earlier ones are empty.
 */
public final class PendingPuts {
    private final Deque<Epoch> epochs = new ArrayDeque<>(); // the oldest first; guarded by this, as what is in them

    private static final class Epoch {
        int puts;

        @Nullable
        TransferCompletion flush; // null while further puts may come in
    }

    /** Without any. */
    public PendingPuts() {}

    /** Counts a put that begins; the answer is to be its completion. */
    public synchronized TransferCompletion begin(TransferCompletion completion) {
        Epoch last = epochs.peekLast();
        Epoch epoch = last == null || last.flush != null ? new Epoch() : last;
        if (epoch != last) {
            epochs.addLast(epoch);
        }
        epoch.puts++;
        return failure -> {
            completion.completed(failure);
            end(epoch);
        };
    }

    private void end(Epoch epoch) {
        synchronized (this) {
            epoch.puts--;
        }
        report();
    }

    /** Tells when all puts that have begun are over. Those that have failed have told so by themselves. */
    public void flush(TransferCompletion completion) {
        synchronized (this) {
            Epoch last = epochs.peekLast();
            if (last == null || last.flush != null) {
                last = new Epoch();
                epochs.addLast(last);
            }
            last.flush = completion;
        }
        report();
    }

    private void report() {
        Epoch over;
        while ((over = next()) != null) {
            TransferCompletion flush = over.flush;
            if (flush != null) {
                flush.completed(null);
            }
        }
    }

    private synchronized @Nullable Epoch next() {
        Epoch oldest = epochs.peekFirst();
        return oldest == null || oldest.puts > 0 || oldest.flush == null ? null : epochs.removeFirst();
    }
}
