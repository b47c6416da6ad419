package org.galerna.sockets.pipe;

import java.io.InterruptedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.nativeaccess.thread.Futex;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Who waits for a change that another one makes does not sleep until the time is over. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "saw the change, or was woken")
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "slept on")
@State
public class WaiterStress {
    private static final long WORD = 0;
    private static final long CHANGED = 64;

    /** The same for both ends, as if they shared a processor: who waits sleeps at once. */
    private static final long CPU = 128;

    private static final long BYTES = 192;

    /** Far more turns than states in use at any time. */
    private static final int TURNS = 1 << 16;

    private static final long LIMIT = TimeUnit.SECONDS.toNanos(20);

    private static final Futex FUTEX = Futex.instance().orElseThrow();
    private static final MemorySegment ALL = Arena.global().allocate(BYTES * TURNS, 64);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final MemorySegment memory =
            ALL.asSlice((NEXT.getAndIncrement() & (TURNS - 1)) * BYTES, BYTES).fill((byte) 0);
    private final Waiter waiter =
            new Waiter(memory, WORD, CPU, CPU, () -> (int) PipeLayout.INTS.getAcquire(memory, CHANGED) != 0);

    /** Makes the change and wakes. */
    @Actor
    public void changer() {
        PipeLayout.INTS.setRelease(memory, CHANGED, 1);
        int unused = Waiter.wakePeer(FUTEX, memory, WORD);
    }

    /** Waits. */
    @Actor
    public void sleeper(I_Result result) {
        long start = System.nanoTime();
        try {
            boolean seen = waiter.await(start + LIMIT);
            result.r1 = seen && System.nanoTime() - start < LIMIT / 2 ? 1 : 0;
        } catch (InterruptedIOException ofVirtualThreads) {
            result.r1 = 0;
        }
    }
}
