package org.galerna.bench.messaging;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;
import org.galerna.messaging.Delivery;
import org.galerna.messaging.Handling;
import org.galerna.messaging.MessageType;
import org.galerna.messaging.NodeBuilder;

/** The types of the benchmarks, and a node's count of what it has received. */
final class Traffic {
    static final MessageType<Payload> PAYLOAD =
            MessageType.of(1, 0, Payload.class, new Payload.Codec()).reusing(Payload::new);
    static final MessageType<Question> QUESTION = MessageType.record(2, 0, Question.class);
    static final MessageType<Answer> ANSWER = MessageType.record(3, 0, Answer.class);

    private static final int STRIDE = 16;
    private static final VarHandle COUNTS = MethodHandles.arrayElementVarHandle(long[].class);

    /** What a node asks another one. */
    enum Topic {
        /** How many messages of the asking node have been handled. */
        RECEIVED,
        /** The last round of a benchmark for which it was ready. */
        READY,
        /** The last round of a benchmark whose messages have all been handled by others. */
        FINISHED,
        /** Bytes that its threads have allocated so far. */
        ALLOCATED,
        /** Tells it to begin with a round. */
        START
    }

    record Question(Topic topic, long round) {}

    record Answer(long value) {}

    private final boolean concurrent;
    private final long[] bySender;
    private final LongAdder[] concurrently;

    volatile long ready;
    volatile long started;
    volatile long finished;

    Traffic(int nodes, int handlers) {
        concurrent = handlers > 1;
        bySender = new long[(nodes + 1) * STRIDE];
        concurrently = new LongAdder[nodes];
        for (int node = 0; node < nodes; node++) {
            concurrently[node] = new LongAdder();
        }
    }

    void register(NodeBuilder builder) {
        builder.receive(PAYLOAD, concurrent ? Handling.CONCURRENT : Handling.ORDERED, this::receive)
                .receive(QUESTION, this::answer)
                .type(ANSWER);
    }

    private void receive(Payload message, Delivery from) {
        if (from.isRequest()) {
            from.respond(message);
        } else if (concurrent) {
            concurrently[from.sender()].increment();
        } else {
            // one handler at a time for each sender; whoever reads the count sees what came before it
            int at = (from.sender() + 1) * STRIDE;
            COUNTS.setRelease(bySender, at, (long) COUNTS.get(bySender, at) + 1);
        }
    }

    private void answer(Question question, Delivery from) {
        long value = switch (question.topic()) {
            case RECEIVED -> received(from.sender());
            case READY -> ready;
            case FINISHED -> finished;
            case ALLOCATED -> Allocation.ofProcess();
            case START -> {
                started = question.round();
                yield started;
            }
        };
        from.respond(new Answer(value));
    }

    private long received(int sender) {
        return concurrent ? concurrently[sender].sum() : (long) COUNTS.getAcquire(bySender, (sender + 1) * STRIDE);
    }
}
