package org.galerna.nativeaccess.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory outside the heap for what a {@link KernelCall} reads or writes, which lives as long as it is reachable. A process that
 * takes it at its start need not prepare segments, for which the virtual machine writes classes in each process anew.
 *
 * @param buffer all of it, in the order of the processor
 * @param address where it is
 */
public record CallMemory(ByteBuffer buffer, long address) {
    /** New memory, all zero. */
    public static CallMemory allocate(int bytes) {
        if (CallLibrary.isLoaded()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
            return new CallMemory(buffer, DirectCall.address(buffer));
        }
        MemorySegment segment = Arena.ofAuto().allocate(bytes, Long.BYTES);
        return new CallMemory(segment.asByteBuffer().order(ByteOrder.nativeOrder()), segment.address());
    }
}
