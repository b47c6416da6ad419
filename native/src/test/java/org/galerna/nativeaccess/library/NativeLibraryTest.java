package org.galerna.nativeaccess.library;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@EnabledOnOs(OS.LINUX)
@SuppressWarnings("restricted") // pipes and signals are made by hand
class NativeLibraryTest {
    private static final int SIGUSR1 = 10;

    @Test
    void theFirstThatIsThereIsLoaded() {
        assertThat(NativeLibrary.open(List.of("libdoes-not-exist.so.9", "libm.so.6"))
                        .find("cos"))
                .isPresent();
    }

    @Test
    void theLinkersReasonIsGiven() {
        assertThatThrownBy(() -> NativeLibrary.open(List.of("libdoes-not-exist.so.9", "/no/such/file.so")))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContainingAll("libdoes-not-exist.so.9", "/no/such/file.so", "No such file");
    }

    /** The linker would map what is not there, and the process would die. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 200, 3000, 50_000})
    void aLibraryThatIsCutShortIsRefused(int bytes, @TempDir Path folder) throws IOException {
        byte[] whole = Files.readAllBytes(Path.of(System.getProperty("java.home"), "lib", "libjava.so"));
        Path part = Files.write(folder.resolve("libpart.so"), Arrays.copyOf(whole, bytes));
        assertThatThrownBy(() -> NativeLibrary.open(List.of(part.toString())))
                .isInstanceOf(UnsatisfiedLinkError.class)
                .hasMessageContainingAll(part.toString(), "the file is cut short");
    }

    /** These take SIGSEGV and others while they are loaded, if they are not told otherwise. */
    @ParameterizedTest
    @ValueSource(strings = {"libpmix.so.2", "libfabric.so.1", "libucp.so.0"})
    void theVirtualMachineKeepsItsSignals(String library) {
        try (Arena arena = Arena.ofConfined()) {
            SignalHandlers before = SignalHandlers.current(arena);
            try {
                NativeLibrary.open(List.of(library));
            } catch (UnsatisfiedLinkError missing) {
                Assumptions.abort(library + " is not installed");
            }
            assertThat(before.restore()).isEmpty();
            assertThatThrownBy(() -> length(null)).isInstanceOf(NullPointerException.class);
        }
    }

    /** Without an explicit check, so that compiled code would run into SIGSEGV. */
    private static int length(String text) {
        return text.length();
    }

    @Test
    void handlersThatHaveChangedArePutBack() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            SignalHandlers before = SignalHandlers.current(arena);
            ignore(SIGUSR1);
            assertThat(before.restore()).containsExactly(SIGUSR1);
            assertThat(before.restore()).isEmpty();
        }
    }

    /** Its other monitors do not write into functions that threads may be in. */
    @Test
    void libfabricIsToldToPatchNothing() throws Throwable {
        NativeLibrary.open(List.of("libm.so.6"));
        assertThat(variable("FI_MR_CACHE_MONITOR")).isNotEmpty().isNotEqualTo("memhooks");
    }

    /** As C has it; empty if it is not set. */
    private static String variable(String name) throws Throwable {
        Linker linker = Linker.nativeLinker();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = (MemorySegment) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("getenv"), FunctionDescriptor.of(ADDRESS, ADDRESS))
                    .invokeExact(arena.allocateFrom(name));
            return value.address() == 0 ? "" : value.reinterpret(Long.MAX_VALUE).getString(0);
        }
    }

    private static void ignore(int signal) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MemorySegment unused = (MemorySegment) linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("signal"), FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS))
                .invokeExact(signal, MemorySegment.ofAddress(1));
    }
}
