package org.galerna.testkit.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.galerna.link.Channel;
import org.galerna.testkit.Deadline;
import org.galerna.testkit.Payload;
import org.galerna.testkit.RankThreads;

/** Frames that say which thread sent them and which of its frames they are. */
final class ConcurrentClaims {
    private static final int HEADER = 8;

    private ConcurrentClaims() {}

    static void send(Channel channel, int producer, int number, int bytes) {
        Deadline deadline = Deadline.after(RankThreads.LIMIT);
        int length = HEADER + bytes;
        long claim;
        while ((claim = channel.claim(length)) == Channel.BACK_PRESSURE) {
            deadline.check("room for thread " + producer);
            Thread.yield();
        }
        long offset = Channel.offset(claim);
        channel.memory().set(ValueLayout.JAVA_INT, offset, producer);
        channel.memory().set(ValueLayout.JAVA_INT, offset + 4, number);
        Payload.fill(channel.memory(), offset + HEADER, bytes, Payload.seed(producer, number));
        channel.commit(claim, length);
        channel.flush();
    }

    /** Checks that a frame is whole and the next one of its thread, and counts it. */
    static void check(byte[] frame, int[] next) {
        MemorySegment memory = MemorySegment.ofArray(frame);
        int producer = memory.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        int number = memory.get(ValueLayout.JAVA_INT_UNALIGNED, 4);
        assertThat(number).as("number of a frame of thread %s", producer).isEqualTo(next[producer]++);
        assertThat(Payload.difference(memory, HEADER, frame.length - HEADER, Payload.seed(producer, number)))
                .as("frame %s of thread %s", number, producer)
                .isEmpty();
    }
}
