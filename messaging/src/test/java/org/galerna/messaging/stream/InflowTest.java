package org.galerna.messaging.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Flow;
import org.galerna.messaging.MessagingException;
import org.galerna.messaging.stream.StreamMessages.End;
import org.junit.jupiter.api.Test;

/** A stream at the node that has subscribed, and a publisher that says whatever the test likes. */
class InflowTest {
    private final List<Object> toPublisher = new ArrayList<>();
    private final List<Object> toSubscriber = new ArrayList<>();
    private final Inflow<String> inflow = new Inflow<>(String.class, new Recorder(), new Way());

    private final class Way implements Inflow.Way {
        @Override
        public void demand(long total) {
            toPublisher.add(total);
        }

        @Override
        public void leave(boolean tell) {
            toPublisher.add(tell ? "cancel" : "ended");
        }

        @Override
        public void failed(Throwable thrown) {
            throw new AssertionError(thrown);
        }
    }

    private final class Recorder implements Flow.Subscriber<String> {
        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            // the test asks
        }

        @Override
        public void onNext(String item) {
            toSubscriber.add(item);
        }

        @Override
        public void onError(Throwable failure) {
            toSubscriber.add(failure);
        }

        @Override
        public void onComplete() {
            toSubscriber.add("complete");
        }
    }

    private void assertFails(String text) {
        assertThat(toSubscriber).singleElement().isInstanceOfSatisfying(MessagingException.class, failure -> {
            assertThat(failure).hasMessageContaining(text);
            assertThat(failure.reason()).isEqualTo(MessagingException.Reason.REMOTE);
        });
        assertThat(toPublisher).last().isEqualTo("cancel");
    }

    @Test
    void itemsAreAskedForOnceTheStreamIsOpen() {
        inflow.request(2);
        assertThat(toPublisher).isEmpty();
        inflow.opened();
        inflow.item(1, "second");
        inflow.item(0, "first");
        inflow.ended(new End(2, null));
        assertThat(toPublisher).containsExactly(2L, "ended");
        assertThat(toSubscriber).containsExactly("first", "second", "complete");
    }

    @Test
    void aStreamThatOpensTwiceFails() {
        inflow.opened();
        inflow.opened();
        assertFails("opened the stream twice");
    }

    @Test
    void aStreamThatWasCancelledBeforeItOpensAsksForNothing() {
        inflow.request(1);
        inflow.cancel();
        inflow.opened();
        assertThat(toPublisher).containsExactly("cancel");
        assertThat(toSubscriber).isEmpty();
    }

    @Test
    void nothingIsSignalledAfterAFailure() {
        inflow.opened();
        inflow.item(0, "not asked for");
        inflow.failed(new IllegalStateException("later"));
        inflow.ended(new End(0, "later"));
        inflow.request(1);
        assertFails("not asked for");
    }
}
