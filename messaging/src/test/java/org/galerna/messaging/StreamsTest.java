package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.galerna.messaging.Ticks.MOST_ASKED;
import static org.galerna.messaging.Ticks.TICK;
import static org.galerna.messaging.Ticks.publishing;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.messaging.MessagingException.Reason;
import org.galerna.messaging.Ticks.Counter;
import org.galerna.messaging.Ticks.Listener;
import org.galerna.messaging.Ticks.Tick;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of messages, from one node to others. */
class StreamsTest {
    record Other(int number) {}

    private static final MessageType<Other> OTHER = MessageType.record(2, 0, Other.class);

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void demandReachesThePublisher(String link) {
        Counter counter = new Counter(1000, null);
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, counter);
            Listener listener = new Listener(3);
            one.publisher(2, Tick.class).subscribe(listener);
            listener.awaitHeard(3);
            assertThat(counter.given).hasValue(3);
            listener.subscription().request(7);
            listener.awaitHeard(10);
            assertThat(counter.asked).hasValue(10);
            listener.subscription().request(Long.MAX_VALUE);
            Deadline.after(Cluster.PATIENCE).await("the end", () -> listener.complete);
            assertThat(listener.heard).hasSize(1000).isSorted();
            assertThat(listener.failure).isNull();
        }
    }

    @Test
    void anEndlessStreamIsCancelledWhileItIsGiven() {
        Counter counter = new Counter(Long.MAX_VALUE, null);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, counter);
            Listener listener = new Listener(Long.MAX_VALUE);
            one.publisher(2, Tick.class).subscribe(listener);
            Deadline.after(Cluster.PATIENCE).await("items", () -> listener.heard.size() > 100);
            listener.subscription().cancel();
            Deadline.after(Cluster.PATIENCE).await("the cancelling", counter.cancelled::get);
            Deadline.after(Cluster.PATIENCE)
                    .await("the request's end", () -> one.statistics().pendingRequests() == 0);
            assertThat(listener.complete).isFalse();
            assertThat(listener.failure).isNull();
        }
    }

    @Test
    void aFailureComesAfterTheItemsBeforeIt() {
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, new Counter(50, new IllegalStateException("out of ticks")));
            Listener listener = new Listener(Long.MAX_VALUE);
            one.publisher(2, Tick.class).subscribe(listener);
            assertThat(listener.awaitFailure())
                    .isInstanceOf(MessagingException.class)
                    .hasMessageContaining("out of ticks");
            assertThat(listener.heard).hasSize(50);
        }
    }

    @Test
    void whatNobodyPublishesIsNamed() {
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK).type(OTHER));
            cluster.start(2, node -> node.type(TICK));
            Listener listener = new Listener(1);
            one.publisher(2, Tick.class).subscribe(listener);
            assertThat(listener.awaitFailure())
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.NOT_OFFERED))
                    .hasMessageContaining("Tick");
            assertThatThrownBy(() -> one.publisher(2, String.class)).hasMessageContaining("java.lang.String");
            Listener nowhere = new Listener(1);
            one.publisher(3, Tick.class).subscribe(nowhere);
            assertThat(nowhere.awaitFailure()).hasMessageContaining("node 3");
        }
    }

    @Test
    void aStreamEndsWithItsConnection() {
        Counter counter = new Counter(Long.MAX_VALUE, null);
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            MessagingNode two = publishing(cluster, counter);
            Listener listener = new Listener(5);
            one.publisher(2, Tick.class).subscribe(listener);
            listener.awaitHeard(5);
            cluster.remove(two);
            assertThat(listener.awaitFailure()).isInstanceOf(MessagingException.class);
            assertThat(counter.cancelled).isTrue();
        }
        Counter again = new Counter(Long.MAX_VALUE, null);
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, again);
            Listener listener = new Listener(5);
            one.publisher(2, Tick.class).subscribe(listener);
            listener.awaitHeard(5);
            cluster.remove(one);
            assertThat(listener.awaitFailure())
                    .isInstanceOfSatisfying(
                            MessagingException.class,
                            failed -> assertThat(failed.reason()).isEqualTo(Reason.CLOSED));
            Deadline.after(Cluster.PATIENCE).await("the cancelling", again.cancelled::get);
        }
    }

    /** Its listener is slow, and hears that a connection is lost when there is another one. */
    @Test
    void aStreamGoesOnWhenAnEarlierConnectionOfItsNodeIsLost() throws InterruptedException {
        Counter counter = new Counter(Long.MAX_VALUE, null);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger lost = new AtomicInteger();
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode two = cluster.start(
                    2,
                    node -> node.publish(TICK, counter).listener(new ConnectionListener() {
                        @Override
                        public void onDisconnected(int other, String reason, long unconfirmed) {
                            try {
                                release.await();
                            } catch (InterruptedException interrupted) {
                                Thread.currentThread().interrupt();
                            }
                            lost.incrementAndGet();
                        }
                    }));
            for (int start = 0; start < 2; start++) {
                MessagingNode earlier = cluster.start(1, node -> node.type(TICK));
                Duration ignored = earlier.check(2, Cluster.PATIENCE);
                cluster.remove(earlier);
                Deadline.after(Cluster.PATIENCE)
                        .await("its end", () -> two.statistics().connections() == 0);
            }
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            Listener listener = new Listener(3);
            one.publisher(2, Tick.class).subscribe(listener);
            listener.awaitHeard(3);
            release.countDown();
            Deadline.after(Cluster.PATIENCE).await("what was lost", () -> lost.get() == 2);
            listener.subscription().request(2);
            listener.awaitHeard(5);
            assertThat(listener.failure).isNull();
            assertThat(counter.cancelled).isFalse();
        }
    }

    @Test
    void aPublisherThatThrowsEndsTheStreamAndNoOther() {
        AtomicInteger cancelled = new AtomicInteger();
        Flow.Publisher<Tick> publisher = subscriber -> subscriber.onSubscribe(new Flow.Subscription() {
            @Override
            public void request(long n) {
                subscriber.onNext(new Tick(n));
            }

            @Override
            public void cancel() {
                cancelled.incrementAndGet();
                throw new IllegalStateException("a publisher that does not cancel");
            }
        });
        try (Cluster cluster = new Cluster("tcp")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK).type(OTHER));
            cluster.start(
                    2,
                    node -> node.publish(TICK, publisher).publish(OTHER, subscriber -> {
                        throw new IllegalStateException("a publisher that takes nobody");
                    }));
            Listener refused = new Listener(1);
            one.publisher(2, Other.class).subscribe(new Flow.Subscriber<>() {
                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    refused.onSubscribe(subscription);
                }

                @Override
                public void onNext(Other item) {
                    throw new AssertionError(item);
                }

                @Override
                public void onError(Throwable thrown) {
                    refused.onError(thrown);
                }

                @Override
                public void onComplete() {
                    refused.onComplete();
                }
            });
            assertThat(refused.awaitFailure()).hasMessageContaining("a publisher that takes nobody");
            for (int each = 0; each < 3; each++) {
                Listener listener = new Listener(1);
                one.publisher(2, Tick.class).subscribe(listener);
                listener.awaitHeard(1);
            }
            cluster.remove(one);
            Deadline.after(Cluster.PATIENCE).await("the cancelling", () -> cancelled.get() == 3);
        }
    }

    /** A publisher of the JDK, several subscribers, and items from several threads. */
    @Test
    void manySubscribersHearAllItemsInOrder() {
        SubmissionPublisher<Tick> publisher = new SubmissionPublisher<>();
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode two = publishing(cluster, publisher);
            List<Listener> listeners = new CopyOnWriteArrayList<>();
            for (int node = 3; node < 6; node++) {
                Listener listener = new Listener(Long.MAX_VALUE);
                listeners.add(listener);
                cluster.start(node, each -> each.type(TICK))
                        .publisher(two.id(), Tick.class)
                        .subscribe(listener);
            }
            Deadline.after(Cluster.PATIENCE).await("the subscribers", () -> publisher.getNumberOfSubscribers() == 3);
            for (int each = 0; each < 5000; each++) {
                int ignored = publisher.submit(new Tick(each));
            }
            publisher.close();
            for (Listener each : listeners) {
                Deadline.after(Cluster.PATIENCE).await("the end", () -> each.complete);
                assertThat(each.heard).hasSize(5000).isSorted();
            }
        }
    }

    /** A subscriber that takes everything is slow: what the publisher may have sent meanwhile lies in memory. */
    @Test
    void aPublisherIsAskedForNoMoreThanMayLieHere() throws InterruptedException {
        Counter counter = new Counter(Long.MAX_VALUE, null);
        CountDownLatch release = new CountDownLatch(1);
        try (Cluster cluster = new Cluster("shm")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, counter);
            AtomicLong taken = new AtomicLong();
            Listener listener = new Listener(Long.MAX_VALUE) {
                @Override
                public void onNext(Tick tick) {
                    try {
                        release.await();
                    } catch (InterruptedException interrupted) {
                        throw new IllegalStateException(interrupted);
                    }
                    assertThat(tick.number()).isEqualTo(taken.getAndIncrement());
                }
            };
            one.publisher(2, Tick.class).subscribe(listener);
            Deadline.after(Cluster.PATIENCE).await("items", () -> counter.given.get() > 0);
            assertThat(counter.asked.get()).isEqualTo(MOST_ASKED);
            release.countDown();
            Deadline.after(Cluster.PATIENCE).await("more items", () -> taken.get() > 3 * MOST_ASKED);
            assertThat(counter.asked.get()).isLessThanOrEqualTo(taken.get() + 1 + MOST_ASKED);
            listener.subscription().cancel();
        }
    }

    @Test
    void aSubscriberThatAsksForNothingOrThrowsIsTold() {
        Counter counter = new Counter(Long.MAX_VALUE, null);
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(TICK));
            publishing(cluster, counter);
            Listener nothing = new Listener(-1);
            one.publisher(2, Tick.class).subscribe(nothing);
            assertThat(nothing.awaitFailure()).isInstanceOf(IllegalArgumentException.class);
            Listener throwing = new Listener(10) {
                @Override
                public void onNext(Tick tick) {
                    throw new IllegalStateException("no more");
                }
            };
            one.publisher(2, Tick.class).subscribe(throwing);
            Deadline.after(Cluster.PATIENCE).await("the cancelling", counter.cancelled::get);
        }
    }
}
