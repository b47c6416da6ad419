package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Fault;
import org.junit.jupiter.api.Test;

/**
 * Three nodes over verbs, where there is an adapter: {@link AdapterTest} and {@link ImitatedAdapterTest} run it. {@link
 * LibraryNodesTest} runs it over other links.
 */
class VerbsSuite {
    private static final int NODES = 3;
    private static final int SENDERS = 2;
    private static final int MESSAGES = 2000;

    record Question(int number, String text) {}

    record Answer(int number, String text) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);

    /** The link that they use. */
    String link() {
        return "verbs";
    }

    static NodeBuilder answering(NodeBuilder builder) {
        return builder.type(ANSWER).receive(QUESTION, Handling.CONCURRENT, (question, from) -> {
            if (from.isRequest()) {
                from.respond(new Answer(question.number(), question.text()));
            }
        });
    }

    static void ask(MessagingNode node, int other, int number, String text) {
        assertThat(node.request(other, new Question(number, text), Answer.class, Cluster.PATIENCE))
                .isEqualTo(new Answer(number, text));
    }

    /** What one node has received of each thread of each other node. */
    private static final class Tally implements Receiver<Numbered> {
        private final Map<Integer, Long> next = new ConcurrentHashMap<>();
        final AtomicInteger received = new AtomicInteger();
        final AtomicInteger wrong = new AtomicInteger();

        @Override
        public void receive(Numbered message, Delivery from) {
            int stream = from.sender() * SENDERS + message.sender;
            long expected = next.merge(stream, 1L, Long::sum) - 1;
            if (!message.isIntact() || message.number != expected) {
                wrong.incrementAndGet();
            }
            received.incrementAndGet();
        }
    }

    @Test
    void messagesOfAllSizesTravelFromAllToAll() throws InterruptedException {
        List<Tally> tallies = new ArrayList<>();
        List<MessagingNode> nodes = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try (Cluster cluster = new Cluster(link())) {
            for (int id = 0; id < NODES; id++) {
                Tally tally = new Tally();
                tallies.add(tally);
                nodes.add(cluster.start(id, node -> node.receive(Numbered.TYPE, tally)));
            }
            for (MessagingNode from : nodes) {
                for (int sender = 0; sender < SENDERS; sender++) {
                    int which = sender;
                    threads.add(Thread.ofPlatform().start(() -> sendToOthers(from, which)));
                }
            }
            for (Thread each : threads) {
                each.join();
            }
            int expected = (NODES - 1) * SENDERS * MESSAGES;
            Deadline.after(Cluster.PATIENCE)
                    .await("all messages", () -> tallies.stream().allMatch(tally -> tally.received.get() == expected));
            assertThat(nodes).allMatch(node -> node.statistics().connections() == NODES - 1);
        }
        assertThat(tallies).allMatch(tally -> tally.wrong.get() == 0);
    }

    private static void sendToOthers(MessagingNode from, int sender) {
        Numbered message = new Numbered();
        message.sender = sender;
        for (int number = 0; number < MESSAGES; number++) {
            message.number = number;
            // short ones are gathered; some fill a frame, and some take many
            message.length = number % 501 == 5 ? 300_000 : number % 101 == 7 ? 12_000 : 36;
            for (int other = 0; other < NODES; other++) {
                if (other != from.id()) {
                    from.send(other, message);
                }
            }
        }
        from.flush();
    }

    @Test
    void requestsAreAnsweredAndLargeOnesCrossEachOther() {
        try (Cluster cluster = new Cluster(link())) {
            List<MessagingNode> nodes = new ArrayList<>();
            for (int id = 0; id < NODES; id++) {
                nodes.add(cluster.start(id, node -> answering(node).window(64 * 1024)));
            }
            String large = "large".repeat(100_000);
            List<CompletableFuture<Void>> asking = new ArrayList<>();
            for (MessagingNode node : nodes) {
                asking.add(CompletableFuture.runAsync(
                        () -> {
                            for (int other = 0; other < NODES; other++) {
                                ask(node, other, 1, large);
                                for (int number = 0; number < 100; number++) {
                                    ask(node, other, number, "short");
                                }
                            }
                        },
                        task -> Thread.ofPlatform().start(task)));
            }
            asking.forEach(CompletableFuture::join);
        }
    }

    @Fault(value = 20, on = Fault.Where.VERBS)
    @Test
    void aNodeThatStartsAgainIsReachedAgain() {
        try (Cluster cluster = new Cluster(link())) {
            MessagingNode one = cluster.start(0, VerbsSuite::answering);
            MessagingNode two = cluster.start(1, VerbsSuite::answering);
            for (int start = 0; start < 3; start++) {
                MessagingNode three = cluster.start(2, VerbsSuite::answering);
                ask(one, 2, start, "to it");
                ask(three, 1, start, "from it");
                ask(two, 0, start, "beside it");
                cluster.remove(three);
                Deadline.after(Cluster.PATIENCE)
                        .await(
                                "the end of its connections",
                                () -> one.statistics().connections() == 1
                                        && two.statistics().connections() == 1);
            }
        }
    }

    @Test
    void requestsFailAtOnceWhenTheirNodeIsGone() {
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        try (Cluster cluster = new Cluster(link())) {
            MessagingNode one = cluster.start(0, VerbsSuite::answering);
            MessagingNode two = cluster.start(
                    1,
                    node -> node.receive(QUESTION, (_, _) -> {
                                asked.countDown();
                                never.await();
                            })
                            .closeTimeout(Duration.ZERO));
            CompletableFuture<Answer> answer =
                    one.requestAsync(1, new Question(1, "x"), Answer.class, Duration.ofDays(1));
            Deadline patience = Deadline.after(Cluster.PATIENCE);
            patience.await("the question", () -> asked.getCount() == 0);
            Thread closing = Thread.ofPlatform().start(() -> cluster.remove(two));
            patience.await("the failure", answer::isDone);
            assertThatThrownBy(answer::join).hasMessageContaining("node 1 is gone");
            never.countDown();
            patience.await("the end", () -> !closing.isAlive());
        }
    }
}
