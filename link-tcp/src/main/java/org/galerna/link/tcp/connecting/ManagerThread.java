package org.galerna.link.tcp.connecting;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.galerna.link.process.OwnGroup;
import org.galerna.link.tcp.wire.Closing;

/**
 * The thread of managers: waits for their sockets, runs what they are told, and keeps the time. All links of a process share it,
 * however many ranks or peers there are. It ends with the last of its managers.
 *
 * <p>No manager waits for anything but the processor, so that none holds up the others; what one of them throws is its own
 * end, not theirs.
 */
public final class ManagerThread {
    private static final long MOST_PER_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long JOIN_MILLIS = 50;

    /** By the {@link OwnGroup} that they serve, or {@link #PROGRAM}; guarded by itself, as is the number of their users. */
    private static final Map<Object, ManagerThread> COMMON = new HashMap<>();

    /** Threads of a process that serve its links. */
    public static final int THREADS = 1;

    private static final Object PROGRAM = new Object();

    private final Selector selector;
    private final Object served;
    private final Thread thread;
    private final Queue<Command> commands = new ConcurrentLinkedQueue<>();
    private int users = 1; // guarded by COMMON
    private volatile boolean closed;

    // of the thread
    private final AttentiveClock clock = new AttentiveClock(MOST_PER_LOOK_NANOS, System.nanoTime());
    private final List<ConnectionManager> managers = new ArrayList<>();

    private record Command(ConnectionManager manager, Runnable task) {}

    /** What wants to know of events on a channel: attached to its key. */
    interface Watcher {
        /** Whose it is. */
        ConnectionManager manager();

        /** Something has happened. */
        void ready(SelectionKey key);
    }

    private ManagerThread(Object served, ThreadGroup group, String name) throws IOException {
        this.served = served;
        this.selector = Selector.open();
        this.thread = Thread.ofPlatform()
                .group(group)
                .daemon()
                .name(name)
                .inheritInheritableThreadLocals(false)
                .unstarted(this::run);
        thread.setContextClassLoader(ManagerThread.class.getClassLoader()); // not that of the rank that comes first
    }

    /** The group of Galerna's that the current thread belongs to, or else the program's outermost one. */
    private static ThreadGroup group() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (!(group instanceof OwnGroup)
                && group.getParent() != null
                && !group.getParent().getName().equals("system")) {
            group = group.getParent();
        }
        return group;
    }

    /**
     * The one that all links of a process share, but for those of an {@link OwnGroup}, which have one of their own. Each of them
     * {@linkplain #remove leaves} it once.
     */
    public static ManagerThread common() throws IOException {
        ThreadGroup group = group();
        Object served = group instanceof OwnGroup ? group : PROGRAM; // which has threads in the system's groups, too
        synchronized (COMMON) {
            ManagerThread running = COMMON.get(served);
            if (running == null) {
                running = new ManagerThread(served, group, "galerna-tcp-keeper");
                running.thread.start();
                COMMON.put(served, running);
            } else {
                running.users++;
            }
            return running;
        }
    }

    Selector selector() {
        return selector;
    }

    /** Time that the thread has had to see what happens. */
    AttentiveClock clock() {
        return clock;
    }

    /** Has a manager looked after. */
    void add(ConnectionManager manager) {
        tell(manager, () -> {
            managers.add(manager);
            manager.begin();
        });
    }

    /** Has something done for a manager, unless it has ended by then. Any thread; does not wait. */
    void tell(ConnectionManager manager, Runnable task) {
        commands.add(new Command(manager, task));
        selector.wakeup();
    }

    /** Ends a manager, and lets it go; returns when the thread does nothing more for it. */
    void remove(ConnectionManager manager) {
        if (Thread.currentThread() == thread) {
            end(manager);
        } else {
            CountDownLatch ended = new CountDownLatch(1);
            tell(manager, () -> {
                end(manager);
                ended.countDown();
            });
            awaitEnd(manager, ended);
        }
        release();
    }

    private void release() {
        synchronized (COMMON) {
            if (--users > 0) {
                return;
            }
            forget();
        }
        closed = true;
        selector.wakeup();
        if (Thread.currentThread() != thread) {
            try {
                thread.join();
            } catch (InterruptedException hurry) {
                Thread.currentThread().interrupt(); // it ends by itself
            }
        }
    }

    private void forget() {
        synchronized (COMMON) {
            COMMON.remove(served, this);
        }
    }

    private void awaitEnd(ConnectionManager manager, CountDownLatch ended) {
        try {
            while (!ended.await(JOIN_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!thread.isAlive()) { // the system has failed it, so that this thread is alone
                    if (!manager.hasEnded()) {
                        manager.end();
                    }
                    return;
                }
            }
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt(); // it ends by itself
        }
    }

    // ---- the thread

    private void end(ConnectionManager manager) {
        managers.remove(manager);
        manager.end();
    }

    private void run() {
        try {
            while (!closed) {
                round();
            }
        } catch (IOException failed) {
            managers.forEach(each -> each.failed("the sockets cannot be waited for: " + failed.getMessage()));
        } finally {
            forget();
            List.copyOf(managers).forEach(this::end);
            Closing.quietly(selector);
        }
    }

    private void round() throws IOException {
        selector.select(timeoutMillis(System.nanoTime()));
        clock.look(System.nanoTime());
        Command command;
        while ((command = commands.poll()) != null) {
            if (!command.manager.hasEnded()) {
                attend(command.manager, command.task);
            }
        }
        List<SelectionKey> ready = List.copyOf(selector.selectedKeys());
        selector.selectedKeys().clear();
        for (SelectionKey key : ready) {
            if (key.isValid() && key.attachment() instanceof Watcher watcher) {
                attend(watcher.manager(), () -> watcher.ready(key));
            }
        }
        long now = System.nanoTime();
        List<ConnectionManager> due =
                managers.stream().filter(each -> now - each.nextLook() >= 0).toList();
        for (ConnectionManager each : due) {
            if (!each.hasEnded()) {
                attend(each, () -> each.look(now));
            }
        }
    }

    private static void attend(ConnectionManager manager, Runnable task) {
        try {
            task.run();
        } catch (RuntimeException wrong) {
            manager.broken(wrong);
        }
    }

    private long timeoutMillis(long now) {
        long nanos = Long.MAX_VALUE;
        for (ConnectionManager each : managers) {
            nanos = Math.min(nanos, each.nextLook() - now);
        }
        return Math.max(1, nanos / 1_000_000);
    }
}
