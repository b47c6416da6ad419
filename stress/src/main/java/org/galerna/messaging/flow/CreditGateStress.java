package org.galerna.messaging.flow;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** What goes through the gate is counted by whoever has closed it: nothing is sent that nobody reports. */
@JCStressTest
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "granted, and in doubt")
@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "refused")
@Outcome(expect = Expect.FORBIDDEN, desc = "granted after it was counted")
@State
public class CreditGateStress {
    private final Credit credit = new Credit(100);

    /** Sends a message. */
    @Actor
    public void sender(II_Result result) {
        result.r1 = credit.take(8, 1, false, false);
    }

    /** Gives the connection up. */
    @Actor
    public void closer(II_Result result) {
        credit.close();
        result.r2 = (int) credit.inDoubt();
    }
}
