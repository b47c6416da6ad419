package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
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
    private static final int PIECE = 64 * 1024;

    private static final @Nullable MethodHandle CALL = bind();

    private MemoryCopy() {}

    /**
     * Copies bytes, as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does and with the same
     * exceptions, between ranges that do not overlap. Any thread may call.
     */
    public static void copy(
            MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes) {
        if (bytes < WORTH_WHILE || CALL == null || target.isReadOnly()) {
            MemorySegment.copy(source, sourceOffset, target, targetOffset, bytes);
            return;
        }
        Objects.checkFromIndexSize(sourceOffset, bytes, source.byteSize());
        Objects.checkFromIndexSize(targetOffset, bytes, target.byteSize());
        try {
            for (long done = 0; done < bytes; done += PIECE) {
                long piece = Math.min(PIECE, bytes - done);
                CALL.invokeExact(
                        target.asSlice(targetOffset + done, piece), source.asSlice(sourceOffset + done, piece), piece);
            }
        } catch (RuntimeException inaccessible) {
            throw inaccessible;
        } catch (Throwable impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static @Nullable MethodHandle bind() {
        if (!Platform.isUsable()) {
            return null;
        }
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find("memmove")
                .map(address -> linker.downcallHandle(
                        address, FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG), Linker.Option.critical(true)))
                .orElse(null);
    }
}
