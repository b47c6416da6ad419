package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.galerna.messaging.dispatch.Registration;
import org.galerna.messaging.node.Node;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

/** Threads that wait for responses. A node that asks itself: one handler is held up by the receiver, the other one sleeps. */
class AwaitTest {
    private static final int NODE = 1;
    private static final long WHILE_NANOS = 20_000_000;

    record Question(int number) {}

    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);

    @Test
    void whoWaitsForLongSleepsAndIsWokenByTheResponse() throws IOException, InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        NodeConfig config = Cluster.alone(NODE, 2);
        Registration<Question> registration =
                new Registration<>(QUESTION.wire(), Handling.ORDERED, (question, from) -> {
                    release.await();
                    from.respond(new Question(question.number() + 1));
                });
        Node inside = new Node(config, List.of(QUESTION.wire()), List.of(registration), new ConnectionListener() {});
        inside.startThreads();
        try (MessagingNode node = new MessagingNode(config, inside)) {
            AtomicReference<Question> answer = new AtomicReference<>();
            Thread waiting = Thread.ofPlatform()
                    .start(() -> answer.set(node.request(NODE, new Question(7), Question.class, Cluster.PATIENCE)));
            Deadline deadline = Deadline.after(Cluster.PATIENCE);
            deadline.await("a thread that does not look for its response any more", () -> {
                long looks = inside.parts().poller().helped();
                LockSupport.parkNanos(WHILE_NANOS);
                return looks > 0 && inside.parts().poller().helped() == looks;
            });
            assertThat(waiting.isAlive()).isTrue();
            release.countDown();
            deadline.await("the response", () -> !waiting.isAlive());
            assertThat(answer).hasValue(new Question(8));
        }
    }
}
