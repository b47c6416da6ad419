package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.galerna.messaging.MessagingException.Reason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes whose records differ. */
class LayoutsTest {
    record Put(String key, int count) {}

    record Get(String key) {}

    record Row(String key, long count) {}

    /** What another program calls by the same names. */
    static final class Other {
        record Put(String key, long count) {}

        record Get(String key, @Nullable List<String> more) {}

        record Row(long count, String key) {}

        private Other() {}
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aTypeThatIsLaidOutOtherwiseIsRefusedAndNamed(String link) {
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(
                    1,
                    node -> node.type(MessageType.record(1, 0, Put.class))
                            .type(MessageType.record(2, 0, Get.class))
                            .type(MessageType.record(3, 0, Row.class))
                            .type(MessageType.record(4, 0, Numbered.class)));
            cluster.start(
                    2,
                    node -> node.type(MessageType.record(3, 0, Other.Row.class))
                            .type(MessageType.record(4, 0, Numbered.class))
                            .receive(MessageType.record(1, 0, Other.Put.class), (_, _) -> {})
                            .receive(MessageType.record(2, 1, Other.Get.class), (get, from) -> {
                                if (get.key().equals("row")) {
                                    from.respond(new Other.Row(1, "row"));
                                } else {
                                    from.respond(new Numbered(get.more() == null ? 7 : 8));
                                }
                            }));
            assertThat(one.request(2, new Get("a"), Numbered.class, Cluster.PATIENCE)
                            .number())
                    .isEqualTo(7);
            assertThatThrownBy(() -> one.send(2, new Put("a", 1)))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.INCOMPATIBLE))
                    .hasMessageContaining(Put.class.getName() + " (number 1, version 0)")
                    .hasMessageContaining("node 2: component count is int here, and long there")
                    .hasMessageContaining("new number");
            assertThatThrownBy(() -> one.request(2, new Get("row"), Row.class, Cluster.PATIENCE))
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.UNANSWERABLE))
                    .hasMessageContaining("is count here, and key there");
        }
    }

    record Numbered(int number) {}
}
