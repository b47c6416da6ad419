package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nodes that may have few connections all talk to each other, ask, and ask back from within receivers. Some close and start
 * again at any moment, and strangers wait at their doors. {@code -Dtest.stress=PT10M} says how long.
 */
@Tag("slow")
class StressTest {
    private static final int NODES = 5;
    private static final int STRANGERS = 40;
    private static final Duration LONG = Duration.parse(System.getProperty("test.stress", "PT20S"));
    private static final Duration LIMIT = Duration.ofSeconds(20);

    @SuppressWarnings("ArrayRecordComponent") // as in programs
    record Count(int sender, int start, int thread, long number, byte[] load) {}

    record Question(int depth, long number) {}

    record Answer(long number) {}

    private static final MessageType<Count> COUNT = MessageType.record(1, 0, Count.class);
    private static final MessageType<Question> QUESTION = MessageType.record(2, 0, Question.class);
    private static final MessageType<Answer> ANSWER = MessageType.record(3, 0, Answer.class);

    /** A start of a node. */
    private record Running(MessagingNode node, int start) {}

    private final AtomicReferenceArray<Running> nodes = new AtomicReferenceArray<>(NODES);
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong received = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong restarts = new AtomicLong();
    private volatile boolean end;

    private void start(int id, int start, String link) {
        Map<String, Long> last = new ConcurrentHashMap<>();
        Map<Integer, Integer> starts = new ConcurrentHashMap<>();
        MessagingNode node = MessagingNode.builder(id)
                .address(id, Cluster.anyPort())
                .key(Cluster.KEY)
                .links(link)
                .connections(2)
                .handlers(24)
                .window(128 * 1024)
                .connectTimeout(LIMIT)
                .closeTimeout(Duration.ofMillis(200))
                .type(ANSWER)
                .receive(COUNT, (count, from) -> {
                    int known = starts.merge(count.sender(), count.start(), Math::max);
                    Long before = last.put(count.sender() + "/" + count.thread(), count.number());
                    if (known > count.start() || (before != null && before >= count.number())) {
                        wrong.add(count + " at node " + id + " after start " + known + ", number " + before);
                    }
                    received.incrementAndGet();
                })
                .receive(QUESTION, Handling.CONCURRENT, (question, from) -> {
                    if (question.depth() > 0) {
                        int other = Math.floorMod(question.number(), NODES);
                        ask(id, question.depth() % 2 == 0 ? from.sender() : other, question.depth() - 1);
                    }
                    from.respond(new Answer(question.number()));
                })
                .start();
        for (int other = 0; other < NODES; other++) {
            Running known = nodes.get(other);
            if (known != null && other != id) {
                node.addAddress(other, known.node().address());
                known.node().addAddress(id, node.address());
            }
        }
        nodes.set(id, new Running(node, start));
    }

    private void ask(int from, int to, int depth) {
        long number = answered.get();
        try {
            Answer answer = nodes.get(from).node().request(to, new Question(depth, number), Answer.class, LIMIT);
            answered.incrementAndGet();
            if (answer.number() != number) {
                wrong.add("the answer to " + number + " is " + answer);
            }
        } catch (MessagingException gone) {
            failed.incrementAndGet();
            if (gone.reason() == MessagingException.Reason.TIMEOUT && !end) {
                wrong.add("a request of node " + from + " to node " + to + ": " + gone.getMessage());
            }
        }
    }

    private void talk(int id, int thread, long seed) {
        Random random = new Random(seed);
        long number = 0;
        while (!end) {
            int other = random.nextInt(NODES);
            int burst = 1 + random.nextInt(50);
            for (int each = 0; each < burst; each++) {
                byte[] load = new byte[random.nextInt(40) == 0 ? random.nextInt(300_000) : random.nextInt(60)];
                try {
                    Running self = nodes.get(id);
                    self.node().send(other, new Count(id, self.start(), thread, number++, load));
                } catch (MessagingException gone) {
                    failed.incrementAndGet();
                }
            }
            ask(id, random.nextInt(NODES), random.nextInt(3));
        }
    }

    private void callInSilence(int id) {
        while (!end) {
            try (SocketChannel stranger =
                    SocketChannel.open(nodes.get(id).node().address())) {
                int ignored = stranger.read(ByteBuffer.allocate(100));
            } catch (IOException refused) {
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void orderAndAnswersHoldWhateverComesAndGoes(String link) throws InterruptedException {
        long seed = Seeds.next("stress");
        Random random = new Random(seed);
        for (int id = 0; id < NODES; id++) {
            start(id, 0, link);
        }
        List<Thread> threads = new ArrayList<>();
        for (int id = 0; id < NODES; id++) {
            int self = id;
            for (int thread = 0; thread < 2; thread++) {
                int which = thread;
                long own = random.nextLong();
                threads.add(Thread.ofPlatform().start(() -> talk(self, which, own)));
            }
            for (int stranger = 0; stranger < STRANGERS; stranger++) {
                threads.add(Thread.startVirtualThread(() -> callInSilence(self)));
            }
        }
        long until = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() - until < 0 && wrong.isEmpty()) {
            LockSupport.parkNanos(random.nextInt(1_000_000_000));
            int id = 1 + random.nextInt(NODES - 1); // node 0 stays
            nodes.get(id).node().close();
            start(id, nodes.get(id).start() + 1, link);
            restarts.incrementAndGet();
        }
        end = true;
        threads.stream().filter(Thread::isVirtual).forEach(Thread::interrupt);
        for (Thread each : threads) {
            each.join();
        }
        for (int id = 0; id < NODES; id++) {
            nodes.get(id).node().close();
        }
        System.out.println("stress over " + link + ": " + received + " received, " + answered + " answered, " + failed
                + " failed, " + restarts + " restarts");
        assertThat(wrong).isEmpty();
        assertThat(received.get()).isPositive();
        assertThat(answered.get()).isPositive();
    }
}
