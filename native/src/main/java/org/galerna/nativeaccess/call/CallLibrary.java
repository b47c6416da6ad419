package org.galerna.nativeaccess.call;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import org.galerna.nativeaccess.cache.CacheFolder;

/**
 * A library of one function, through which the virtual machine calls all others: {@link DirectCall#call}, as the Java Native
 * Interface has it. To link a method handle for calls takes the virtual machine tens of milliseconds in each process, since it
 * writes classes for it; to load this library takes less than one. Its file lies among what is kept for this user.
 *
 * <p>The function moves its parameters to where the called function looks for them, calls it, and stores the error that it has left. It
 * calls nothing of the virtual machine. For x86-64 on Linux; everywhere else, and where the file cannot be had, there is none.
 */
final class CallLibrary {
    private static final String FUNCTION = "Java_org_galerna_nativeaccess_call_DirectCall_call";

    /**
     * {@code jlong call(JNIEnv *, jclass, jlong function, jlong errno, jlong state, jlong a, ... jlong f)}. All of them but the last five
     * are in {@code rdi} to {@code r9}.
     */
    private static final String CODE = """
            f30f1efa       endbr64
            53             push     rbx
            55             push     rbp
            4883ec08       sub      rsp, 8
            4c89c3         mov      rbx, r8           ; state
            4889cd         mov      rbp, rcx          ; errno
            4989d3         mov      r11, rdx          ; function
            4c89cf         mov      rdi, r9           ; a
            488b742420     mov      rsi, [rsp + 32]   ; b
            488b542428     mov      rdx, [rsp + 40]
            488b4c2430     mov      rcx, [rsp + 48]
            4c8b442438     mov      r8, [rsp + 56]
            4c8b4c2440     mov      r9, [rsp + 64]    ; f
            31c0           xor      eax, eax          ; no vector registers behind the dots of a function
            41ffd3         call     r11
            48890424       mov      [rsp], rax
            ffd5           call     rbp
            8b08           mov      ecx, [rax]
            890b           mov      [rbx], ecx
            488b0424       mov      rax, [rsp]
            4883c408       add      rsp, 8
            5d             pop      rbp
            5b             pop      rbx
            c3             ret
            """;

    /** Whose owner is that of this process. */
    private static final Path SELF = Path.of("/proc/self");

    private static final int WRITABLE_BY_OTHERS = 0b010_010;

    // what follows is of the format of such files, ELF for 64 bits
    private static final int PAGE = 4096;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENTS = 4;
    private static final int SEGMENT_BYTES = 56;
    private static final int SYMBOL_BYTES = 24;
    private static final int HASH = HEADER_BYTES + SEGMENTS * SEGMENT_BYTES;
    private static final int SYMBOLS = HASH + 6 * Integer.BYTES;
    private static final int NAMES = SYMBOLS + 2 * SYMBOL_BYTES;
    private static final int CODE_BEGIN = (NAMES + FUNCTION.length() + 2 + 15) / 16 * 16;

    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int EXECUTE = 1;

    private CallLibrary() {}

    /** Whether the library is there, now. */
    @SuppressWarnings("restricted") // the one purpose of this module
    static boolean load() {
        if (!Platform.isUsable() || !System.getProperty("os.arch", "").equals("amd64")) {
            return false;
        }
        try {
            System.load(file(CacheFolder.ofUser()).toString());
            return true;
        } catch (IOException | UnsatisfiedLinkError | SecurityException | UnsupportedOperationException impossible) {
            // handles do the same
            return false;
        }
    }

    /** The file, made if it is not there as it should be. Another file takes its place, since processes may have loaded it. */
    static Path file(Path folder) throws IOException {
        if ((mode(folder) & WRITABLE_BY_OTHERS) != 0 || owner(folder) != owner(SELF)) {
            throw new IOException("others may write to " + folder);
        }
        byte[] content = content();
        Path file = folder.resolve("calls.so").toAbsolutePath();
        if (!has(file, content)) {
            Path draft = Files.createTempFile(folder, "calls-", null);
            try {
                Files.write(draft, content);
                Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(draft);
            }
        }
        return file;
    }

    private static int mode(Path folder) throws IOException {
        return (int) Files.getAttribute(folder, "unix:mode");
    }

    private static int owner(Path path) throws IOException {
        return (int) Files.getAttribute(path, "unix:uid");
    }

    private static boolean has(Path file, byte[] content) throws IOException {
        try {
            return Arrays.equals(Files.readAllBytes(file), content);
        } catch (NoSuchFileException first) {
            return false;
        }
    }

    static byte[] content() {
        byte[] code = Instructions.assemble(CODE);
        int dynamic = (CODE_BEGIN + code.length + 7) / 8 * 8;
        long[] entries = {
            4, HASH, // DT_HASH
            5, NAMES, // DT_STRTAB
            6, SYMBOLS, // DT_SYMTAB
            10, FUNCTION.length() + 2L, // DT_STRSZ
            11, SYMBOL_BYTES, // DT_SYMENT
            0, 0
        };
        int dynamicBytes = entries.length * Long.BYTES;
        ByteBuffer file = ByteBuffer.allocate(dynamic + dynamicBytes).order(ByteOrder.LITTLE_ENDIAN);
        file.putInt(0x464c457f); // magic number
        file.put((byte) 2).put((byte) 1).put((byte) 1); // 64 bits, little endian, version
        file.position(16);
        file.putShort((short) 3); // a shared library
        file.putShort((short) 62); // for x86-64
        file.putInt(1); // version
        file.putLong(0); // nothing to begin with
        file.putLong(HEADER_BYTES); // where the segments are listed
        file.putLong(0); // no sections
        file.putInt(0); // no flags
        file.putShort((short) HEADER_BYTES);
        file.putShort((short) SEGMENT_BYTES);
        file.putShort((short) SEGMENTS);
        file.position(HEADER_BYTES);
        segment(file, 1, READ | EXECUTE, 0, 0, dynamic, PAGE);
        // the linker of programs may write there
        segment(file, 1, READ | WRITE, dynamic, PAGE + dynamic, dynamicBytes, PAGE);
        segment(file, 2, READ | WRITE, dynamic, PAGE + dynamic, dynamicBytes, Long.BYTES);
        segment(file, 0x6474e551, READ | WRITE, 0, 0, 0, 16); // stacks need not be executable
        for (int number : new int[] {1, 2, 1, 0, 0}) { // one bucket of two symbols, and the chain of its one name
            file.putInt(number);
        }
        file.position(SYMBOLS + SYMBOL_BYTES); // the first is none
        file.putInt(1); // its name
        file.put((byte) 0x12).put((byte) 0); // a global function
        file.putShort((short) 1);
        file.putLong(CODE_BEGIN);
        file.putLong(code.length);
        file.put((byte) 0).put(FUNCTION.getBytes(StandardCharsets.US_ASCII));
        file.put(CODE_BEGIN, code);
        file.position(dynamic);
        for (long entry : entries) {
            file.putLong(entry);
        }
        return file.array();
    }

    private static void segment(
            ByteBuffer file, int type, int access, long from, long address, long bytes, long align) {
        file.putInt(type);
        file.putInt(access);
        file.putLong(from);
        file.putLong(address);
        file.putLong(address);
        file.putLong(bytes);
        file.putLong(bytes);
        file.putLong(align);
    }
}
