package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.galerna.messaging.MessagingException.Reason;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
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

    /** Asks for everything, and keeps it. */
    private static final class Listener<T> implements Flow.Subscriber<T> {
        private final List<T> heard = new CopyOnWriteArrayList<>();
        private final CompletableFuture<@Nullable Void> end = new CompletableFuture<>();

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T item) {
            heard.add(item);
        }

        @Override
        public void onError(Throwable failure) {
            end.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            end.complete(null);
        }

        @Nullable
        Throwable awaitEnd() throws Exception {
            return end.handle((_, failure) -> failure).get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    /** Gives so many items to each subscriber as soon as it asks for any. */
    private static <T> Flow.Publisher<T> of(T item, int count) {
        return subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            private boolean given;

            @Override
            public void request(long n) {
                if (!given) {
                    given = true;
                    for (int each = 0; each < count; each++) {
                        subscriber.onNext(item);
                    }
                    subscriber.onComplete();
                }
            }

            @Override
            public void cancel() {
                given = true;
            }
        });
    }

    private static void assertIncompatible(@Nullable Throwable failure) {
        assertThat(failure)
                .isInstanceOfSatisfying(
                        MessagingException.class,
                        failed -> assertThat(failed.reason()).isEqualTo(Reason.INCOMPATIBLE))
                .hasMessageContaining(Put.class.getName() + " (number 1, version 0)")
                .hasMessageContaining("node 2: component count is int here, and long there");
    }

    private static NodeBuilder publishing(NodeBuilder node) {
        return node.publish(MessageType.record(1, 0, Other.Put.class), of(new Other.Put("a", 1), 3))
                .publish(MessageType.record(4, 0, Numbered.class), of(new Numbered(7), 3))
                .receive(
                        MessageType.record(2, 0, Get.class),
                        (get, from) -> from.respond(new Numbered(get.key().length())));
    }

    private static NodeBuilder asking(NodeBuilder node) {
        return node.type(MessageType.record(1, 0, Put.class))
                .type(MessageType.record(2, 0, Get.class))
                .type(MessageType.record(4, 0, Numbered.class));
    }

    @ParameterizedTest
    @ValueSource(strings = {"shm", "tcp"})
    void aStreamWhoseItemsAreLaidOutOtherwiseIsRefusedAndNamed(String link) throws Exception {
        try (Cluster cluster = new Cluster(link)) {
            cluster.start(2, LayoutsTest::publishing);
            MessagingNode one = cluster.start(1, LayoutsTest::asking);
            one.check(2, Cluster.PATIENCE);
            Listener<Put> wrong = new Listener<>();
            one.publisher(2, Put.class).subscribe(wrong);
            assertIncompatible(wrong.awaitEnd());
            assertThat(wrong.heard).isEmpty();
            Listener<Numbered> right = new Listener<>();
            one.publisher(2, Numbered.class).subscribe(right);
            assertThat(right.awaitEnd()).isNull();
            assertThat(right.heard).hasSize(3).containsOnly(new Numbered(7));
        }
    }

    /** Each that cannot be sent fails by itself, and counts; those behind it go on. */
    @Test
    void whatIsAskedBeforeThereIsAConnectionIsComparedWhenThereIsOne() throws Exception {
        InetSocketAddress later;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            later = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        }
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> asking(node).address(2, later));
            CompletableFuture<Numbered> wrong = one.requestAsync(2, new Put("a", 1), Numbered.class, Cluster.PATIENCE);
            Listener<Put> stream = new Listener<>();
            one.publisher(2, Put.class).subscribe(stream);
            CompletableFuture<Numbered> right = one.requestAsync(2, new Get("four"), Numbered.class, Cluster.PATIENCE);
            cluster.start(2, node -> publishing(node).address(2, later));
            assertThat(right.get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(new Numbered(4));
            assertIncompatible(
                    wrong.handle((_, failure) -> failure).get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertIncompatible(stream.awaitEnd());
            // and now that there is one
            assertIncompatible(one.requestAsync(2, new Put("a", 1), Numbered.class, Cluster.PATIENCE)
                    .handle((_, failure) -> failure)
                    .get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS));
            assertThat(one.statistics().peer(2))
                    .isNotNull()
                    .satisfies(peer -> assertThat(peer.failed()).containsOnly(Map.entry(Reason.INCOMPATIBLE, 3L)));
        }
    }
}
