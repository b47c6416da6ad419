package org.galerna.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.galerna.memory.Rings.Kind;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Producers and a consumer at full speed. A record says who sent it, its number, and its length, and the rest follows a
 * pattern; the consumer checks every byte, and that nothing is lost, doubled or out of order per producer.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RecordRingStressTest {
    private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final int LEAST = 100;
    private static final int HEADER = 12;
    private static final int LAST = -1;

    @ParameterizedTest
    @CsvSource({
        "SPSC, 1, 4, 128, 48", // few slots: records wait for the consumer
        "SPSC, 1, 64, 4096, 24",
        "SPSC, 1, 64, 4096, 48",
        "SPSC, 1, 64, 4096, 2048",
        "SPSC, 1, 1024, 262144, 20000",
        "MPSC, 1, 64, 4096, 300",
        "MPSC, 2, 4, 128, 64",
        "MPSC, 4, 64, 4096, 300",
        "MPSC, 4, 1024, 65536, 8000",
        "MPSC, 16, 16, 8192, 500"
    })
    void everyRecordArrivesOnceWholeAndInOrder(Kind kind, int producers, int slots, int dataBytes, int longest)
            throws Exception {
        long seed = Seeds.next(this);
        Rings rings = Rings.at(kind, slots, dataBytes, Integer.MAX_VALUE - 1000, -1000);
        long end = System.nanoTime() + RUN_NANOS;
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            List<Future<Integer>> sent = new ArrayList<>();
            for (int producer = 0; producer < producers; producer++) {
                int me = producer;
                Random random = new Random(seed + producer);
                Callable<Integer> work = () -> produce(rings, me, random, longest, end);
                sent.add(threads.submit(work));
            }
            int[] received = consume(rings, producers);
            for (int producer = 0; producer < producers; producer++) {
                assertThat(received[producer])
                        .as("records of producer %s", producer)
                        .isEqualTo(sent.get(producer).get())
                        .isGreaterThanOrEqualTo(LEAST);
            }
        }
    }

    private static int produce(Rings rings, int me, Random random, int longest, long end) {
        int number = 0;
        while (number < LEAST || System.nanoTime() < end) {
            int length = HEADER + random.nextInt(longest - HEADER + 1);
            int claimed = random.nextInt(8) == 0 ? longest : length;
            long claim = claim(rings, claimed);
            if (rings.producer instanceof SpscProducer only && random.nextInt(16) == 0) {
                only.prepare(); // with a record that is not committed
            }
            if (random.nextInt(16) == 0) {
                rings.producer.abort(claim);
            } else {
                send(rings, claim, me, number++, length);
            }
            if (rings.producer instanceof SpscProducer only && random.nextInt(4) == 0) {
                only.prepare();
            }
        }
        send(rings, claim(rings, HEADER), me, LAST, HEADER);
        return number;
    }

    private static long claim(Rings rings, int length) {
        long claim;
        while ((claim = rings.producer.claim(length)) < 0) {
            if (claim != RecordProducer.BACK_PRESSURE) {
                throw new AssertionError("claim of " + length + " bytes: " + claim);
            }
            Thread.yield();
        }
        return claim;
    }

    private static void send(Rings rings, long claim, int me, int number, int length) {
        MemorySegment memory = rings.ring.memory();
        int offset = RecordProducer.offset(claim);
        memory.set(RecordRingLayout.INT, offset, me);
        memory.set(RecordRingLayout.INT, offset + 4, number);
        memory.set(RecordRingLayout.INT, offset + 8, length);
        Rings.fill(memory, offset + HEADER, me * 31 + number, length - HEADER);
        rings.producer.commit(claim, length);
    }

    private static int[] consume(Rings rings, int producers) {
        MemorySegment memory = rings.ring.memory();
        RecordConsumer consumer = rings.consumer;
        int[] received = new int[producers];
        int running = producers;
        while (running > 0) {
            int length = consumer.poll();
            if (length == RecordConsumer.EMPTY) {
                Thread.yield();
                continue;
            }
            assertThat(length).as("a record's length").isGreaterThanOrEqualTo(HEADER);
            long offset = consumer.offset();
            int from = memory.get(RecordRingLayout.INT, offset);
            int number = memory.get(RecordRingLayout.INT, offset + 4);
            assertThat(memory.get(RecordRingLayout.INT, offset + 8)).isEqualTo(length);
            assertThat(Rings.difference(memory, offset + HEADER, from * 31 + number, length - HEADER))
                    .as("record %s of producer %s", number, from)
                    .isEmpty();
            if (number == LAST) {
                running--;
            } else {
                assertThat(number).as("number from producer %s", from).isEqualTo(received[from]++);
            }
            consumer.release();
        }
        assertThat(consumer.poll()).isEqualTo(RecordConsumer.EMPTY);
        return received;
    }
}
