package org.galerna.nativeaccess.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every way of copying memory does. */
abstract class CopyContract {
    private static final int SPACE = 300_000;

    /** The method to be tested. */
    abstract void copy(MemorySegment source, long sourceOffset, MemorySegment target, long targetOffset, long bytes);

    private enum Kind {
        HEAP,
        NATIVE,
        READ_ONLY_HEAP,
        DOUBLES
    }

    private static MemorySegment memory(Kind kind, Arena arena) {
        return switch (kind) {
            case HEAP -> MemorySegment.ofArray(new byte[SPACE]);
            case NATIVE -> arena.allocate(SPACE);
            case READ_ONLY_HEAP -> MemorySegment.ofArray(new byte[SPACE]).asReadOnly();
            case DOUBLES -> MemorySegment.ofArray(new double[SPACE / Double.BYTES]);
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4095, 4096, 4097, 65_536, 65_537, 200_003})
    void copiesTheseBytesAndNoOthersBetweenAllKindsOfMemory(int length) {
        for (Kind from : Kind.values()) {
            for (Kind to : new Kind[] {Kind.HEAP, Kind.NATIVE, Kind.DOUBLES}) {
                try (Arena arena = Arena.ofConfined()) {
                    copies(from, to, length, arena);
                }
            }
        }
    }

    private void copies(Kind from, Kind to, int length, Arena arena) {
        byte[] bytes = new byte[SPACE];
        new Random(length).nextBytes(bytes);
        MemorySegment source =
                from == Kind.READ_ONLY_HEAP ? MemorySegment.ofArray(bytes).asReadOnly() : memory(from, arena);
        if (from != Kind.READ_ONLY_HEAP) {
            source.copyFrom(MemorySegment.ofArray(bytes));
        }
        MemorySegment target = memory(to, arena);
        copy(source, 77, target, 1001, length);
        byte[] expected = new byte[SPACE];
        System.arraycopy(bytes, 77, expected, 1001, length);
        assertThat(target.toArray(JAVA_BYTE))
                .as("%d bytes from %s to %s", length, from, to)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void rangesThatAreNotWithinTheMemoryAreRefusedBeforeAnythingIsCopied(int length) {
        byte[] target = new byte[SPACE];
        byte[] source = new byte[SPACE];
        Arrays.fill(source, (byte) 1);
        MemorySegment from = MemorySegment.ofArray(source);
        MemorySegment to = MemorySegment.ofArray(target);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> copy(from, SPACE - length + 1, to, 0, length));
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> copy(from, 0, to, SPACE - length + 1, length));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> copy(from, -1, to, 0, length));
        assertThat(target).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void memoryThatMayNotBeWrittenIsRefused(int length) {
        MemorySegment target = memory(Kind.READ_ONLY_HEAP, Arena.global());
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> copy(memory(Kind.HEAP, Arena.global()), 0, target, 0, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 100_000})
    void memoryThatIsFreedIsRefused(int length) {
        MemorySegment freed;
        try (Arena arena = Arena.ofShared()) {
            freed = arena.allocate(SPACE);
        }
        MemorySegment heap = memory(Kind.HEAP, Arena.global());
        assertThatIllegalStateException().isThrownBy(() -> copy(freed, 0, heap, 0, length));
        assertThatIllegalStateException().isThrownBy(() -> copy(heap, 0, freed, 0, length));
    }

    @Test
    void memoryOfAnotherThreadIsRefused() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment confined = arena.allocate(SPACE);
            MemorySegment heap = memory(Kind.HEAP, Arena.global());
            CompletableFuture<Void> elsewhere = CompletableFuture.runAsync(() -> copy(confined, 0, heap, 0, SPACE));
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(elsewhere::join)
                    .withCauseInstanceOf(WrongThreadException.class);
        }
    }
}
