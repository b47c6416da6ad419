package org.galerna.device.matching;

import java.util.ArrayList;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.matching.queue.PostedQueue;
import org.galerna.device.matching.request.ReceiveRequest;
import org.galerna.microbench.Microbenchmark;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A message takes one of the receives that are posted, and the receive is posted again. Judges that matching is hashing:
 * the time must not grow with the number of posted receives beyond what caches cost, with wildcards neither. The
 * alternative is the list that is searched from its oldest receive.
 */
@State(Scope.Thread)
public class PostedQueueBenchmark extends Microbenchmark {
    /** Receives posted. */
    @Param({"1", "100", "10000"})
    public int queued;

    /** Whether every second receive takes a message from any source. */
    @Param({"false", "true"})
    public boolean wildcards;

    private MatchingDevice device;
    private PostedQueue table;
    private final List<ReceiveRequest> list = new ArrayList<>();
    private Queued order;

    /** Posts the receives. */
    @Setup
    public void post() {
        device = Queued.device();
        table = new PostedQueue();
        order = new Queued(queued);
        for (int element = 0; element < queued; element++) {
            table.add(receive(element));
            list.add(receive(element));
        }
    }

    private ReceiveRequest receive(int element) {
        ReceiveRequest request = new ReceiveRequest(device);
        boolean fromAnywhere = wildcards && element % 2 == 0;
        int source = fromAnywhere ? Device.ANY_SOURCE : Queued.source(element);
        request.start(new byte[0], 0, 0, source, Queued.envelope(element));
        return request;
    }

    /** By hashing. */
    @Benchmark
    public void hashing() {
        int element = order.next();
        ReceiveRequest request = table.match(Queued.envelope(element), Queued.source(element));
        if (request == null) {
            throw new IllegalStateException("no receive for message " + element);
        }
        table.add(request);
    }

    /** By search. */
    @Benchmark
    public void searching() {
        int element = order.next();
        int source = Queued.source(element);
        long envelope = Queued.envelope(element);
        for (int index = 0; index < list.size(); index++) {
            ReceiveRequest request = list.get(index);
            boolean fits = request.wanted == envelope
                    && (request.wantedSource == Device.ANY_SOURCE || request.wantedSource == source);
            if (fits) {
                list.add(list.remove(index));
                return;
            }
        }
        throw new IllegalStateException("no receive for message " + element);
    }

    /** Leaves the job. */
    @TearDown
    public void close() {
        device.close();
    }
}
