package org.galerna.sockets.platform;

import org.galerna.link.process.OwnGroup;

/**
 * The threads by which this process gets at other hosts. The sockets that they open, and those of the links that they open,
 * are the platform's: what carries the bytes of fast connections must not become one itself. Threads that they start belong
 * to them.
 */
public final class OwnThreads {
    private static final ThreadGroup GROUP = new OwnGroup("galerna-sockets");

    private OwnThreads() {}

    /** Whether the current thread is one of them. */
    public static boolean isOne() {
        return Thread.currentThread().getThreadGroup() == GROUP;
    }

    /** A thread that does not keep the process alive. */
    public static Thread make(String name, Runnable work) {
        Thread thread = new Thread(GROUP, work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }
}
