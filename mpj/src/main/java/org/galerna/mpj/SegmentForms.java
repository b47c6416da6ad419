package org.galerna.mpj;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * References to methods of the types that the JDK's memory segments make handles of when a process uses the first one. An
 * ahead-of-time cache keeps the form of a handle for a reference in a program, and the JDK's own handles of the same type use it. It keeps
 * no form that the JDK alone needs, so that each process would write seven classes and more anew. Public, since ranks that are threads have a
 * {@link Rehearsal} each, in a loader of its own.
 */
public final class SegmentForms {
    private interface FourNumbers {
        long apply(long first, long second, long third, long fourth);
    }

    private interface TwoNumbers {
        long apply(long first, long second);
    }

    private interface Slice {
        MemorySegment apply(MemorySegment segment, long offset, long bytes);
    }

    private interface SliceOfLayout {
        MemorySegment apply(MemorySegment segment, long offset, MemoryLayout layout);
    }

    private interface Check {
        void apply(MemorySegment segment, long offset, MemoryLayout layout);
    }

    private interface Change {
        MemorySegment apply(MemorySegment segment);
    }

    private interface Address {
        long apply(MemorySegment segment);
    }

    private interface Target {
        MemorySegment apply(long address, MemoryLayout layout);
    }

    private interface NoTarget {
        MemorySegment apply(long address);
    }

    /** Methods of a class that nothing has initialized when a reference is linked: their handles have a form more. */
    private static final class Methods {
        static long sum(long first, long second, long third, long fourth) {
            return first + second + third + fourth;
        }

        static long sum(long first, long second) {
            return first + second;
        }

        static void check(MemorySegment segment, long offset, MemoryLayout layout) {}

        static MemorySegment same(MemorySegment segment) {
            return segment;
        }

        static long address(MemorySegment segment) {
            return segment.address();
        }

        static MemorySegment target(long address, MemoryLayout layout) {
            return MemorySegment.ofAddress(address);
        }

        static MemorySegment noTarget(long address) {
            return MemorySegment.ofAddress(address);
        }
    }

    private SegmentForms() {}

    /** Links them all before it calls the first one. What they say of a small segment is of no use. */
    public static long link() {
        FourNumbers fourNumbers = Methods::sum;
        TwoNumbers twoNumbers = Methods::sum;
        Slice slice = MemorySegment::asSlice;
        SliceOfLayout sliceOfLayout = MemorySegment::asSlice;
        Check check = Methods::check;
        Change change = Methods::same;
        Address address = Methods::address;
        Target target = Methods::target;
        NoTarget noTarget = Methods::noTarget;
        try (Arena arena = Arena.ofConfined()) {
            MemoryLayout layout = ValueLayout.JAVA_LONG;
            MemorySegment segment = change.apply(arena.allocate(layout));
            check.apply(segment, 0, layout);
            long where = address.apply(segment);
            return fourNumbers.apply(
                    slice.apply(segment, 0, 1).byteSize(),
                    sliceOfLayout.apply(segment, 0, layout).byteSize(),
                    target.apply(where, layout).address(),
                    twoNumbers.apply(noTarget.apply(where).address(), 1));
        }
    }
}
