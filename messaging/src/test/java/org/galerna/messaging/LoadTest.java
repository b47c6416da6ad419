package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.testkit.AllocatedBytes;
import org.galerna.testkit.Deadline;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many messages: none is lost, none comes twice or damaged, and those of a thread come in order. */
class LoadTest {
    private static final int SENDERS = 4;

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void manyMessagesArrive(String link) {
        run(link, 100_000, Duration.ofSeconds(100));
    }

    @Tag("slow")
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void tenMillionMessagesArrive(String link) {
        run(link, 10_000_000, Duration.ofSeconds(110));
    }

    /** The state of one sending thread at the receiver. Ordered handling: one thread at a time. */
    private static final class Tally implements Receiver<Numbered> {
        private final long[] next = new long[SENDERS];
        private final AtomicLong received = new AtomicLong();
        private final AtomicInteger wrong = new AtomicInteger();

        @Override
        public void receive(Numbered message, Delivery delivery) {
            if (!message.isIntact() || message.number != next[message.sender]++) {
                wrong.incrementAndGet();
            }
            received.lazySet(received.get() + 1);
        }
    }

    private static void run(String link, int messages, Duration patience) {
        Tally tally = new Tally();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(Numbered.TYPE));
            cluster.start(2, node -> node.receive(Numbered.TYPE, tally));
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < SENDERS; each++) {
                int sender = each;
                threads.add(Thread.ofPlatform().start(() -> {
                    Numbered message = new Numbered();
                    message.sender = sender;
                    for (int number = 0; number < messages / SENDERS; number++) {
                        message.number = number;
                        // some take two frames, and some pieces
                        message.length = number % 10_007 == 5 ? 100_000 : number % 101 == 7 ? 4000 : 36;
                        one.send(2, message);
                    }
                }));
            }
            Deadline deadline = Deadline.after(patience);
            deadline.await("the senders' end", () -> threads.stream().noneMatch(Thread::isAlive));
            deadline.await("the last message", () -> tally.received.get() == messages);
            assertThat(tally.wrong).hasValue(0);
            assertThat(one.statistics().sent()).isEqualTo(messages);
        }
        assertThat(tally.received).hasValue(messages);
    }

    /** More threads than processors, of which each sends a few large messages, and ends: who comes next is not forgotten. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void sixteenThreadsThatSendLargeMessagesTakeTurns(String link) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println("LoadTest: repeat with -Dtest.seed=" + seed);
        int senders = 16;
        int messages = 60;
        long[] next = new long[senders];
        AtomicInteger received = new AtomicInteger();
        AtomicInteger wrong = new AtomicInteger();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(Numbered.TYPE));
            cluster.start(
                    2,
                    node -> node.receive(Numbered.TYPE, (message, _) -> {
                        if (!message.isIntact() || message.number != next[message.sender]++) {
                            wrong.incrementAndGet();
                        }
                        received.incrementAndGet();
                    }));
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < senders; each++) {
                int sender = each;
                Random random = new Random(seed + sender);
                threads.add(Thread.ofPlatform().start(() -> {
                    Numbered message = new Numbered();
                    message.sender = sender;
                    for (int number = 0; number < messages; number++) {
                        message.number = number;
                        message.length = 4 * random.nextInt(random.nextInt(4) == 0 ? 100 : 100_000);
                        one.send(2, message);
                    }
                }));
            }
            Deadline deadline = Deadline.after(Cluster.PATIENCE);
            deadline.await("the senders' end", () -> threads.stream().noneMatch(Thread::isAlive));
            deadline.await("the last message", () -> received.get() == senders * messages);
            assertThat(wrong).as("seed %d", seed).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void concurrentMessagesArriveOnce(String link) {
        int messages = 100_000;
        AtomicLong sum = new AtomicLong();
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode one = cluster.start(1, node -> node.type(Numbered.TYPE));
            cluster.start(
                    2,
                    node -> node.receive(Numbered.TYPE, Handling.CONCURRENT, (message, _) -> {
                                if (message.isIntact()) {
                                    sum.addAndGet(message.number);
                                }
                                received.incrementAndGet();
                            })
                            .handlers(3));
            Numbered message = new Numbered();
            for (int number = 0; number < messages; number++) {
                message.number = number;
                one.send(2, message);
            }
            Deadline.after(Cluster.PATIENCE).await("all messages", () -> received.get() == messages);
            assertThat(sum.get()).isEqualTo((messages - 1L) * messages / 2);
        }
    }

    @Test
    void steadyStateAllocatesNothing() {
        int messages = 200_000;
        // less than a tenth of a byte for a message: nothing for each, something now and then for a buffer
        long limit = messages / 10;
        AtomicLong before = new AtomicLong();
        AtomicLong leastReceiving = new AtomicLong(Long.MAX_VALUE);
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(Numbered.TYPE));
            cluster.start(
                    2,
                    node -> node.receive(Numbered.TYPE, (message, _) -> {
                                if (message.number == 0) {
                                    before.set(AllocatedBytes.now());
                                } else if (message.number == messages - 1) {
                                    leastReceiving.accumulateAndGet(AllocatedBytes.now() - before.get(), Math::min);
                                    received.incrementAndGet();
                                }
                            })
                            .handlers(1));
            Numbered message = new Numbered();
            long leastSending = Long.MAX_VALUE;
            // until it is compiled: before that it may allocate
            for (int round = 1; round <= 20 && (leastSending >= limit || leastReceiving.get() >= limit); round++) {
                int rounds = round;
                leastSending = Math.min(leastSending, AllocatedBytes.during(() -> send(one, message, 0, messages)));
                Deadline.after(Cluster.PATIENCE).await("the last message", () -> received.get() == rounds);
            }
            assertThat(leastSending).isLessThan(limit);
            assertThat(leastReceiving.get()).isLessThan(limit);
        }
    }

    /** They wait for room and take turns meanwhile. */
    @Test
    void severalSendersAllocateNothingInSteadyState() throws InterruptedException {
        int messages = 25_000;
        // less than half a byte for a message: nothing for each. A thread that waits for room polls, and the system
        // calls
        // of a look take 40 bytes each until the better compiler has come to them, which a busy machine puts off
        long limit = messages / 2;
        // and now and then a place to gather for a thread that has been slow for a second, which happens where others
        // take the cores
        long perSecond = 16 * 1024;
        AtomicLong received = new AtomicLong();
        try (Cluster cluster = new Cluster("threads")) {
            MessagingNode one = cluster.start(1, node -> node.type(Numbered.TYPE));
            cluster.start(
                    2,
                    node -> node.receive(Numbered.TYPE, (_, _) -> received.incrementAndGet())
                            .handlers(1));
            long[] least = new long[SENDERS];
            Arrays.fill(least, Long.MAX_VALUE);
            CyclicBarrier together = new CyclicBarrier(SENDERS);
            List<Thread> threads = new ArrayList<>();
            for (int each = 0; each < SENDERS; each++) {
                int sender = each;
                threads.add(Thread.ofPlatform().start(() -> {
                    Numbered message = new Numbered();
                    message.sender = sender;
                    for (int round = 0; round < 20; round++) { // until it is compiled: before that it may allocate
                        awaitOthers(together);
                        long begin = System.nanoTime();
                        long bytes = AllocatedBytes.during(() -> send(one, message, 0, messages));
                        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
                        least[sender] = Math.min(least[sender], bytes - seconds * perSecond);
                    }
                }));
            }
            for (Thread each : threads) {
                each.join();
            }
            assertThat(Arrays.stream(least).boxed()).allMatch(bytes -> bytes < limit);
            long all = 20L * SENDERS * messages;
            Deadline.after(Cluster.PATIENCE).await("the last message", () -> received.get() == all);
            assertThat(one.statistics().blockedSends()).isPositive();
        }
    }

    private static void awaitOthers(CyclicBarrier barrier) {
        try {
            int ignored = barrier.await();
        } catch (InterruptedException | BrokenBarrierException failed) {
            throw new AssertionError(failed);
        }
    }

    private static void send(MessagingNode node, Numbered message, int from, int to) {
        for (int number = from; number < to; number++) {
            message.number = number;
            node.send(2, message);
        }
    }
}
