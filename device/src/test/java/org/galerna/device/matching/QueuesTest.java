package org.galerna.device.matching;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.galerna.device.Device;
import org.galerna.device.matching.frame.Envelope;
import org.galerna.device.matching.queue.PostedQueue;
import org.galerna.device.matching.queue.UnexpectedMessage;
import org.galerna.device.matching.queue.UnexpectedQueue;
import org.galerna.device.matching.request.ReceiveRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Posted and unexpected queue against lists that are searched from the front. */
class QueuesTest {
    private static final int STEPS = 100_000;

    private final MatchingDevice device = Alone.open();
    private Random random;

    @AfterEach
    void close() {
        device.close();
    }

    @BeforeEach
    void seed() {
        long seed = System.nanoTime();
        System.out.println("QueuesTest: seed " + seed);
        random = new Random(seed);
    }

    @Test
    void aMessageTakesTheOldestReceiveThatAcceptsIt() {
        PostedQueue queue = new PostedQueue();
        List<ReceiveRequest> model = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int most = step % 1000 < 500 ? 3 : 100; // now nearly empty, now long
            if (model.size() < random.nextInt(most)) {
                ReceiveRequest request = new ReceiveRequest(device);
                int source = random.nextInt(4) - 1;
                request.start(new byte[0], 0, 0, source, Envelope.of(random.nextInt(4) - 1, random.nextInt(2)));
                queue.add(request);
                model.add(request);
            } else if (random.nextInt(4) == 0 && !model.isEmpty()) {
                ReceiveRequest request = model.remove(random.nextInt(model.size()));
                assertThat(queue.remove(request)).isTrue();
                assertThat(queue.remove(request)).isFalse();
            } else {
                int source = random.nextInt(3);
                long envelope = Envelope.of(random.nextInt(3), random.nextInt(2));
                Optional<ReceiveRequest> expected = model.stream()
                        .filter(each -> accepts(each, envelope, source))
                        .findFirst();
                assertThat(queue.match(envelope, source)).isSameAs(expected.orElse(null));
                expected.ifPresent(model::remove);
            }
            if (step % 100 == 0) {
                assertThat(queue.all()).containsExactlyInAnyOrderElementsOf(model);
            }
        }
    }

    private static boolean accepts(ReceiveRequest request, long envelope, int source) {
        return accepts(request.wanted, request.wantedSource, envelope, source);
    }

    private static boolean accepts(long wanted, int wantedSource, long envelope, int source) {
        return Envelope.context(wanted) == Envelope.context(envelope)
                && (wantedSource == source || wantedSource == Device.ANY_SOURCE)
                && (Envelope.tag(wanted) == Envelope.tag(envelope) || Envelope.tag(wanted) == Device.ANY_TAG);
    }

    @Test
    void aReceiveFindsTheOldestMessageThatItAccepts() {
        UnexpectedQueue queue = new UnexpectedQueue();
        List<UnexpectedMessage> model = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int most = step % 1000 < 500 ? 3 : 100;
            if (model.size() < random.nextInt(most)) {
                UnexpectedMessage message = queue.take();
                message.envelope = Envelope.of(random.nextInt(3), random.nextInt(2));
                message.source = random.nextInt(3);
                queue.add(message);
                model.add(message);
            } else {
                int source = random.nextInt(4) - 1;
                long wanted = Envelope.of(random.nextInt(4) - 1, random.nextInt(2));
                UnexpectedMessage expected = model.stream()
                        .filter(each -> accepts(wanted, source, each.envelope, each.source))
                        .findFirst()
                        .orElse(null);
                UnexpectedMessage found = queue.find(wanted, source);
                assertThat(found).isSameAs(expected);
                if (found != null && random.nextInt(4) != 0) {
                    queue.remove(found);
                    model.remove(found);
                    queue.recycle(found);
                }
            }
            assertThat(queue.size()).isEqualTo(model.size());
            assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
        }
    }
}
