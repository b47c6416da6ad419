package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuListTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0-1", "0-3,8,10-11", "1023-1025"})
    void isReadAndWrittenAsLinuxDoes(String list) {
        assertThat(CpuList.format(CpuList.parse(list + "\n"))).isEqualTo(list);
    }

    @Test
    void countsBothEndsOfARange() {
        BitSet cpus = CpuList.parse("2-4,7");
        assertThat(cpus.stream()).containsExactly(2, 3, 4, 7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "3-1", "0-", ",", "0,,1", "0-2000000000", "99999999999"})
    void refusesNonsense(String list) {
        assertThatThrownBy(() -> CpuList.parse(list)).isInstanceOf(IllegalArgumentException.class);
    }
}
