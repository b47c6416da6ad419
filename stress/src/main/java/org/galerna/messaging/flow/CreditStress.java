package org.galerna.messaging.flow;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** A window is not overshot, however many take at once: of two that do not fit together, one gets its part. */
@JCStressTest
@Outcome(
        id = {"0, 1", "1, 0"},
        expect = Expect.ACCEPTABLE,
        desc = "one was granted")
@Outcome(expect = Expect.FORBIDDEN, desc = "both, or none")
@State
public class CreditStress {
    private static final int WINDOW = 100;
    private static final int PART = 60;

    private final Credit credit = new Credit(WINDOW);

    /** Takes. */
    @Actor
    public void one(II_Result result) {
        result.r1 = credit.take(PART, 1, false, false);
    }

    /** Takes as well. */
    @Actor
    public void other(II_Result result) {
        result.r2 = credit.take(PART, 1, false, false);
    }
}
