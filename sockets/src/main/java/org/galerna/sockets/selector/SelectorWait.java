package org.galerna.sockets.selector;

import java.io.IOException;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.nativeaccess.file.Epoll;
import org.galerna.sockets.pipe.AdaptiveBackoff;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.Remote;
import org.galerna.sockets.pipe.RemoteLink;
import org.galerna.sockets.pipe.WaitCondition;
import org.galerna.sockets.pipe.Waiter;
import org.galerna.sockets.pipe.WakeupFd;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link FastSelector} waits: it asks the system about sockets, and looks at pipes itself. When it has to wait it
 * looks at the pipes for a moment, then has the other ends ring its {@link WakeupFd}, and sleeps on that and on the sockets. One
 * thread at a time selects; any may wake it.
 *
 * <p>Argument for no lost wake-up. The selector says in the memory of each pipe that it listens, passes a full fence, and
 * looks at the pipes once more before it sleeps; the other end changes the pipe, passes a full fence, and looks whether
 * somebody listens ({@link Waiter}). One of the two sees what the other has stored. In the same way the thread that selects
 * stores that it {@link #sleeps}, passes a full fence, and loads what others ask of it ({@link #woken}, {@link #asked}),
 * while those store what they ask, pass a full fence, and load whether it sleeps. The bell stays rung until the sleep ends.
 *
 * <p>Looking at a pipe that is idle costs a load from a line that nobody writes; a thousand of them cost as much as one
 * call of the system.
 */
public final class SelectorWait implements WaitCondition {
    private static final int MOST_EVENTS = 512;
    private static final long BELL_DATA = -1;

    private final Runnable refresh;
    private final Epoll epoll = new Epoll(MOST_EVENTS);
    private final WakeupFd bell = new WakeupFd();
    private final AtomicInteger sockets = new AtomicInteger(); // that the system is asked about

    // three facts, not one state: each request is lowered where it is answered, and they come at any time
    private volatile boolean woken;
    private volatile boolean asked; // to look again, because something has happened that rings no bell
    private volatile boolean sleeps;

    // of the thread that selects
    private @Nullable FastSelectionKey[] byDescriptor = new FastSelectionKey[64];
    private final List<FastSelectionKey> piped = new ArrayList<>();
    private final List<FastSelectionKey> found = new ArrayList<>();
    private final AdaptiveBackoff look = new AdaptiveBackoff();
    private @Nullable FastSelectionKey busy; // the one with a pipe that was found last

    /**
     * One for a selector.
     *
     * @param refresh takes changes of keys into account; run by the thread that selects when it was asked to look again
     */
    public SelectorWait(Runnable refresh) throws IOException {
        this.refresh = refresh;
        epoll.add(bell.descriptor(), Epoll.READABLE | Epoll.ON_CHANGE, BELL_DATA);
    }

    /** A selection begins, which takes account of all that has happened to keys so far. */
    public void begin() {
        asked = false;
    }

    /** Waits for what a key is interested in from now on; by the thread that selects. */
    public void update(FastSelectionKey key) throws IOException {
        int descriptor = key.descriptor();
        if (descriptor >= byDescriptor.length) {
            byDescriptor = Arrays.copyOf(byDescriptor, Integer.highestOneBit(descriptor) * 2);
        }
        byDescriptor[descriptor] = key;
        boolean piping = key.hasPipe();
        key.update(epoll, bell);
        if (key.hasPipe() && !piping) {
            piped.add(key);
        }
    }

    /** Waits for nothing of a key any more; by the thread that selects. */
    public void forget(FastSelectionKey key) {
        int descriptor = key.descriptor();
        if (descriptor < byDescriptor.length && byDescriptor[descriptor] == key) {
            byDescriptor[descriptor] = null;
        }
        if (key.hasPipe()) {
            piped.remove(key);
        }
        if (busy == key) {
            busy = null;
        }
        key.end();
    }

    /** The system is asked about one socket more, or one less; any thread. */
    public void count(int change) {
        sockets.addAndGet(change);
    }

    /** The system is asked about this no more; any thread. */
    public void remove(int descriptor) {
        epoll.remove(descriptor);
        count(-1);
    }

    /** Ends the present selection, or the next one; any thread. */
    public void wakeUp() {
        woken = true;
        VarHandle.fullFence();
        if (sleeps) {
            bell.ring();
        }
    }

    /** Has the present selection look again; any thread. */
    public void lookAgain() {
        asked = true;
        VarHandle.fullFence();
        if (sleeps) {
            bell.ring();
        }
    }

    /**
     * Waits until something is found, somebody wakes this, or the time is over.
     *
     * @param millis 0 not to wait, negative for ever
     * @return keys that have found something; the caller clears the list
     */
    public List<FastSelectionKey> await(long millis) throws IOException {
        long start = System.nanoTime();
        if (lookAtPipes() || millis == 0 || woken || isFoundSoon()) {
            poll(0);
        } else {
            sleep(millis);
            look.slept(System.nanoTime() - start);
        }
        woken = false;
        return found;
    }

    /** Looks for a moment; what others have asked for meanwhile is no reason to return. */
    private boolean isFoundSoon() {
        boolean shared = busy != null && busy.isPeerHere();
        return !piped.isEmpty() && look.until(this, shared) && (woken || !found.isEmpty());
    }

    private void sleep(long millis) throws IOException {
        long end = millis < 0 ? 0 : System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis < 0 ? -1 : millis;
        do {
            sleeps = true;
            int again = -1;
            for (FastSelectionKey key : piped) {
                int soon = key.listen(bell);
                again = soon < 0 ? again : again < 0 ? soon : Math.min(again, soon);
            }
            int most = (int) Math.min(left, Integer.MAX_VALUE);
            int pause = again < 0 ? most : most < 0 ? again : Math.min(most, again);
            VarHandle.fullFence();
            boolean something = woken || asked || lookAtPipes();
            try {
                poll(something ? 0 : pause);
            } finally {
                sleeps = false;
            }
            if (asked) {
                asked = false;
                refresh.run();
            }
            lookAtPipes();
            if (millis > 0) {
                left = Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime() + 999_999));
            }
        } while (found.isEmpty() && !woken && left != 0);
        for (FastSelectionKey key : found) {
            key.listenNoMore();
        }
    }

    /** Whether there is something to return for, when only pipes and other threads are looked at. */
    @Override
    public boolean holds() {
        return woken || asked || lookAtPipes();
    }

    private boolean lookAtPipes() {
        progress();
        for (int index = 0; index < piped.size(); index++) {
            FastSelectionKey key = piped.get(index);
            if (key.look()) {
                found.add(key);
                busy = key;
            }
        }
        return !found.isEmpty();
    }

    /** Takes what has come from other hosts; pipes of one link mostly follow each other. */
    private void progress() {
        RemoteLink last = null;
        for (int index = 0; index < piped.size(); index++) {
            Pipe pipe = piped.get(index).pipe();
            Remote far = pipe == null ? null : pipe.far();
            if (far != null && far.link() != last) {
                last = far.link();
                boolean ignored = last.progress();
            }
        }
    }

    /** Asks the system; {@code millis} is how long to sleep at most. */
    private void poll(int millis) throws IOException {
        if (asked && millis == 0) {
            asked = false;
            refresh.run(); // looking has shown that the system is to be asked about something else
        }
        if (millis == 0 && sockets.get() == 0) {
            return;
        }
        if (millis != 0 && Thread.currentThread().isVirtual()) {
            EpollPoller.await(epoll, millis);
            millis = 0;
        }
        int count = epoll.await(millis);
        for (int index = 0; index < count; index++) {
            long data = epoll.data(index);
            int descriptor = (int) data;
            FastSelectionKey key = data == BELL_DATA ? null : byDescriptor[descriptor];
            if (key != null && key.data() == data && key.take(epoll.events(index))) {
                found.add(key);
            }
        }
    }

    /** Ends it; nobody selects any more, and all keys are forgotten. */
    public void close() {
        epoll.close();
        bell.close();
    }
}
