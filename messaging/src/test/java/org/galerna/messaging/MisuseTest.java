package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Programs that use nodes wrongly: they are told where they do it, and nothing is left behind. */
@SuppressWarnings({"NullAway", "CheckReturnValue", "FutureReturnValueIgnored"})
class MisuseTest {
    record Question(int number) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);

    @Test
    void whatIsMissingIsRefusedWhereItIsGiven() {
        List<Consumer<NodeBuilder>> uses = List.of(
                node -> node.address(2, null),
                node -> node.address(2, null, Cluster.anyPort()),
                node -> node.seed(null),
                node -> node.advertise(null),
                node -> node.key((byte[]) null),
                node -> node.key((String) null),
                node -> node.keys(null),
                node -> node.authorize(null),
                node -> node.links((String[]) null),
                node -> node.type(null),
                node -> node.receive(QUESTION, null),
                node -> node.receive(QUESTION, null, (_, _) -> {}),
                node -> node.receive(null, (_, _) -> {}),
                node -> node.receiveAsync(QUESTION, null),
                node -> node.serve(Runnable.class, null),
                node -> node.serve((Class<Runnable>) null, () -> {}),
                node -> node.serve(Runnable.class, () -> {}, null),
                node -> node.publish(QUESTION, null),
                node -> node.publish(null, _ -> {}),
                node -> node.connectTimeout(null),
                node -> node.sendTimeout(null),
                node -> node.closeTimeout(null),
                node -> node.listener(null),
                node -> node.metrics(null));
        for (int each = 0; each < uses.size(); each++) {
            Consumer<NodeBuilder> use = uses.get(each);
            assertThatThrownBy(() -> use.accept(MessagingNode.builder(1)))
                    .as("use %d", each)
                    .isInstanceOf(NullPointerException.class);
        }
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode node = cluster.start(1, builder -> builder.type(QUESTION));
            List<Consumer<MessagingNode>> calls = List.of(
                    one -> one.addAddress(2, null),
                    one -> one.send(1, null),
                    one -> one.trySend(1, null),
                    one -> one.request(1, null, Question.class, Cluster.PATIENCE),
                    one -> one.request(1, new Question(1), null, Cluster.PATIENCE),
                    one -> one.request(1, new Question(1), Question.class, null),
                    one -> one.requestAsync(1, new Question(1), null, Cluster.PATIENCE),
                    one -> one.requestAsync(1, new Question(1), Question.class, null),
                    one -> one.service(1, null),
                    one -> one.service(1, Runnable.class, null),
                    one -> one.publisher(1, null),
                    one -> one.publisher(1, Question.class).subscribe(null),
                    one -> one.check(1, null),
                    one -> one.close(null));
            for (int each = 0; each < calls.size(); each++) {
                Consumer<MessagingNode> call = calls.get(each);
                assertThatThrownBy(() -> call.accept(node))
                        .as("call %d", each)
                        .isInstanceOf(NullPointerException.class);
            }
            assertThat(node.statistics().pendingRequests()).isZero();
            assertThat(node.health().closed()).isFalse();
        }
    }

    /** There may be one request with a future: each that is not begun makes room for the next one. */
    @Test
    void aRequestThatIsWrongLeavesNothingBehind() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode node = cluster.start(
                    1, builder -> builder.requests(1).receive(QUESTION, (question, from) -> from.respond(question)));
            for (int number : new int[] {-1, 70_000}) {
                CompletableFuture<Question> nowhere =
                        node.requestAsync(number, new Question(1), Question.class, Duration.ofSeconds(1));
                assertThatThrownBy(nowhere::join).hasCauseInstanceOf(IllegalArgumentException.class);
            }
            assertThatThrownBy(() -> node.requestAsync(1, new Question(1), Question.class, null))
                    .isInstanceOf(NullPointerException.class);
            CompletableFuture<Question> unknown = node.requestAsync(1, "text", Question.class, Cluster.PATIENCE);
            assertThatThrownBy(unknown::join).hasCauseInstanceOf(IllegalArgumentException.class);
            assertThat(node.requestAsync(1, new Question(7), Question.class, Cluster.PATIENCE)
                            .join()
                            .number())
                    .isEqualTo(7);
            assertThat(node.statistics().peers())
                    .extracting(PeerStatistics::node)
                    .containsExactly(1);
        }
    }

    @Test
    void aBuilderStartsOneNodeAndSaysWhatItLacks() {
        NodeBuilder builder = MessagingNode.builder(1).address(1, Cluster.anyPort());
        assertThatThrownBy(builder::start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("node 1", "key");
        builder.key(Cluster.KEY).links("threads");
        try (MessagingNode node = builder.start()) {
            assertThat(node.id()).isEqualTo(1);
            assertThatThrownBy(builder::start)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("node 1");
        }
    }
}
