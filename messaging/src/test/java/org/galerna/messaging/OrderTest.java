package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ordered messages of one node over several connections, one after the other. */
class OrderTest {
    record Step(int start, int number) {}

    record Mark(int start) {}

    private static final MessageType<Step> STEP = MessageType.record(1, 0, Step.class);
    private static final MessageType<Mark> MARK = MessageType.record(2, 0, Mark.class);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void whatIsLeftOfAnEndedStartOfANodeComesBeforeWhatItsNextStartSends(String link) {
        int steps = 12;
        CountDownLatch release = new CountDownLatch(1);
        List<Step> received = Collections.synchronizedList(new ArrayList<>());
        List<Mark> marks = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Cluster cluster = new Cluster(link)) {
            cluster.start(
                    1,
                    node -> node.handlers(3)
                            .receive(STEP, (step, _) -> {
                                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                release.await();
                                received.add(step);
                                inside.decrementAndGet();
                            })
                            .receive(MARK, Handling.CONCURRENT, (mark, _) -> marks.add(mark)));
            for (int start = 0; start < 3; start++) {
                MessagingNode two =
                        cluster.start(2, node -> node.type(STEP).type(MARK).closeTimeout(Duration.ofMillis(10)));
                for (int number = 0; number < steps; number++) {
                    two.send(1, new Step(start, number));
                }
                two.send(1, new Mark(start));
                two.flush();
                int sent = start + 1;
                Deadline.after(Cluster.PATIENCE).await("what was sent", () -> marks.size() == sent);
                cluster.remove(two);
            }
            release.countDown();
            Deadline.after(Cluster.PATIENCE).await("all of them", () -> received.size() == 3 * steps);
        }
        for (int each = 0; each < 3 * steps; each++) {
            assertThat(received.get(each)).isEqualTo(new Step(each / steps, each % steps));
        }
        assertThat(most).as("of one node at the same time").hasValue(1);
    }
}
