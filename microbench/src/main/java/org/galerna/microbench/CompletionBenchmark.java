package org.galerna.microbench;

import org.galerna.device.Device;
import org.galerna.device.Devices;
import org.galerna.device.Request;
import org.galerna.link.wireup.InProcessWireup;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A message of a rank to itself through the whole device, by one thread. Judges that requests are pooled, so that a
 * message allocates nothing ({@code -prof gc} shows it), and what an unexpected message costs beside an expected one: it
 * is copied twice.
 */
@State(Scope.Thread)
public class CompletionBenchmark extends Microbenchmark {
    private static final int TAG = 5;
    private static final int CONTEXT = 1;

    /** Bytes of the message. */
    @Param({"8", "1024"})
    public int length;

    private Device device;
    private byte[] sent;
    private byte[] received;

    /** Opens a job of one rank. */
    @Setup
    public void open() {
        device = Devices.open(
                "smdev",
                InProcessWireup.create(1, (rank, status, reason) -> {
                            throw new IllegalStateException("rank " + rank + " has aborted: " + reason);
                        })
                        .getFirst());
        sent = new byte[length];
        received = new byte[length];
    }

    /** The receive comes first. */
    @Benchmark
    public void expected() {
        Request receive = device.irecv(received, 0, length, 0, TAG, CONTEXT);
        Request send = device.isend(sent, 0, length, 0, TAG, CONTEXT);
        receive.await();
        send.await();
        receive.release();
        send.release();
    }

    /** The receive comes first, and the send is a blocking one, without a request. */
    @Benchmark
    public void expectedBlocking() {
        Request receive = device.irecv(received, 0, length, 0, TAG, CONTEXT);
        device.send(sent, 0, length, 0, TAG, CONTEXT);
        receive.await();
        receive.release();
    }

    /** The message has been taken out of the ring before the receive comes. */
    @Benchmark
    public void unexpected() {
        device.send(sent, 0, length, 0, TAG, CONTEXT);
        device.probe(0, TAG, CONTEXT);
        device.recv(received, 0, length, 0, TAG, CONTEXT).release();
    }

    /** Leaves the job. */
    @TearDown
    public void close() {
        device.close();
    }
}
