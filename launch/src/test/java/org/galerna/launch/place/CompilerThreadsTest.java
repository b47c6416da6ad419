package org.galerna.launch.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.galerna.launch.GalernaJvm;
import org.junit.jupiter.api.Test;

final class CompilerThreadsTest {
    @Test
    void compilersHaveMoreThreadsWhereEveryCoreHasARank() {
        assertEquals(List.of("-XX:CICompilerCount=4"), CompilerThreads.options(2, 2));
        assertEquals(List.of("-XX:CICompilerCount=6"), CompilerThreads.options(64, 4));
        assertEquals(List.of("-XX:CICompilerCount=3"), CompilerThreads.options(2, 1));
    }

    @Test
    void theVirtualMachineDecidesOtherwise() {
        assertEquals(List.of(), CompilerThreads.options(2, 4), "cores are left for the compilers");
        assertEquals(List.of(), CompilerThreads.options(1, 1), "nobody waits");
        assertEquals(List.of(), CompilerThreads.options(64, 16), "there are many cores");
    }

    @Test
    void theUsersOptionComesLater() {
        List<String> command = GalernaJvm.ofThreads(10_000, List.of("-XX:CICompilerCount=5"));
        long ours = command.stream()
                .filter(option -> option.startsWith("-XX:CICompilerCount"))
                .count();
        assertTrue(ours >= 1, command::toString);
        assertEquals(
                "-XX:CICompilerCount=5",
                command.stream()
                        .filter(option -> option.startsWith("-XX:CICompilerCount"))
                        .reduce((first, second) -> second)
                        .orElseThrow());
    }
}
