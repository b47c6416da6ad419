package org.galerna.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import org.galerna.messaging.HostileCode.Act;
import org.galerna.messaging.HostileCode.Deed;
import org.galerna.messaging.HostileCode.Work;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Seeds;
import org.galerna.testkit.process.ChildProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A node of two handlers whose receivers, serializers, listeners and logs throw, block and say what cannot be sent, at
 * random, while peers are killed. It goes on serving others: all that they ask is answered rightly, its memory stays flat,
 * none of its threads dies, and its counters agree with what was done. {@code -Dtest.seconds} says for how long the slow test
 * goes on with each link.
 */
class HostileStressTest {
    private static final int VICTIM = 1;
    private static final int FIRST_PEER = 2;
    private static final int PEERS = 2;
    private static final int KILLED = 9;

    private static final Duration PATIENCE = Cluster.PATIENCE;
    private static final long FLAT_BYTES = 48L << 20;

    private final long seed = Seeds.next("hostile stress");
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Throwable> wrong = new AtomicReference<>();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final Map<Integer, AtomicLong> ordered = new ConcurrentHashMap<>();

    @Test
    void aNodeSurvivesHostileCodeForSomeSeconds() throws Exception {
        run("shm", 2);
    }

    @Tag("slow")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    @ParameterizedTest
    @ValueSource(strings = {"threads", "shm", "tcp"})
    void aNodeSurvivesHostileCode(String link) throws Exception {
        run(link, Long.getLong("test.seconds", 30));
    }

    private void run(String link, long seconds) throws Exception {
        HostileCode code = new HostileCode(seed);
        Logger log = Logger.getLogger(MessagingNode.class.getName());
        log.addHandler(code.log());
        log.setUseParentHandlers(false);
        try (Cluster cluster = new Cluster(link)) {
            MessagingNode victim = cluster.start(
                    VICTIM,
                    node -> code.types(node)
                            .handlers(2)
                            .maximumMessage(HostileCode.LONGEST)
                            .listener(code.listener())
                            .receive(HostileCode.DEED, Handling.CONCURRENT, code::act)
                            .receive(HostileCode.WORK, Handling.CONCURRENT, code::serve)
                            .receive(code.trap, Handling.CONCURRENT, (_, _) -> {
                                throw new AssertionError("nobody can read it");
                            })
                            .receive(Numbered.TYPE, Handling.CONCURRENT, code::noise)
                            .receive(HostileCode.STEP, (step, from) -> {
                                code.received.increment();
                                AtomicLong last = ordered.computeIfAbsent(from.sender(), _ -> new AtomicLong());
                                if (last.incrementAndGet() != step.number()) {
                                    fail(new AssertionError(
                                            "step " + step + " of " + from.sender() + " after " + last));
                                }
                            }));
            code.node(victim);
            List<MessagingNode> peers = new ArrayList<>();
            for (int each = 0; each < PEERS; each++) {
                peers.add(cluster.start(
                        FIRST_PEER + each,
                        node -> code.types(node)
                                .listener(code.listener())
                                .receive(HostileCode.WORK, Handling.CONCURRENT, code::serveElsewhere)
                                .type(HostileCode.DEED)
                                .type(HostileCode.STEP)));
            }
            List<Thread> threads = new ArrayList<>();
            for (MessagingNode peer : peers) {
                threads.add(start(() -> work(peer)));
                threads.add(start(() -> work(peer)));
                threads.add(start(() -> workAhead(peer)));
                threads.add(start(() -> step(peer)));
                threads.add(start(() -> harm(peer)));
                threads.add(start(() -> harmAhead(peer)));
            }
            threads.add(start(() -> kill(link, victim)));
            watch(victim, seconds);
            over.set(true);
            for (Thread each : threads) {
                assertThat(each.join(PATIENCE.multipliedBy(2)))
                        .as(() -> each + " has ended: " + Arrays.toString(each.getStackTrace()))
                        .isTrue();
            }
            assertThat(wrong.get()).as("seed %d", seed).isNull();
            check(code, victim, peers);
            assertThat(code.noise.sum() > 0)
                    .as("something came from processes that were killed")
                    .isEqualTo(!link.equals("threads"));
        } finally {
            over.set(true);
            log.removeHandler(code.log());
            log.setUseParentHandlers(true);
        }
    }

    private Thread start(Work work) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!over.get()) {
                    work.run();
                }
            } catch (Throwable thrown) {
                fail(thrown);
            }
        });
    }

    private void fail(Throwable thrown) {
        if (wrong.compareAndSet(null, thrown)) {
            thrown.printStackTrace();
        }
    }

    // ---- those who have done nothing wrong

    private void work(MessagingNode peer) {
        HostileCode.Task task = HostileCode.Task.random();
        HostileCode.Task done = peer.request(VICTIM, task, HostileCode.Task.class, PATIENCE);
        task.check(done);
        answered.increment();
    }

    private void workAhead(MessagingNode peer) {
        List<HostileCode.Task> tasks = new ArrayList<>();
        List<CompletableFuture<HostileCode.Task>> answers = new ArrayList<>();
        for (int each = 0; each < 20; each++) {
            HostileCode.Task task = HostileCode.Task.random();
            tasks.add(task);
            answers.add(peer.requestAsync(VICTIM, task, HostileCode.Task.class, PATIENCE));
        }
        for (int each = 0; each < tasks.size(); each++) {
            tasks.get(each).check(answers.get(each).join());
            answered.increment();
        }
    }

    private void step(MessagingNode peer) {
        for (long number = 1; !over.get(); number++) {
            peer.send(VICTIM, new HostileCode.Step(number));
            if (number % 64 == 0) {
                peer.flush();
                LockSupport.parkNanos(1_000_000);
            }
        }
        peer.flush();
    }

    // ---- those who have

    private void harm(MessagingNode peer) {
        Deed deed = deed();
        if (deed.number() == 0) {
            peer.send(VICTIM, new HostileCode.Trap(1));
        }
        if (deed.act() == Act.THROW && ThreadLocalRandom.current().nextBoolean()) {
            peer.send(VICTIM, deed);
            return;
        }
        Duration limit = deed.act().limit();
        try {
            peer.request(VICTIM, deed, Object.class, limit);
        } catch (MessagingException expected) {
            failed.increment();
            check(deed, expected);
        }
    }

    private void harmAhead(MessagingNode peer) {
        List<CompletableFuture<Object>> futures = new ArrayList<>();
        for (int each = 0; each < 8; each++) {
            Deed deed = deed();
            CompletableFuture<Object> future =
                    peer.requestAsync(VICTIM, deed, Object.class, deed.act().limit());
            futures.add(future.handle((_, failure) -> {
                if (failure instanceof MessagingException expected) {
                    failed.increment();
                    check(deed, expected);
                } else if (failure != null) {
                    fail(failure);
                }
                return deed;
            }));
        }
        futures.forEach(CompletableFuture::join);
    }

    private static Deed deed() {
        Act[] acts = Act.values();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new Deed(acts[random.nextInt(acts.length)], random.nextInt(30));
    }

    private void check(Deed deed, MessagingException failure) {
        if (deed.act().limit().equals(HostileCode.LONG)
                && failure.reason() != MessagingException.Reason.REMOTE
                && failure.reason() != MessagingException.Reason.UNANSWERABLE) {
            fail(new AssertionError(deed + " should have failed at once", failure));
        }
    }

    /** Processes that send and ask, and are killed at any moment. */
    private void kill(String link, MessagingNode victim) throws InterruptedException {
        if (link.equals("threads")) { // which joins nodes of one process only
            LockSupport.parkNanos(10_000_000);
            return;
        }
        Random random = new Random(seed);
        InetSocketAddress address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), victim.address().getPort());
        ChildProcess child = ChildProcess.start(ChildProcess.java(
                List.of("--enable-native-access=ALL-UNNAMED", "-Xmx64m"),
                HostileCode.Noise.class,
                List.of(link, String.valueOf(KILLED), String.valueOf(address.getPort()))));
        try {
            child.awaitOut(text -> text.contains("begins"), PATIENCE);
            LockSupport.parkNanos(random.nextInt(300) * 1_000_000L);
        } finally {
            child.close();
        }
    }

    // ---- what has to hold

    private void watch(MessagingNode victim, long seconds) {
        long begin = System.nanoTime();
        long end = begin + Duration.ofSeconds(seconds).toNanos();
        long warm = begin + Duration.ofSeconds(seconds).toNanos() / 3;
        long base = 0;
        long last = 0;
        long lastLook = System.nanoTime();
        while (System.nanoTime() - end < 0 && wrong.get() == null) {
            LockSupport.parkNanos(50_000_000);
            if (System.nanoTime() - lastLook > PATIENCE.toNanos()) {
                assertThat(answered.sum())
                        .as("answers within a minute, seed %d", seed)
                        .isGreaterThan(last);
                last = answered.sum();
                lastLook = System.nanoTime();
                System.out.printf(
                        "hostile stress: %d answered, %d failed, %d MiB, %s, %s%n",
                        last, failed.sum(), heap() >> 20, victim.health(), victim.statistics());
            }
            if (base == 0 && System.nanoTime() - warm > 0) {
                base = heap();
            }
            assertThat(victim.health().isComplete()).isTrue();
        }
        long now = heap();
        assertThat(now).as("bytes of the heap in use, seed %d", seed).isLessThan(base + FLAT_BYTES);
        System.out.printf(
                "hostile stress: %d answered, %d failed, %d and %d MiB, %s%n",
                answered.sum(), failed.sum(), base >> 20, now >> 20, victim.statistics());
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void check(HostileCode code, MessagingNode victim, List<MessagingNode> peers) {
        Deadline deadline = Deadline.after(PATIENCE);
        deadline.await("the end of late answers", () -> code.later.sum() == 0);
        for (MessagingNode each : peers) {
            deadline.await("no request is left", () -> each.statistics().pendingRequests() == 0);
        }
        deadline.await(
                "no request of the victim is left", () -> victim.statistics().pendingRequests() == 0);
        deadline.await("idle handlers", () -> victim.health().busyHandlers() == 0);
        // what both have sent is what has come: messages and requests that were received or dropped, and answers
        deadline.await("as much that has come as was sent", () -> sent(peers) == come(code, victim.statistics()));
        NodeStatistics all = victim.statistics();
        assertThat(code.wrong.sum()).as("late uses of a delivery").isZero();
        assertThat(all.received() - code.noise.sum()).isEqualTo(code.received.sum() + code.unreadable.sum());
        assertThat(all.receiverFailures()).isEqualTo(code.thrown.sum() + code.unreadable.sum());
        assertThat(victim.health().replacedThreads())
                .as(victim.health()::lastDeath)
                .isZero();
    }

    private static long sent(List<MessagingNode> peers) {
        return peers.stream().mapToLong(each -> each.statistics().sent()).sum();
    }

    private static long come(HostileCode code, NodeStatistics all) {
        return all.received() - code.noise.sum() + all.expiredRequests() + all.responses() + all.lateResponses();
    }
}
