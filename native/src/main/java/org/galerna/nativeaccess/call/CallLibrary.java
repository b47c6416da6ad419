package org.galerna.nativeaccess.call;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.galerna.nativeaccess.cache.CacheFolder;

/**
 * A library with the functions of {@link DirectCall}, as the Java Native Interface has them, through which the virtual machine calls
 * all others. To link a method handle for calls takes the virtual machine tens of milliseconds in each process, since it
 * writes classes for it; to load this library takes less than one. Its file lies among what is kept for this user.
 *
 * <p>The functions move their parameters to where what they call looks for them. For x86-64 on Linux; everywhere else, and where the
 * file cannot be had, there is none.
 */
final class CallLibrary {
    private static final String PREFIX = "Java_org_galerna_nativeaccess_call_DirectCall_";

    /**
     * {@code jlong call(JNIEnv *, jclass, jlong function, jlong errno, jlong state, jlong a, ... jlong f)}, which stores the error that
     * the function has left. All parameters but the last five are in {@code rdi} to {@code r9}.
     */
    private static final String CALL = """
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

    /** {@code jlong system(JNIEnv *, jclass, jlong number, jlong a, ... jlong f)}: a call of the kernel itself. */
    private static final String SYSTEM = """
            f30f1efa       endbr64
            4889d0         mov      rax, rdx          ; number
            4889cf         mov      rdi, rcx          ; a
            4c89c6         mov      rsi, r8
            4c89ca         mov      rdx, r9
            4c8b542408     mov      r10, [rsp + 8]
            4c8b442410     mov      r8, [rsp + 16]
            4c8b4c2418     mov      r9, [rsp + 24]    ; f
            0f05           syscall
            c3             ret
            """;

    /** {@code jlong address(JNIEnv *, jclass, jobject buffer)}: GetDirectBufferAddress, number 230 among the functions of the interface. */
    private static final String ADDRESS = """
            f30f1efa       endbr64
            4889d6         mov      rsi, rdx          ; buffer
            488b07         mov      rax, [rdi]
            ffa030070000   jmp      [rax + 230 * 8]
            """;

    /** Says what is in it: another content has another name, so that no start need read the file. */
    static final String FILE = "calls-2.so";

    /** Length of the file. */
    static final int BYTES = 808;

    private static final int WRITABLE_BY_OTHERS = 0b010_010;

    // what follows is of the format of such files, ELF for 64 bits
    private static final int PAGE = 4096;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENTS = 4;
    private static final int SEGMENT_BYTES = 56;
    private static final int SYMBOL_BYTES = 24;
    private static final int HASH = HEADER_BYTES + SEGMENTS * SEGMENT_BYTES;

    private static final int FUNCTION_ALIGN = 16;

    private static final int READ = 4;
    private static final int WRITE = 2;
    private static final int EXECUTE = 1;

    private CallLibrary() {}

    private static final class Loaded {
        static final boolean YES = load();
    }

    /** Whether the library is there, and the functions of {@link DirectCall} can be called. */
    static boolean isLoaded() {
        return Loaded.YES;
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private static boolean load() {
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
        Path self = Path.of("/proc/self"); // whose owner is that of this process
        if ((mode(folder) & WRITABLE_BY_OTHERS) != 0 || owner(folder) != owner(self)) {
            throw new IOException("others may write to " + folder);
        }
        Path file = folder.resolve(FILE).toAbsolutePath();
        if (file.toFile().length() != BYTES) {
            Path draft = Files.createTempFile(folder, "calls-", null);
            try {
                Files.write(draft, content());
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

    /** What is in the file. */
    static byte[] content() {
        Map<String, String> functions = new TreeMap<>(Map.of("call", CALL, "system", SYSTEM, "address", ADDRESS));
        int count = functions.size();
        int symbols = align(HASH + (2 + 1 + 1 + count) * Integer.BYTES, Long.BYTES);
        int names = symbols + (1 + count) * SYMBOL_BYTES;
        ByteArrayOutputStream texts = new ByteArrayOutputStream();
        ByteArrayOutputStream code = new ByteArrayOutputStream();
        List<int[]> places = new ArrayList<>(); // of name, begin and length
        texts.write(0);
        functions.forEach((name, listing) -> {
            byte[] instructions = Instructions.assemble(listing);
            code.writeBytes(new byte[align(code.size(), FUNCTION_ALIGN) - code.size()]);
            places.add(new int[] {texts.size(), code.size(), instructions.length});
            texts.writeBytes((PREFIX + name).getBytes(StandardCharsets.US_ASCII));
            texts.write(0);
            code.writeBytes(instructions);
        });
        int begin = align(names + texts.size(), FUNCTION_ALIGN);
        int dynamic = align(begin + code.size(), Long.BYTES);
        long[] entries = {
            4, HASH, // DT_HASH
            5, names, // DT_STRTAB
            6, symbols, // DT_SYMTAB
            10, texts.size(), // DT_STRSZ
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
        file.putInt(1).putInt(1 + count).putInt(1).putInt(0); // one bucket of all symbols; it begins with symbol 1
        for (int symbol = 1; symbol <= count; symbol++) {
            file.putInt(symbol == count ? 0 : symbol + 1); // the next one in the bucket
        }
        file.position(symbols + SYMBOL_BYTES); // the first is none
        for (int[] place : places) {
            file.putInt(place[0]);
            file.put((byte) 0x12).put((byte) 0); // a global function
            file.putShort((short) 1);
            file.putLong(begin + (long) place[1]);
            file.putLong(place[2]);
        }
        file.put(texts.toByteArray());
        file.put(begin, code.toByteArray());
        file.position(dynamic);
        for (long entry : entries) {
            file.putLong(entry);
        }
        return file.array();
    }

    private static int align(int number, int unit) {
        return (number + unit - 1) / unit * unit;
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
