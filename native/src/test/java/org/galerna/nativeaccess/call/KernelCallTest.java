package org.galerna.nativeaccess.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both ways to call the kernel do the same. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64") // others have the C library alone
class KernelCallTest {
    private static final int EBADF = 9;
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;

    enum Way {
        LIBRARY {
            @Override
            long call(KernelCall call, long a, long b, long c, long d, long e, long f) {
                return call.call(a, b, c, d, e, f);
            }
        },
        FUNCTION {
            @Override
            long call(KernelCall call, long a, long b, long c, long d, long e, long f) {
                return call.callFunction(a, b, c, d, e, f);
            }
        };

        abstract long call(KernelCall call, long a, long b, long c, long d, long e, long f);
    }

    @ParameterizedTest
    @EnumSource
    void anErrorIsANegativeResult(Way way) {
        assertThat(way.call(KernelCall.of("close", 3), -1, 0, 0, 0, 0, 0)).isEqualTo(-EBADF);
    }

    @ParameterizedTest
    @EnumSource
    void theResultIsTheKernels(Way way) {
        assertThat(way.call(KernelCall.of("getpid", 39), 0, 0, 0, 0, 0, 0))
                .isEqualTo(ProcessHandle.current().pid());
    }

    @ParameterizedTest
    @EnumSource
    void sixParametersAndMemoryGoThrough(Way way) {
        CallMemory memory = CallMemory.allocate(32);
        try {
            passBytes(way, memory);
        } finally {
            Reference.reachabilityFence(memory);
        }
    }

    private static void passBytes(Way way, CallMemory memory) {
        assertThat(way.call(KernelCall.of("socketpair", 53), AF_UNIX, SOCK_STREAM, 0, memory.address(), 0, 0))
                .isZero();
        int one = memory.buffer().getInt(0);
        int other = memory.buffer().getInt(4);
        memory.buffer().putLong(8, 0x1122334455667788L);
        assertThat(way.call(KernelCall.of("sendto", 44), one, memory.address() + 8, 8, 0, 0, 0))
                .isEqualTo(8);
        memory.buffer().putInt(28, 42);
        // a connection has no address to store, so the length of it becomes 0
        assertThat(way.call(
                        KernelCall.of("recvfrom", 45),
                        other,
                        memory.address() + 16,
                        8,
                        0,
                        memory.address(),
                        memory.address() + 28))
                .isEqualTo(8);
        assertThat(memory.buffer().getLong(16)).isEqualTo(0x1122334455667788L);
        assertThat(memory.buffer().getInt(28)).isZero();
        for (int descriptor : new int[] {one, other}) {
            assertThat(way.call(KernelCall.of("close", 3), descriptor, 0, 0, 0, 0, 0))
                    .isZero();
        }
    }

    @Test
    void memoryIsWhereItsAddressSays() {
        CallMemory memory = CallMemory.allocate(64);
        assertThat(MemorySegment.ofBuffer(memory.buffer()).address()).isEqualTo(memory.address());
        assertThat(memory.buffer().getLong(56)).isZero();
    }
}
