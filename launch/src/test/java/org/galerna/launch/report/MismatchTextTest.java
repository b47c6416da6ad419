package org.galerna.launch.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.galerna.link.Collective;
import org.junit.jupiter.api.Test;

class MismatchTextTest {
    private static final int WORLD = 1;
    private static final int ANOTHER = 5;

    private static Deadlock.Waiter in(int rank, Collective collective) {
        return new Deadlock.Waiter(rank, "main", collective.describe(), Deadlock.Waiter.ANYBODY, "", collective);
    }

    private static Collective call(int communicator, long number, String name, int root, long bytes) {
        return new Collective(communicator, number, name, root, bytes);
    }

    private static Collective after(Collective earlier, String name) {
        return new Collective(
                earlier.communicator(), earlier.number() + 1, name, Collective.NONE, Collective.NONE, List.of(earlier));
    }

    private static String of(Deadlock.Waiter... waiters) {
        return MismatchText.of(Arrays.asList(waiters)).orElse("");
    }

    private static final Collective BARRIER = call(WORLD, 3, "Barrier", Collective.NONE, Collective.NONE);
    private static final Collective BCAST = call(WORLD, 3, "Bcast", 0, 40);

    @Test
    void ranksInDifferentCallsAreNamed() {
        assertThat(of(in(0, BCAST), in(2, BARRIER)))
                .isEqualTo("rank 0 is in Bcast, rank 2 in Barrier; all ranks of a communicator have to call the same"
                        + " collectives in the same order");
        assertThat(of(in(0, BCAST), in(1, BARRIER), in(2, BARRIER)))
                .startsWith("rank 0 is in Bcast, ranks 1, 2 in Barrier; ");
    }

    @Test
    void rootsAndCountsThatDifferAreNamed() {
        assertThat(of(in(0, BCAST), in(1, call(WORLD, 3, "Bcast", 1, 40))))
                .isEqualTo("rank 0 is in Bcast with root 0, rank 1 in Bcast with root 1; all ranks have to call it with"
                        + " the same root");
        assertThat(of(in(0, BCAST), in(1, call(WORLD, 3, "Bcast", 0, 80))))
                .isEqualTo("rank 0 is in Bcast of 40 bytes, rank 1 in Bcast of 80 bytes; all ranks have to call it with"
                        + " matching counts");
    }

    /** A rank that has sent what it had to goes on, and waits elsewhere. */
    @Test
    void whatARankHasCalledBeforeCounts() {
        assertThat(of(in(0, after(BCAST, "Barrier")), in(1, call(WORLD, 3, "Bcast", 1, 40))))
                .startsWith("rank 0 has called Bcast with root 0, rank 1 Bcast with root 1; ");
    }

    @Test
    void anEarlierDifferenceIsTheMistake() {
        Collective empty = call(WORLD, 2, "Bcast", 0, 0);
        Collective barrier = call(WORLD, 2, "Barrier", Collective.NONE, Collective.NONE);
        assertThat(of(in(0, after(empty, "Barrier")), in(1, after(barrier, "Barrier"))))
                .startsWith("rank 0 has called Bcast, rank 1 Barrier; all ranks of a communicator ");
    }

    @Test
    void aCallThatBlocksIsNotTheSameAsOneThatDoesNot() {
        assertThat(of(in(0, after(BCAST, "Barrier")), in(1, call(WORLD, 3, "Ibcast", 0, 40))))
                .isEqualTo(
                        "rank 0 has called Bcast, rank 1 Ibcast; one of them blocks and the other does not, so all ranks"
                                + " have to call the same one");
    }

    @Test
    void whereSomeDifferInTheRootTheOthersAreNamedByTheirs() {
        assertThat(of(in(0, BCAST), in(1, BCAST), in(2, call(WORLD, 3, "Bcast", 1, 40))))
                .startsWith("ranks 0, 1 are in Bcast with root 0, rank 2 in Bcast with root 1; ");
    }

    @Test
    void ranksThatAreNotEquallyFarDoNotContradictEachOther() {
        assertThat(of(in(0, BCAST), in(1, after(BCAST, "Barrier")))).isEmpty();
        assertThat(of(in(0, BCAST), in(1, call(ANOTHER, 3, "Barrier", Collective.NONE, Collective.NONE))))
                .isEmpty();
        assertThat(of(in(0, BCAST), new Deadlock.Waiter(1, "main", "receive", 0, "")))
                .isEmpty();
    }
}
