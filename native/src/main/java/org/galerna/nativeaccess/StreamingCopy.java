package org.galerna.nativeaccess;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Copies by streaming (non-temporal) stores, which go past all caches to memory. A line that another core has need not be
 * fetched from there first: where cores are far from each other, that is most of what copying to it costs. Whoever reads
 * the copy gets it from memory, which is slower than a cache that is near.
 *
 * <p>Neither the virtual machine nor the C library offers such stores for some kilobytes, so this is a function of the
 * processor's own instructions, in a page that is made executable once it is written. Only for x86-64 on Linux, and only
 * where the system lets a process have such pages; see {@link #isAvailable}.
 */
public final class StreamingCopy {
    private static final int LINE = 64;

    /** Bytes of one call, see {@link MemoryCopy}. */
    private static final int PIECE = 64 * 1024;

    /**
     * {@code void copy(void *to, const void *from, long bytes)}: to the start of a line, some whole lines, at least one.
     * The stores are weakly ordered among each other; the fence at the end orders them before all that the caller stores
     * afterwards, such as the word that tells another core about them. Behind what the caller has loaded before, such as
     * the word that says that the memory is free, they are as all stores are.
     */
    private static final String CODE = """
            f30f1efa       endbr64
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

    private static final @Nullable MethodHandle CALL = bind();

    private StreamingCopy() {}

    /** Whether {@link #copy} streams; otherwise it is {@link MemoryCopy#copy}. */
    public static boolean isAvailable() {
        return CALL != null;
    }

    /**
     * Copies bytes, as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does and with the same
     * exceptions, to memory outside the heap that does not overlap with the source. Any thread may call.
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
            for (long done = first; done < end; done += PIECE) {
                long piece = Math.min(PIECE, end - done);
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
        if (!Platform.isUsable() || !System.getProperty("os.arch", "").equals("amd64")) {
            return null;
        }
        MemorySegment code = ExecutablePage.of(code());
        return code == null
                ? null
                : Linker.nativeLinker()
                        .downcallHandle(
                                code,
                                FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG),
                                Linker.Option.critical(true));
    }

    private static byte[] code() {
        StringBuilder digits = new StringBuilder();
        CODE.lines().forEach(line -> digits.append(line, 0, line.indexOf(' ')));
        return HexFormat.of().parseHex(digits);
    }

    /** A page with machine code in it. */
    private static final class ExecutablePage {
        private static final int PROTECTION_READ = 1;
        private static final int PROTECTION_WRITE = 2;
        private static final int PROTECTION_EXECUTE = 4;
        private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
        private static final long BYTES = 4096;
        private static final long FAILED = -1;

        /** Where the code is, for good; null if the system does not allow for that. Never writable and executable at once. */
        @SuppressWarnings("restricted")
        static @Nullable MemorySegment of(byte[] code) {
            long address = CFunction.of("mmap")
                    .call(
                            CFunction.IGNORED,
                            0,
                            BYTES,
                            PROTECTION_READ | PROTECTION_WRITE,
                            MAP_PRIVATE_ANONYMOUS,
                            -1,
                            0);
            if (address == FAILED) {
                return null;
            }
            MemorySegment page = MemorySegment.ofAddress(address).reinterpret(BYTES, Arena.global(), null);
            MemorySegment.copy(MemorySegment.ofArray(code), 0, page, 0, code.length);
            long refused = CFunction.of("mprotect")
                    .call(CFunction.IGNORED, address, BYTES, PROTECTION_READ | PROTECTION_EXECUTE);
            if ((int) refused != 0) {
                CFunction.of("munmap").call(CFunction.IGNORED, address, BYTES);
                return null;
            }
            return page;
        }
    }
}
