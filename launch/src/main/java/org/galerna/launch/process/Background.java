package org.galerna.launch.process;

/** Threads of the launcher and its agents, which do not keep a process alive. */
final class Background {
    private Background() {}

    static Thread start(String name, Runnable task) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
