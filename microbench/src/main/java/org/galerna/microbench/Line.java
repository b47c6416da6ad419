package org.galerna.microbench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A number in a cache line of its own. */
@SuppressWarnings({"unused", "UnusedVariable"})
final class Line extends LineStart {
    private static final VarHandle VALUE;

    static {
        try {
            VALUE = MethodHandles.lookup().findVarHandle(Line.class, "value", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private long value;
    private long q0, q1, q2, q3, q4, q5, q6, q7, q8, q9, q10, q11, q12, q13, q14, q15;

    long acquire() {
        return (long) VALUE.getAcquire(this);
    }

    void release(long next) {
        VALUE.setRelease(this, next);
    }
}

@SuppressWarnings({"unused", "UnusedVariable"})
abstract class LineStart {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}
