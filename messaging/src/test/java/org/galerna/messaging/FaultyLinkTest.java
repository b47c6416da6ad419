package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.faulty.Faults;
import org.galerna.testkit.faulty.FaultyLinkProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages over links that delay frames and refuse claims. */
class FaultyLinkTest {
    record Item(int value, String padding) {}

    record Question(int value) {}

    record Answer(int value) {}

    private static final MessageType<Item> ITEM = MessageType.record(1, 0, Item.class);
    private static final MessageType<Question> QUESTION = MessageType.record(2, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(3, 0, Answer.class);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void messagesComeInOrderAndRequestsAreAnsweredThoughFramesAreLateAndClaimsRefused(String link) throws Exception {
        int messages = 2000;
        int questions = 500;
        long seed = Seeds.next("FaultyLinkTest");
        FaultyLinkProvider.use(link, rank -> Faults.slow(seed, Duration.ofNanos(300_000), 0.3));
        ConcurrentLinkedQueue<Integer> received = new ConcurrentLinkedQueue<>();
        try (Cluster cluster = new Cluster(FaultyLinkProvider.NAME)) {
            cluster.start(
                    1,
                    node -> node.receive(
                                    ITEM,
                                    (item, _) -> received.add(
                                            item.value() + item.padding().length()))
                            .receive(
                                    QUESTION,
                                    Handling.CONCURRENT,
                                    (question, from) -> from.respond(new Answer(question.value() + 1)))
                            .type(ANSWER));
            MessagingNode two =
                    cluster.start(2, node -> node.type(ITEM).type(QUESTION).type(ANSWER));
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            List<Integer> sent = new ArrayList<>();
            for (int number = 0; number < messages; number++) {
                int padding = number % 97 == 0 ? 100_000 : number % 40;
                two.send(1, new Item(number, "x".repeat(padding)));
                sent.add(number + padding);
                if (number % (messages / questions) == 0) {
                    answers.add(two.requestAsync(1, new Question(number), Answer.class, Cluster.PATIENCE));
                }
            }
            two.flush();
            Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.size() == messages);
            assertThat(received).containsExactlyElementsOf(sent);
            for (int each = 0; each < questions; each++) {
                assertThat(answers.get(each).get(60, TimeUnit.SECONDS).value())
                        .isEqualTo(each * (messages / questions) + 1);
            }
        }
    }
}
