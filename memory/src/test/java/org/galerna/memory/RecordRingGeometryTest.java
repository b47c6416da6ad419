package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecordRingGeometryTest {
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -2, -1, 0, 1, 2, 3, 12, 1 << 21, Integer.MAX_VALUE})
    void refusesSlotsThatAreNoPowerOfTwoInRange(int slots) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.bytes(slots, 1024))
                .withMessageContaining("slots must be a power of two")
                .withMessageContaining(String.valueOf(slots));
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -128, 0, 1, 64, 127, 129, 1000, 1 << 30, Integer.MAX_VALUE})
    void refusesDataBytesThatAreNoPowerOfTwoInRange(int dataBytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.bytes(4, dataBytes))
                .withMessageContaining("data bytes must be a power of two")
                .withMessageContaining(String.valueOf(dataBytes));
    }

    @ParameterizedTest
    @CsvSource({"4, 128, 64", "4, 256, 128", "1024, 262144, 131072", "1048576, 268435456, 268435456"})
    void claimsAreAddressableAtEverySize(int slots, int dataBytes, int maximumRecord) {
        long bytes = RecordRing.bytes(slots, dataBytes);
        assertThat(bytes).isEqualTo(384L + slots * 32L + dataBytes).isLessThanOrEqualTo(Integer.MAX_VALUE);
        if (dataBytes <= 1 << 20) {
            RecordRing ring = RecordRing.create(Rings.memory(slots, dataBytes), slots, dataBytes);
            assertThat(ring.maximumRecord()).isEqualTo(maximumRecord);
        }
    }

    @Test
    void refusesMemoryThatIsTooShort() {
        MemorySegment memory = Arena.ofAuto().allocate(RecordRing.bytes(4, 256) - 1, 128);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.create(memory, 4, 256))
                .withMessageContaining("needs " + RecordRing.bytes(4, 256) + " bytes");
    }

    @Test
    void refusesMemoryOnTheHeap() {
        MemorySegment memory = MemorySegment.ofArray(new long[1024]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.create(memory, 4, 256))
                .withMessageContaining("outside the heap");
    }

    @Test
    void refusesMemoryThatIsNotAligned() {
        MemorySegment memory = Arena.ofAuto().allocate(8192, 128).asSlice(8);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.create(memory, 4, 256))
                .withMessageContaining("aligned to 64 bytes");
    }

    @Test
    void opensWhatSomebodyElseHasLaidOut() {
        MemorySegment memory = Rings.memory(8, 512);
        RecordRing created = RecordRing.create(memory, 8, 512);
        RecordRing opened = RecordRing.open(memory);
        RecordProducer producer = new MpscProducer(opened);
        long claim = producer.claim(100);
        Rings.fill(memory, RecordProducer.offset(claim), 1, 100);
        producer.commit(claim, 100);

        RecordConsumer consumer = new RecordConsumer(created);
        assertThat(consumer.poll()).isEqualTo(100);
        assertThat(Rings.difference(memory, consumer.offset(), 1, 100)).isEmpty();
        assertThat(opened.maximumRecord()).isEqualTo(created.maximumRecord());
    }

    @Test
    void refusesToOpenMemoryWithoutARing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.open(Arena.ofAuto().allocate(4096, 128)))
                .withMessageContaining("no record ring of this version");
    }

    @Test
    void refusesToOpenARingOfAnotherVersion() {
        MemorySegment memory = Rings.memory(8, 512);
        RecordRing.create(memory, 8, 512);
        memory.set(RecordRingLayout.LONG, RecordRingLayout.MAGIC_OFFSET, RecordRingLayout.MAGIC + 1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.open(memory))
                .withMessageContaining("no record ring of this version")
                .withMessageContaining(Long.toHexString(RecordRingLayout.MAGIC + 1));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 8, 383})
    void refusesToOpenMemoryShorterThanAHeader(long bytes) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordRing.open(Arena.ofAuto().allocate(bytes, 128)));
    }

    @Test
    void refusesToOpenARingThatClaimsToBeLargerThanItsMemory() {
        MemorySegment memory = Rings.memory(8, 512);
        RecordRing.create(memory, 8, 512);
        memory.set(RecordRingLayout.INT, RecordRingLayout.DATA_BYTES_OFFSET, 1024);
        assertThatIllegalArgumentException().isThrownBy(() -> RecordRing.open(memory));
    }

    @ParameterizedTest
    @CsvSource({"-8, 512", "0, 512", "7, 512", "2147483647, 512", "8, 0", "8, -512", "8, 500"})
    void refusesToOpenARingOfImpossibleGeometry(int slots, int dataBytes) {
        MemorySegment memory = Rings.memory(8, 512);
        RecordRing.create(memory, 8, 512);
        memory.set(RecordRingLayout.INT, RecordRingLayout.SLOTS_OFFSET, slots);
        memory.set(RecordRingLayout.INT, RecordRingLayout.DATA_BYTES_OFFSET, dataBytes);
        assertThatIllegalArgumentException().isThrownBy(() -> RecordRing.open(memory));
    }
}
