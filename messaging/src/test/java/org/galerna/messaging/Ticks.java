package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.testkit.Deadline;
import org.jspecify.annotations.Nullable;

/** A stream of numbers: who publishes it, and who hears it. */
final class Ticks {
    private Ticks() {}

    record Tick(long number) {}

    static final MessageType<Tick> TICK = MessageType.record(1, 0, Tick.class);

    /** As the library has it. */
    static final int MOST_ASKED = 16_384;

    /** Counts, as far as it is asked, on the thread that asks. */
    static final class Counter implements Flow.Publisher<Tick> {
        final long end;
        final @Nullable RuntimeException failure;
        final AtomicLong given = new AtomicLong();
        final AtomicLong asked = new AtomicLong();
        final AtomicBoolean cancelled = new AtomicBoolean();

        Counter(long end, @Nullable RuntimeException failure) {
            this.end = end;
            this.failure = failure;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super Tick> subscriber) {
            subscriber.onSubscribe(new Flow.Subscription() {
                private long next;
                private long wanted;
                private boolean giving;

                @Override
                public void request(long n) {
                    asked.addAndGet(n);
                    synchronized (this) {
                        wanted = wanted + n < 0 ? Long.MAX_VALUE : wanted + n;
                        if (giving) {
                            return;
                        }
                        giving = true;
                    }
                    while (true) {
                        synchronized (this) {
                            if (cancelled.get() || wanted == 0) {
                                giving = false;
                                return;
                            }
                            wanted--;
                        }
                        if (next == end) {
                            cancelled.set(true);
                            if (failure == null) {
                                subscriber.onComplete();
                            } else {
                                subscriber.onError(failure);
                            }
                        } else {
                            given.incrementAndGet();
                            subscriber.onNext(new Tick(next++));
                        }
                    }
                }

                @Override
                public void cancel() {
                    cancelled.set(true);
                }
            });
        }
    }

    /** Keeps what it hears, and asks only when it is told to. */
    static class Listener implements Flow.Subscriber<Tick> {
        final List<Long> heard = new CopyOnWriteArrayList<>();
        final long first;
        volatile Flow.@Nullable Subscription subscription;
        volatile @Nullable Throwable failure;
        volatile boolean complete;

        Listener(long first) {
            this.first = first;
        }

        Flow.Subscription subscription() {
            Flow.Subscription known = subscription;
            if (known == null) {
                throw new AssertionError("not subscribed");
            }
            return known;
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            if (first != 0) {
                given.request(first);
            }
        }

        @Override
        public void onNext(Tick tick) {
            heard.add(tick.number());
        }

        @Override
        public void onError(Throwable thrown) {
            failure = thrown;
        }

        @Override
        public void onComplete() {
            complete = true;
        }

        void awaitHeard(int count) {
            Deadline.after(Cluster.PATIENCE).await("items", () -> heard.size() >= count);
            assertThat(heard).hasSize(count);
        }

        Throwable awaitFailure() {
            Deadline.after(Cluster.PATIENCE).await("the error", () -> failure != null);
            Throwable known = failure;
            return known == null ? new AssertionError() : known;
        }
    }

    static MessagingNode publishing(Cluster cluster, Flow.Publisher<Tick> publisher) {
        return cluster.start(2, node -> node.publish(TICK, publisher));
    }
}
