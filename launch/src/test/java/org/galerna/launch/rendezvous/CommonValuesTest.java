package org.galerna.launch.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CommonValuesTest {
    private final CommonValues values = new CommonValues(3);

    private static Value value(int rank, String key, String text) {
        return new Value(rank, key, text.getBytes(StandardCharsets.UTF_8));
    }

    private List<String> add(Value... published) {
        return values.add(List.of(published)).stream()
                .map(each -> each.key()
                        + (each.bytes() == null ? "" : "=" + new String(each.bytes(), StandardCharsets.UTF_8)))
                .sorted()
                .toList();
    }

    @Test
    void whatAllHavePublishedIsToldOnce() {
        assertThat(add(value(0, "host", "a"), value(2, "host", "a"), value(1, "host", "a"), value(0, "key", "x")))
                .containsExactly("host=a");
        assertThat(add(value(1, "host", "a"))).as("the same again").isEmpty();
        assertThat(add(value(1, "key", "x"))).as("one is missing").isEmpty();
        assertThat(add(value(2, "key", "x"))).containsExactly("key=x");
    }

    @Test
    void whatRanksDifferInIsNotTold() {
        assertThat(add(value(0, "host", "a"), value(1, "host", "b"), value(2, "host", "a")))
                .isEmpty();
    }

    @Test
    void oneThatPublishesSomethingElseTakesItBack() {
        assertThat(add(value(0, "host", "a"), value(1, "host", "a"), value(2, "host", "a")))
                .containsExactly("host=a");
        assertThat(add(value(1, "host", "b"))).containsExactly("host");
        assertThat(add(value(1, "host", "a"))).as("then each is asked for").isEmpty();
    }
}
