package org.galerna.link.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What libfabric leaves alone, where there is an adapter: {@link OfiAdapterTest} runs it. */
class OfiHooksSuite implements OfiSubject {
    private static final List<String> FUNCTIONS =
            List.of("mmap", "munmap", "mremap", "madvise", "shmat", "shmdt", "brk");
    private static final int BYTES = 16;

    @Override
    public String providerName() {
        return "verbs;ofi_rxm";
    }

    /** A thread may be inside such a function while it is patched, and goes on in the middle of another instruction. */
    @Test
    void theFunctionsThatMapMemoryAreNotPatched() {
        Map<String, List<Byte>> before = code();
        runJob(2, rank -> {
            rank.sendLong(1 - rank.rank(), 5);
            assertThat(rank.receiveLong(1 - rank.rank())).isEqualTo(5);
            assertThat(code()).isEqualTo(before);
        });
        assertThat(code()).isEqualTo(before);
    }

    @SuppressWarnings("restricted") // reads instructions
    private static Map<String, List<Byte>> code() {
        Linker linker = Linker.nativeLinker();
        return FUNCTIONS.stream()
                .collect(Collectors.toMap(
                        name -> name,
                        name -> linker.defaultLookup()
                                .findOrThrow(name)
                                .reinterpret(BYTES)
                                .elements(ValueLayout.JAVA_BYTE)
                                .map(each -> each.get(ValueLayout.JAVA_BYTE, 0))
                                .toList()));
    }
}
