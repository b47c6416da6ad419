package org.galerna.stress;

import java.util.Arrays;
import org.galerna.collectives.team.Seat;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Values that members show are read whole: short ones in slots, long ones in pages, over places used before. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "every value as it was shown")
@Outcome(expect = Expect.FORBIDDEN, desc = "a value that was overwritten, or not yet there")
@State
public class SlotStress {
    private static final int COLLECTIVES = 12;
    private static final int SHORT = 4;
    private static final int LONG = 40;

    private final Seat first;
    private final Seat second;

    /** Two members. */
    public SlotStress() {
        Seats seats = new Seats();
        first = seats.seat(0, 2);
        second = seats.seat(1, 2);
    }

    /** Shows to the second, which shows to nobody, in most collectives. */
    @Actor
    public void first(II_Result result) {
        result.r1 = play(first, 0);
    }

    /** The other way round in every sixth. */
    @Actor
    public void second(II_Result result) {
        result.r2 = play(second, 1);
    }

    private static int play(Seat seat, int member) {
        int wrong = 0;
        for (int number = 1; number <= COLLECTIVES; number++) {
            long[] value = new long[number % 2 == 0 ? SHORT : LONG];
            long bytes = (long) value.length * Long.BYTES;
            int root = number % 6 == 0 ? 1 : 0;
            seat.begin();
            if (member == root) {
                Arrays.fill(value, number);
                seat.show(value, 0, bytes);
            } else {
                seat.read(root, bytes, value, 0);
            }
            seat.finish();
            wrong += value[0] == number && value[value.length - 1] == number ? 0 : 1;
        }
        return wrong;
    }
}
