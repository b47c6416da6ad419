package org.galerna.link.shm.board;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.link.shm.file.ControlPageLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** Who announces sleep while another one makes a change sees the change, or does not fall asleep. */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "the change was seen or the bell rung")
@Outcome(id = "0", expect = Expect.FORBIDDEN, desc = "the wake-up was lost")
@State
public class BellStress {
    private static final long CHANGED = 64;
    private static final long BYTES = 128;

    /** Far more turns than states in use at any time. */
    private static final int TURNS = 1 << 16;

    private static final MemorySegment ALL = Arena.global().allocate(BYTES * TURNS, BYTES);
    private static final AtomicInteger NEXT = new AtomicInteger();

    private final MemorySegment memory =
            ALL.asSlice((NEXT.getAndIncrement() & (TURNS - 1)) * BYTES, BYTES).fill((byte) 0);
    private final FutexEvent bell = new FutexEvent(memory, 0, ShmFence.INSTANCE);
    private int expected;
    private boolean seen;

    /** The ringer's protocol. */
    @Actor
    public void ringer() {
        ControlPageLayout.LONGS.setRelease(memory, CHANGED, 1L);
        bell.ring();
    }

    /** The sleeper's protocol. */
    @Actor
    public void sleeper() {
        expected = bell.announce();
        ShmFence.INSTANCE.heavy();
        seen = (long) ControlPageLayout.LONGS.getAcquire(memory, CHANGED) != 0;
    }

    /** Looks whether the sleeper would have slept on. */
    @Arbiter
    public void judge(I_Result result) {
        result.r1 = seen || bell.hasRung(expected) ? 1 : 0;
    }
}
