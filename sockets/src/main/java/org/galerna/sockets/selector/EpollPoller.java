package org.galerna.sockets.selector;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.galerna.nativeaccess.file.Epoll;
import org.galerna.nativeaccess.file.SystemCallException;

/**
 * Sleeps for selectors that virtual threads wait for, which must not sleep in native code themselves: one thread waits for
 * the descriptors of their epoll instances, and lets the virtual threads go on.
 */
public final class EpollPoller {
    private static final int MOST_EVENTS = 64;

    private final Epoll all = new Epoll(MOST_EVENTS);
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, Thread> parked = new ConcurrentHashMap<>();

    private EpollPoller() throws SystemCallException {}

    private static final class Holder {
        static final EpollPoller INSTANCE = start();

        private static EpollPoller start() {
            try {
                EpollPoller poller = new EpollPoller();
                Thread thread = new Thread(null, poller::run, "galerna-selectors", 0, false);
                thread.setDaemon(true);
                thread.setContextClassLoader(null);
                thread.start();
                return poller;
            } catch (SystemCallException noDescriptor) {
                throw new IllegalStateException(noDescriptor);
            }
        }
    }

    /**
     * Parks the current virtual thread until an epoll instance has events or the time is over; may return early.
     *
     * @param millis longest time, in milliseconds; negative for ever
     */
    public static void await(Epoll epoll, int millis) throws IOException {
        Holder.INSTANCE.park(epoll, millis);
    }

    private void park(Epoll epoll, int millis) throws IOException {
        int number = numbers.incrementAndGet();
        parked.put(number, Thread.currentThread());
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            synchronized (all) { // one thread at a time adds
                all.add(epoll.descriptor(), Epoll.READABLE | Epoll.ONCE, number);
            }
            while (parked.containsKey(number) && !Thread.currentThread().isInterrupted()) {
                if (millis < 0) {
                    LockSupport.park(this);
                } else if (end - System.nanoTime() > 0) {
                    LockSupport.parkNanos(this, end - System.nanoTime());
                } else {
                    break;
                }
            }
        } finally {
            parked.remove(number);
            all.remove(epoll.descriptor());
        }
    }

    private void run() {
        while (true) {
            try {
                int count = all.await(-1);
                for (int index = 0; index < count; index++) {
                    Thread thread = parked.remove((int) all.data(index));
                    LockSupport.unpark(thread);
                }
            } catch (SystemCallException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    }
}
