package org.galerna.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.galerna.messaging.MessageType;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.MessagingNode;
import org.galerna.messaging.NodeBuilder;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;

class MicrometerMetricsTest {
    record Question(int number) {}

    record Answer(int number) {}

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final MessageType<Question> QUESTION = MessageType.record(1, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(2, 0, Answer.class);

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private static NodeBuilder builder(int id) {
        return MessagingNode.builder(id)
                .address(id, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .key("the key of this test")
                .links("shm")
                .handlers(1) // each one times the first message of a type and every 32nd
                .type(ANSWER)
                .connectTimeout(PATIENCE);
    }

    private double counter(String name, String... tags) {
        return registry.get("galerna.messaging." + name)
                .tags(tags)
                .functionCounter()
                .count();
    }

    @Test
    void requestsTypesAndPeersAreMeters() {
        try (MessagingNode one = builder(1)
                        .type(QUESTION)
                        .metrics(new MicrometerMetrics(registry))
                        .start();
                MessagingNode two = builder(2)
                        .receive(QUESTION, (question, from) -> {
                            if (question.number() < 0) {
                                throw new IllegalStateException("negative");
                            }
                            from.respond(new Answer(question.number()));
                        })
                        .metrics(new MicrometerMetrics(registry))
                        .start()) {
            one.addAddress(2, two.address());
            for (int each = 0; each < 40; each++) {
                assertThat(one.request(2, new Question(each), Answer.class, PATIENCE)
                                .number())
                        .isEqualTo(each);
            }
            assertThatThrownBy(() -> one.request(2, new Question(-1), Answer.class, PATIENCE))
                    .isInstanceOf(MessagingException.class);
            assertThat(registry.get("galerna.messaging.requests")
                            .tags("node", "1", "peer", "2", "outcome", "answered")
                            .timer())
                    .satisfies(timer -> {
                        assertThat(timer.count()).isEqualTo(40);
                        assertThat(timer.mean(TimeUnit.NANOSECONDS)).isPositive();
                    });
            assertThat(registry.get("galerna.messaging.requests")
                            .tags("node", "1", "outcome", "remote")
                            .timer()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("galerna.messaging.handling")
                            .tags("node", "2", "type", "Question")
                            .timer()
                            .count())
                    .isEqualTo(2); // one in 32 of 41
            Deadline.after(PATIENCE)
                    .await("the confirmations", () -> counter("handled", "node", "2", "peer", "1") == 41);
            assertThat(counter("sent", "node", "1", "peer", "2")).isEqualTo(41);
            assertThat(counter("type.received", "node", "2", "type", "MicrometerMetricsTest$Question"))
                    .isEqualTo(41);
            assertThat(counter("receiver.failures", "node", "2")).isEqualTo(1);
            assertThat(registry.get("galerna.messaging.connections")
                            .tags("node", "1")
                            .gauge()
                            .value())
                    .isEqualTo(1);
        }
        assertThat(registry.getMeters()).isEmpty();
    }
}
