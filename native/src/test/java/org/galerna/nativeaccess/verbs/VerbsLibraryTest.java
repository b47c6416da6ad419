package org.galerna.nativeaccess.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.galerna.nativeaccess.file.DescriptorWait;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What can be seen of the bindings on a machine without an adapter. */
@EnabledOnOs(OS.LINUX)
class VerbsLibraryTest {
    private static VerbsLibrary library() {
        VerbsLibrary.unavailable().ifPresent(Assumptions::abort);
        return VerbsLibrary.open();
    }

    @Test
    void aMissingLibraryOrAMissingAdapterIsNoHarm() throws VerbsException {
        assertThat(library().adapters()).doesNotHaveDuplicates();
    }

    @Test
    void anAdapterThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> library().adapter("nosuch_0"))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll("nosuch_0", "No such device");
    }

    @Test
    void theLibrarySaysWhatAStatusMeans() {
        assertThat(library().describeStatus(WorkCompletions.FLUSHED)).containsIgnoringCase("flush");
        assertThat(library().describeEvent(VerbsLayout.EVENT_DEVICE_FATAL)).isNotBlank();
    }

    @Test
    void shortageOfMemoryNamesTheLimit() {
        assertThat(new VerbsException("rxe0: ibv_reg_mr", VerbsException.ENOMEM))
                .hasMessage("rxe0: ibv_reg_mr has failed: Cannot allocate memory" + LockedMemoryLimit.hint());
        assertThat(new VerbsException("rxe0: ibv_reg_mr", 22)).message().doesNotContain("lock");
    }

    @Test
    void aSleepEndsByAWakeUpThatCameBefore() {
        try (DescriptorWait wait = new DescriptorWait()) {
            wait.wakeUp();
            wait.wakeUp();
            long start = System.nanoTime();
            assertThat(wait.await(60_000_000_000L)).isZero();
            assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
            start = System.nanoTime();
            wait.await(2_000_000);
            assertThat(System.nanoTime() - start).isGreaterThan(1_000_000);
        }
    }

    @Test
    void addressesLookAsTheSystemWantsThem() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment fourth = SocketAddressLayout.encode(
                    arena, new InetSocketAddress(InetAddress.getByName("10.77.0.1"), 0x1234));
            assertThat(fourth.asSlice(0, 8).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .containsExactly(2, 0, 0x12, 0x34, 10, 77, 0, 1);
            MemorySegment sixth =
                    SocketAddressLayout.encode(arena, new InetSocketAddress(InetAddress.getByName("fe80::1%7"), 1));
            assertThat(sixth.asSlice(0, 28).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .containsExactly(
                            10, 0, 0, 1, 0, 0, 0, 0, 0xfe, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 7, 0, 0, 0);
        }
    }

    @Test
    void gidsShowTheAddressTheyStandFor() {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 77, 0, 2};
        assertThat(new Gid(1, mapped, 2)).hasToString("10.77.0.2");
        byte[] local = {(byte) 0xfe, (byte) 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
        assertThat(new Gid(0, local, 2)).hasToString("fe80:0000:0000:0000:0000:0000:0000:0001");
        assertThat(new Gid(0, local, 2).isEmpty()).isFalse();
        assertThat(new Gid(0, new byte[16], 0).isEmpty()).isTrue();
    }
}
