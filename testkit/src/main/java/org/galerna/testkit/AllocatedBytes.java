package org.galerna.testkit;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** How much the calling thread has allocated on the heap, as the virtual machine counts it. */
public final class AllocatedBytes {
    private static final String ATTRIBUTE = "CurrentThreadAllocatedBytes";

    private AllocatedBytes() {}

    /** Bytes allocated by the calling thread since it started. Asking allocates a few hundred bytes itself. */
    public static long now() {
        try {
            return (long) ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(ObjectName.getInstance(ManagementFactory.THREAD_MXBEAN_NAME), ATTRIBUTE);
        } catch (JMException unsupported) {
            throw new AssertionError("this virtual machine does not count allocated bytes", unsupported);
        }
    }

    /** Bytes that the work allocates on the calling thread. */
    public static long during(Runnable work) {
        now();
        long before = now();
        long asking = now() - before;
        before = now();
        work.run();
        return Math.max(0, now() - before - asking);
    }
}
