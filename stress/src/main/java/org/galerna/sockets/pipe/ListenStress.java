package org.galerna.sockets.pipe;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.nativeaccess.thread.Futex;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A selector that is about to sleep sees a change, or who makes it finds the number of the bell to ring. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the selector has seen the change")
@Outcome(id = "[01], 7", expect = Expect.ACCEPTABLE, desc = "the bell is rung")
@Outcome(expect = Expect.FORBIDDEN, desc = "the selector sleeps, or a wrong bell is rung")
@State
public class ListenStress {
    private static final long WORD = 0;
    private static final long CHANGED = 64;
    private static final long CPU = 128;
    private static final long BYTES = 192;

    /** Far more turns than states in use at any time. */
    private static final int TURNS = 1 << 16;

    private static final int BELL = 7;

    private static final Futex FUTEX = Futex.instance().orElseThrow();
    private static final MemorySegment ALL = Arena.global().allocate(BYTES * TURNS, 64);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final MemorySegment memory =
            ALL.asSlice((NEXT.getAndIncrement() & (TURNS - 1)) * BYTES, BYTES).fill((byte) 0);
    private final Waiter waiter = new Waiter(memory, WORD, CPU, CPU, this::isChanged);

    private boolean isChanged() {
        return (int) PipeLayout.INTS.getAcquire(memory, CHANGED) != 0;
    }

    /** Makes the change and rings. */
    @Actor
    public void changer(II_Result result) {
        PipeLayout.INTS.setRelease(memory, CHANGED, 1);
        int sleep = Waiter.wakePeer(FUTEX, memory, WORD);
        result.r2 = sleep == Waiter.LISTENS ? (int) PipeLayout.INTS.getOpaque(memory, WORD + Waiter.BELL) : 0;
    }

    /** Listens, and looks once more. */
    @Actor
    public void selector(II_Result result) {
        waiter.listen(BELL);
        VarHandle.fullFence();
        result.r1 = isChanged() ? 1 : 0;
    }
}
