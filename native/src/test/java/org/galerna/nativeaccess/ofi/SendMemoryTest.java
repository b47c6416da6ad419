package org.galerna.nativeaccess.ofi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SendMemoryTest {
    @Test
    void followsTheSizeOfMessagesThatTheEnvironmentNames() {
        assertThat(SendMemory.bytes(null)).isEqualTo(17L << 20);
        assertThat(SendMemory.bytes(" 4096 ")).isEqualTo(5L << 20);
        assertThat(SendMemory.bytes("many")).isEqualTo(SendMemory.bytes(null));
        assertThat(SendMemory.bytes("-1")).isEqualTo(SendMemory.bytes(null));
        assertThat(SendMemory.bytes(String.valueOf(Integer.MAX_VALUE))).isGreaterThan(Integer.MAX_VALUE);
    }
}
