package org.galerna.launch.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a:2,b:2  | 4 | a 0-1 b 2-3
            a:2,b:2  | 3 | a 0-1 b 2-2
            a:4,b:2  | 3 | a 0-2
            a,b      | 2 | a 0-0 b 1-1
            a,b      | 5 | a 0-2 b 3-4
            a,b,c    | 2 | a 0-0 b 1-1
            a:3,b    | 4 | a 0-2 b 3-3
            """)
    void fillsOneHostAfterTheOther(String hosts, int ranks, String expected) {
        assertThat(Layout.of(HostList.parse(hosts), ranks).shares().stream()
                        .map(share ->
                                share.host().name() + " " + share.first() + "-" + (share.first() + share.ranks() - 1))
                        .collect(Collectors.joining(" ")))
                .isEqualTo(expected);
    }

    @Test
    void saysHowMuchRoomThereIs() {
        assertThatThrownBy(() -> Layout.of(HostList.parse("a:2,b:1"), 4))
                .isInstanceOf(LaunchException.class)
                .hasMessageContainingAll("4 ranks do not fit", "room for 3");
    }
}
