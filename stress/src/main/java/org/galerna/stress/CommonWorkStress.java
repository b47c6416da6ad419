package org.galerna.stress;

import java.util.Arrays;
import org.galerna.collectives.team.Publication;
import org.galerna.collectives.team.Seat;
import org.galerna.collectives.team.Work;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** In every round each piece is done once, with what all have published, and all see what was done. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "both have both sums in every round")
@Outcome(expect = Expect.FORBIDDEN, desc = "a piece was done twice or not at all, or with arrays of another round")
@State
public class CommonWorkStress {
    private static final int ROUNDS = 6;
    private static final int PIECES = 3;

    private final Seat first;
    private final Seat second;

    /** Two members. */
    public CommonWorkStress() {
        Seats seats = new Seats();
        first = seats.seat(0, 2);
        second = seats.seat(1, 2);
    }

    /** A member. */
    @Actor
    public void first(II_Result result) {
        result.r1 = play(first, 0);
    }

    /** The other one. */
    @Actor
    public void second(II_Result result) {
        result.r2 = play(second, 1);
    }

    private static int play(Seat seat, int member) {
        int wrong = 0;
        for (int round = 1; round <= ROUNDS; round++) {
            long[] source = new long[PIECES];
            long[] target = new long[PIECES];
            Arrays.fill(source, 100L * round + member);
            Publication own = seat.own();
            own.source = source;
            own.target = target;
            seat.work(Sum.INSTANCE);
            for (long sum : target) {
                wrong += sum == 200L * round + 1 ? 0 : 1;
            }
        }
        return wrong;
    }

    /** Adds the sources of both to the targets of both, one element a piece. */
    private enum Sum implements Work {
        INSTANCE;

        @Override
        public int pieces(Seat seat) {
            return PIECES;
        }

        @Override
        public void run(Seat seat, int piece) {
            for (int to = 0; to < seat.size(); to++) {
                for (int from = 0; from < seat.size(); from++) {
                    long[] target = (long[]) seat.publication(to).target;
                    long[] source = (long[]) seat.publication(from).source;
                    if (target != null && source != null) {
                        target[piece] += source[piece];
                    }
                }
            }
        }
    }
}
