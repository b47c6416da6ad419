package org.galerna.bench.messaging;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What this process has allocated on the heap. */
final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Allocation() {}

    /** Bytes, of all threads, those that have ended among them. */
    static long ofProcess() {
        return THREADS.getTotalThreadAllocatedBytes();
    }
}
