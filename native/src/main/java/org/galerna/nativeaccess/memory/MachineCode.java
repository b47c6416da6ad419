package org.galerna.nativeaccess.memory;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.galerna.nativeaccess.call.CFunction;
import org.galerna.nativeaccess.call.Instructions;
import org.galerna.nativeaccess.call.Platform;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the processor's own instructions, where neither the virtual machine nor the C library has what is needed.
 * For x86-64 on Linux, and only where the system lets a process make pages executable that it has written. No page is ever
 * both writable and executable.
 */
final class MachineCode {
    private static final int PROTECTION_READ = 1;
    private static final int PROTECTION_WRITE = 2;
    private static final int PROTECTION_EXECUTE = 4;
    private static final int MAP_PRIVATE_ANONYMOUS = 0x22;
    private static final long PAGE = 4096;
    private static final long FAILED = -1;

    /**
     * The begin of a function {@code void copy(char *to, long toOffset, const char *from, long fromOffset, long bytes)}: it
     * leaves {@code to} in {@code rdi}, {@code from} in {@code rsi} and {@code bytes} in {@code rdx}, as {@code memmove}
     * takes them. A segment of an array and an offset are there already; a segment that begins at the offset would have to be
     * allocated for each copy.
     */
    static final String AT_OFFSETS = """
            f30f1efa       endbr64
            4801f7         add      rdi, rsi
            488d340a       lea      rsi, [rdx + rcx]
            4c89c2         mov      rdx, r8
            """;

    private MachineCode() {}

    /**
     * Such a copying function, which takes memory in the heap too; null if there is none here.
     *
     * @param listing the instructions, see {@link Instructions#assemble}
     */
    @SuppressWarnings("restricted") // the one purpose of this module
    static @Nullable MethodHandle copying(String listing) {
        if (!Platform.isUsable() || !System.getProperty("os.arch", "").equals("amd64")) {
            return null;
        }
        MemorySegment code = place(Instructions.assemble(listing));
        return code == null
                ? null
                : Linker.nativeLinker()
                        .downcallHandle(
                                code,
                                FunctionDescriptor.ofVoid(ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG),
                                Linker.Option.critical(true));
    }

    /** Puts code where it stays; null if the system does not allow for that. */
    @SuppressWarnings("restricted")
    private static @Nullable MemorySegment place(byte[] code) {
        int writable = PROTECTION_READ | PROTECTION_WRITE;
        long address = CFunction.of("mmap").call(CFunction.IGNORED, 0, PAGE, writable, MAP_PRIVATE_ANONYMOUS, -1, 0);
        if (address == FAILED) {
            return null;
        }
        MemorySegment page = MemorySegment.ofAddress(address).reinterpret(PAGE, Arena.global(), null);
        MemorySegment.copy(MemorySegment.ofArray(code), 0, page, 0, code.length);
        int executable = PROTECTION_READ | PROTECTION_EXECUTE;
        if ((int) CFunction.of("mprotect").call(CFunction.IGNORED, address, PAGE, executable) != 0) {
            CFunction.of("munmap").call(CFunction.IGNORED, address, PAGE);
            return null;
        }
        return page;
    }
}
