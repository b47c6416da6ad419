package org.galerna.messaging.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.RepeatedTest;

/** A sender, a receiver that handles what is complete at random times, and the window between them. */
class AdvanceTest {
    private static final int WINDOW = 80;
    private static final int PIECE = 8;
    private static final int LONGEST = 400;

    private record Message(int bytes, Advance.Rest rest) {}

    private final Random random = new Random(Seeds.next("pieces"));
    private final Advance advance = new Advance();
    private final Deque<Message> waiting = new ArrayDeque<>();
    private int unconfirmed; // what the sender believes
    private int here; // what the receiver holds

    @RepeatedTest(20)
    void theReceiverHoldsNoMoreThanTheWindowAndOneMessage() {
        int left = 0;
        int arrived = 0;
        int handled = 0;
        for (int step = 0; step < 20_000; step++) {
            boolean room = unconfirmed + PIECE <= WINDOW;
            if (left == 0) {
                left = PIECE * (1 + random.nextInt(LONGEST / PIECE));
                arrived = 0;
            }
            if (random.nextInt(100) == 0 && arrived > 0) {
                unconfirmed -= advance.abandon();
                here -= arrived;
                left = 0;
            } else if (room && (random.nextBoolean() || waiting.isEmpty())) {
                unconfirmed += PIECE;
                here += PIECE;
                arrived += PIECE;
                left -= PIECE;
                if (left > 0) {
                    unconfirmed -= advance.addPiece(PIECE);
                } else {
                    waiting.add(new Message(arrived, advance.complete(PIECE)));
                }
            } else {
                assertThat(waiting)
                        .as("messages to handle when nothing can be sent")
                        .isNotEmpty();
                handle();
                handled++;
            }
            assertThat(unconfirmed).isBetween(0, WINDOW);
            assertThat(here).isLessThanOrEqualTo(WINDOW + LONGEST);
        }
        assertThat(handled).isPositive();
        while (!waiting.isEmpty()) {
            handle();
        }
        unconfirmed -= advance.abandon();
        assertThat(unconfirmed).isZero();
    }

    private void handle() {
        Message message = random.nextBoolean() ? waiting.pollFirst() : waiting.pollLast();
        here -= message.bytes();
        unconfirmed -= message.rest().bytes();
        if (message.rest().hasAdvance()) {
            unconfirmed -= advance.end();
        }
    }
}
