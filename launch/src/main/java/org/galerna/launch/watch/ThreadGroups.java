package org.galerna.launch.watch;

/** Groups of the threads of this virtual machine. */
public final class ThreadGroups {
    private ThreadGroups() {}

    /** The group that has all others. */
    public static ThreadGroup top() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (ThreadGroup parent = group.getParent(); parent != null; parent = group.getParent()) {
            group = parent;
        }
        return group;
    }
}
