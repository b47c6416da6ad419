package org.galerna.nativeaccess.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.Objects;
import org.galerna.nativeaccess.call.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Copies by the C library: {@code memmove(3)}, which knows the processor better than the virtual machine does. From some
 * kilobytes on it uses the processor's own instruction for copying where that is fast, which writes lines that another
 * core has without fetching them first. Stores, which are what the virtual machine uses, fetch every line.
 */
public final class MemoryCopy {
    /** Bytes from which on the C library is called; below, it uses stores too. */
    private static final int WORTH_WHILE = 4096;

    /** Bytes of one call: the virtual machine waits for it whenever it wants to stop all threads. */
    static final long PIECE = 64 * 1024;

    private static final @Nullable MemorySegment MEMMOVE = Platform.isUsable()
            ? Linker.nativeLinker().defaultLookup().find("memmove").orElse(null)
            : null;

    /** For a part of each segment, without segments of these parts; null where that cannot be. */
    private static final @Nullable MethodHandle CALL_AT_OFFSETS = MEMMOVE == null ? null : bindAtOffsets(MEMMOVE);

    private MemoryCopy() {}

    /** Of its own class: the virtual machine writes classes for it, which no process needs that has the other one. */
    private static final class InParts {
        private static final MethodHandle CALL = bind(Objects.requireNonNull(MEMMOVE));
    }

    /**
     * Copies bytes, as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does and with the same
     * exceptions, between ranges that do not overlap. Any thread may call.
     */
    public static void copy(
            MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
        copy(source, sourceOffset, target, targetOffset, bytes, CALL_AT_OFFSETS == null);
    }

    /** As {@link #copy(MemorySegment, long, MemorySegment, long, long)}, with segments of parts or without. */
    static void copy(
            MemorySegment source,
            long sourceOffset,
            MemorySegment target,
            long targetOffset,
            long bytes,
            boolean inParts) {
        if (bytes < WORTH_WHILE || MEMMOVE == null || target.isReadOnly()) {
            MemorySegment.copy(source, sourceOffset, target, targetOffset, bytes);
            return;
        }
        Objects.checkFromIndexSize(sourceOffset, bytes, source.byteSize());
        Objects.checkFromIndexSize(targetOffset, bytes, target.byteSize());
        try {
            for (long done = 0; done < bytes; done += PIECE) {
                long piece = Math.min(PIECE, bytes - done);
                if (!inParts && CALL_AT_OFFSETS != null) {
                    CALL_AT_OFFSETS.invokeExact(target, targetOffset + done, source, sourceOffset + done, piece);
                } else {
                    InParts.CALL.invokeExact(
                            target.asSlice(targetOffset + done, piece),
                            source.asSlice(sourceOffset + done, piece),
                            piece);
                }
            }
        } catch (RuntimeException inaccessible) {
            throw inaccessible;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static MethodHandle bind(MemorySegment memmove) {
        return Linker.nativeLinker()
                .downcallHandle(
                        memmove, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG), Linker.Option.critical(true));
    }

    private static @Nullable MethodHandle bindAtOffsets(MemorySegment memmove) {
        String address = HexFormat.of().toHexDigits(Long.reverseBytes(memmove.address()));
        return MachineCode.copying(
                MachineCode.AT_OFFSETS + "48b8" + address + " movabs rax, memmove\n" + "ffe0 jmp rax\n");
    }
}
