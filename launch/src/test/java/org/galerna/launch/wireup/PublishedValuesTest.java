package org.galerna.launch.wireup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.galerna.link.Wireup;
import org.galerna.testkit.Fault;
import org.galerna.testkit.Fuzzer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedValuesTest {
    private static final PublishedValues SOME = new PublishedValues(
            7, Map.of("empty", new byte[0], "größe", new byte[] {1, 2, 3}, "long", new byte[Wireup.MAXIMUM_VALUE]));

    @Test
    void bytesBecomeTheSameValues() throws Exception {
        PublishedValues read = PublishedValues.decode(SOME.encode());
        assertThat(read.previous()).isEqualTo(7);
        assertThat(read.values()).hasSize(3);
        SOME.values().forEach((key, value) -> assertThat(read.value(key)).isEqualTo(value));
        assertThat(read.value("other")).isNull();
    }

    @Test
    @Fault(4)
    void everyTruncationIsNoticed() {
        byte[] whole = SOME.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> PublishedValues.decode(part)).isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @Fault(6)
    @ValueSource(ints = {0, 2, 255})
    void anotherVersionIsRefused(int version) {
        byte[] bytes = SOME.encode();
        bytes[0] = (byte) version;
        assertThatThrownBy(() -> PublishedValues.decode(bytes)).hasMessageContaining("same galerna.jar");
    }

    @Test
    @Fault(3)
    void aHugeCountAllocatesNothing() {
        byte[] bytes = new PublishedValues(0, Map.of()).encode();
        Arrays.fill(bytes, 5, 9, (byte) 0x7f);
        assertThatThrownBy(() -> PublishedValues.decode(bytes)).isInstanceOf(IOException.class);
    }

    @Test
    @Fault(10)
    void whateverComesIsReadOrRefused() {
        new Fuzzer(List.of(SOME.encode(), new PublishedValues(0, Map.of()).encode()))
                .shortRun("PublishedValuesTest", 30_000, bytes -> {
                    try {
                        assertThat(PublishedValues.decode(bytes).values())
                                .allSatisfy(
                                        (key, value) -> assertThat(value.length).isLessThanOrEqualTo(bytes.length));
                    } catch (IOException refused) {
                        assertThat(bytes).isNotEqualTo(SOME.encode());
                    }
                });
    }

    @Test
    @Fault(10)
    void answersOfManagersAreReadOrRefused() {
        byte[] answer = "cmd=barrier_out rc=0 size=3 value=ab\n".getBytes(StandardCharsets.ISO_8859_1);
        new Fuzzer(List.of(answer)).shortRun("answersOfManagersAreReadOrRefused", 30_000, bytes -> {
            PmiMessage message = PmiMessage.parse(new String(bytes, StandardCharsets.ISO_8859_1), " ");
            try {
                int size = message.requireSuccess("barrier_out").number("size");
                assertThat(Integer.parseInt(message.value("size").strip())).isEqualTo(size);
            } catch (IOException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        });
    }
}
