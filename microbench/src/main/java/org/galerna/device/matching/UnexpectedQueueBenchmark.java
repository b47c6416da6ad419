package org.galerna.device.matching;

import java.util.ArrayList;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.matching.queue.UnexpectedMessage;
import org.galerna.device.matching.queue.UnexpectedQueue;
import org.galerna.microbench.Microbenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A receive takes one of the messages that have arrived before it, and the message arrives again. Judges that messages
 * are found by hashing, and that they are entered under keys with wildcards only once a receive has asked with such.
 * The alternative is the list that is searched from its oldest message.
 */
@State(Scope.Thread)
public class UnexpectedQueueBenchmark extends Microbenchmark {
    /** Messages that wait. */
    @Param({"1", "100", "10000"})
    public int queued;

    /** Whether the receives take messages from any source. */
    @Param({"false", "true"})
    public boolean wildcards;

    private UnexpectedQueue table;
    private final List<UnexpectedMessage> list = new ArrayList<>();
    private Queued order;

    /** Lets the messages arrive. */
    @Setup
    public void arrive() {
        table = new UnexpectedQueue();
        order = new Queued(queued);
        for (int element = 0; element < queued; element++) {
            table.add(message(element));
            list.add(message(element));
        }
    }

    private static UnexpectedMessage message(int element) {
        UnexpectedMessage message = new UnexpectedMessage();
        message.envelope = Queued.envelope(element);
        message.source = Queued.source(element);
        return message;
    }

    /** By hashing. */
    @Benchmark
    public void hashing() {
        int element = order.next();
        int source = wildcards ? Device.ANY_SOURCE : Queued.source(element);
        UnexpectedMessage message = table.find(Queued.envelope(element), source);
        if (message == null) {
            throw new IllegalStateException("no message for receive " + element);
        }
        table.remove(message);
        table.add(message);
    }

    /** By search. */
    @Benchmark
    public void searching() {
        int element = order.next();
        int source = wildcards ? Device.ANY_SOURCE : Queued.source(element);
        long envelope = Queued.envelope(element);
        for (int index = 0; index < list.size(); index++) {
            UnexpectedMessage message = list.get(index);
            boolean fits = message.envelope == envelope && (source == Device.ANY_SOURCE || message.source == source);
            if (fits) {
                list.add(list.remove(index));
                return;
            }
        }
        throw new IllegalStateException("no message for receive " + element);
    }
}
