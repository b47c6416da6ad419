package org.galerna.nativeaccess.memory;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies by streaming (non-temporal) stores, which go past all caches to memory. A line that another core has need not be
 * fetched from there first: where cores are far from each other, that is most of what copying to it costs. Whoever reads
 * the copy gets it from memory, which is slower than a cache that is near.
 */
public final class StreamingCopy {
    private static final int LINE = 64;

    /**
     * Copies to the start of a line, some whole lines, at least one. The stores are weakly ordered among each other; the
     * fence at the end orders them before all that the caller stores afterwards, such as the word that tells another core
     * about them. Behind what the caller has loaded before, such as the word that says that the memory is free, they are as
     * all stores are.
     */
    private static final String CODE = MachineCode.AT_OFFSETS + """
            f30f6f06       movdqu   xmm0, [rsi]       ; copies a line
            f30f6f4e10     movdqu   xmm1, [rsi + 16]
            f30f6f5620     movdqu   xmm2, [rsi + 32]
            f30f6f5e30     movdqu   xmm3, [rsi + 48]
            660fe707       movntdq  [rdi], xmm0
            660fe74f10     movntdq  [rdi + 16], xmm1
            660fe75720     movntdq  [rdi + 32], xmm2
            660fe75f30     movntdq  [rdi + 48], xmm3
            4883c640       add      rsi, 64
            4883c740       add      rdi, 64
            4883ea40       sub      rdx, 64
            75cc           jne      -52               ; to the first load
            0faef8         sfence
            c3             ret
            """;

    private static final @Nullable MethodHandle CALL = MachineCode.copying(CODE);

    private StreamingCopy() {}

    /** Whether {@link #copy} streams; otherwise it is {@link MemoryCopy#copy}. */
    public static boolean isAvailable() {
        return CALL != null;
    }

    /**
     * Copies bytes, as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does and with the same
     * exceptions, between ranges that do not overlap; streams if the target is outside the heap. Any thread may call.
     */
    public static void copy(
            MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
        if (CALL == null || target.isReadOnly() || !target.isNative()) {
            MemoryCopy.copy(source, sourceOffset, target, targetOffset, bytes);
            return;
        }
        Objects.checkFromIndexSize(sourceOffset, bytes, source.byteSize());
        Objects.checkFromIndexSize(targetOffset, bytes, target.byteSize());
        long first = Math.min(-(target.address() + targetOffset) & (LINE - 1), bytes); // up to the start of a line
        long end = first + (bytes - first) / LINE * LINE;
        MemorySegment.copy(source, sourceOffset, target, targetOffset, first);
        MemorySegment.copy(source, sourceOffset + end, target, targetOffset + end, bytes - end);
        try {
            for (long done = first; done < end; done += MemoryCopy.PIECE) {
                CALL.invokeExact(
                        target,
                        targetOffset + done,
                        source,
                        sourceOffset + done,
                        Math.min(MemoryCopy.PIECE, end - done));
            }
        } catch (RuntimeException inaccessible) {
            throw inaccessible;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
