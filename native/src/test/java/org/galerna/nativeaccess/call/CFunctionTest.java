package org.galerna.nativeaccess.call;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@EnabledOnOs(OS.LINUX)
class CFunctionTest {
    private static final int EBADF = 9;

    /** The two ways to call. */
    enum Way {
        LIBRARY {
            @Override
            long call(CFunction function, MemorySegment state, long a, long b, long c, long d, long e, long f) {
                return function.callDirectly(state, a, b, c, d, e, f);
            }
        },
        HANDLE {
            @Override
            long call(CFunction function, MemorySegment state, long a, long b, long c, long d, long e, long f) {
                return function.callByHandle(state, a, b, c, d, e, f);
            }
        };

        abstract long call(CFunction function, MemorySegment state, long a, long b, long c, long d, long e, long f);
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void theLibraryIsThereOnThisProcessor() {
        assertThat(CFunction.isDirect()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64") // others have the handle alone
    @SuppressWarnings("restricted") // the function is called by both ways
    void sixParametersAndTheResultGoThrough(Way way) throws ReflectiveOperationException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment function = Linker.nativeLinker()
                    .upcallStub(
                            MethodHandles.lookup()
                                    .findStatic(
                                            CFunctionTest.class,
                                            "digits",
                                            MethodType.methodType(
                                                    long.class,
                                                    long.class,
                                                    long.class,
                                                    long.class,
                                                    long.class,
                                                    long.class,
                                                    long.class)),
                            FunctionDescriptor.of(
                                    JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                            arena);
            long result = way.call(new CFunction(function), CFunction.state(arena), 1, 2, 3, 4, 5, -600_000_000_000L);
            assertThat(result).isEqualTo(-600_000_000_000L + 54321);
        }
    }

    @SuppressWarnings("UnusedMethod") // found by its name
    private static long digits(long a, long b, long c, long d, long e, long f) {
        return a + 10 * b + 100 * c + 1000 * d + 10_000 * e + f;
    }

    @ParameterizedTest
    @EnumSource
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64") // others have the handle alone
    void theErrorIsThatOfTheCall(Way way) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = CFunction.state(arena);
            assertThat((int) way.call(CFunction.of("close"), state, -1, 0, 0, 0, 0, 0))
                    .isEqualTo(-1);
            assertThat(CFunction.errno(state)).isEqualTo(EBADF);
        }
    }

    @ParameterizedTest
    @EnumSource
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64") // others have the handle alone
    void parametersBehindDotsGoThrough(Way way) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(64);
            MemorySegment format = arena.allocateFrom("%ld %ld %ld");
            long length = way.call(
                    CFunction.of("snprintf"),
                    CFunction.state(arena),
                    text.address(),
                    text.byteSize(),
                    format.address(),
                    7,
                    -8,
                    Long.MAX_VALUE);
            assertThat(text.getString(0)).isEqualTo("7 -8 " + Long.MAX_VALUE);
            assertThat((int) length).isEqualTo(text.getString(0).length());
        }
    }

    @Test
    void whatTheLibraryDoesNotHaveIsNotFound() {
        assertThat(CFunction.find("galerna_has_no_such_function")).isEqualTo(Optional.empty());
        assertThatThrownBy(() -> CFunction.of("galerna_has_no_such_function"))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContaining("galerna_has_no_such_function");
    }

    @Test
    void theFileOfTheLibraryIsMadeOnce(@TempDir Path folder) throws IOException {
        Path file = CallLibrary.file(folder);
        assertThat(file).hasBinaryContent(CallLibrary.content());
        Object first = Files.getAttribute(file, "unix:ino");
        assertThat(CallLibrary.file(folder)).isEqualTo(file);
        assertThat(Files.getAttribute(file, "unix:ino")).isEqualTo(first);
        assertThat(folder).isDirectoryContaining(entry -> entry.equals(file));
    }

    /** Starts look at the length of the file alone: who changes its content gives it another name, and these numbers. */
    @Test
    void theNameOfTheFileStandsForItsContent() {
        CRC32 sum = new CRC32();
        sum.update(CallLibrary.content());
        assertThat(CallLibrary.FILE).isEqualTo("calls-2.so");
        assertThat(CallLibrary.content()).hasSize(CallLibrary.BYTES);
        assertThat(sum.getValue()).isEqualTo(0x8a8a4797L);
    }

    @Test
    void aFileThatIsNotTheLibraryIsReplacedAndNotWrittenTo(@TempDir Path folder) throws IOException {
        Path file = CallLibrary.file(folder);
        Path loaded = Files.createLink(folder.resolve("loaded"), file); // as a process has it that has loaded the file
        Files.write(file, new byte[100]);
        assertThat(CallLibrary.file(folder)).hasBinaryContent(CallLibrary.content());
        assertThat(loaded).hasBinaryContent(new byte[100]);
    }

    @Test
    void aFolderThatOthersMayWriteToIsNotUsed(@TempDir Path folder) throws IOException {
        Files.setPosixFilePermissions(folder, java.nio.file.attribute.PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> CallLibrary.file(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(folder.toString());
    }
}
