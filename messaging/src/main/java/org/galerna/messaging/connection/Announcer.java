package org.galerna.messaging.connection;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.messaging.support.FailureLog;
import org.jspecify.annotations.Nullable;

/**
 * Tells the listener what happens to connections: of each other node one after the other, in the order in which it has
 * happened. A listener that takes long holds up neither polling nor closing. Any thread.
 */
public final class Announcer {
    /** How long a connection waits for the listener, which may be waiting for this connection. */
    private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String threadName;
    private final FailureLog failures;
    private final Map<Integer, Telling> tellings = new HashMap<>(); // guarded by this; empty when all was told

    /** What the listener is being told of one node. Guarded by the announcer. */
    private static final class Telling {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private @Nullable Thread teller;
    }

    public Announcer(String threadName, FailureLog failures) {
        this.threadName = threadName;
        this.failures = failures;
    }

    /**
     * Tells it on this thread, and so before anything else happens. If the listener is still being told something else about
     * that node, tells it after that, and waits for it only for a little.
     */
    public void tellHere(int node, Runnable news) {
        CountDownLatch told = new CountDownLatch(1);
        Runnable last = () -> {
            try {
                news.run();
            } finally {
                told.countDown();
            }
        };
        Telling telling = begin(node, last, Thread.currentThread());
        if (telling != null) {
            tell(next(telling));
            if (isMore(node, telling)) {
                tellRestElsewhere(node, telling);
            }
            return;
        }
        try {
            boolean ignored = told.await(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells it on a thread of its own. */
    public void tellElsewhere(int node, Runnable news) {
        Telling telling = begin(node, news, null);
        if (telling != null) {
            tellRestElsewhere(node, telling);
        }
    }

    /** Returns null if somebody is telling something else about that node, and will tell this, too. */
    private synchronized @Nullable Telling begin(int node, Runnable news, @Nullable Thread teller) {
        Telling known = tellings.get(node);
        if (known != null) {
            known.waiting.add(news);
            return null;
        }
        Telling telling = new Telling();
        telling.waiting.add(news);
        telling.teller = teller;
        tellings.put(node, telling);
        return telling;
    }

    private void tellRestElsewhere(int node, Telling telling) {
        try {
            Thread ignored = Thread.ofVirtual().name(threadName).start(() -> tellRest(node, telling));
        } catch (OutOfMemoryError noThread) {
            tellRest(node, telling);
        }
    }

    private void tellRest(int node, Telling telling) {
        synchronized (this) {
            telling.teller = Thread.currentThread();
        }
        while (isMore(node, telling)) {
            tell(next(telling));
        }
    }

    private synchronized boolean isMore(int node, Telling telling) {
        if (!telling.waiting.isEmpty()) {
            return true;
        }
        tellings.remove(node);
        notifyAll();
        return false;
    }

    private synchronized Runnable next(Telling telling) {
        return telling.waiting.remove();
    }

    private void tell(Runnable news) {
        try {
            news.run();
        } catch (Throwable thrown) { // the connection is none the worse for it
            failures.report(() -> "a connection listener has thrown", thrown);
        }
    }

    /**
     * Waits until the listener has heard everything, but for what the calling thread tells.
     *
     * @param deadline as of {@link System#nanoTime}
     */
    public synchronized void awaitTold(long deadline) throws InterruptedException {
        while (!isToldElsewhere()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                return;
            }
            wait(left);
        }
    }

    private synchronized boolean isToldElsewhere() {
        return tellings.values().stream().allMatch(each -> each.teller == Thread.currentThread());
    }
}
