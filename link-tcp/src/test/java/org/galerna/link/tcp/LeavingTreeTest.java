package org.galerna.link.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.galerna.link.tcp.handshake.Hello;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that leave in any order, and whose calls take any time. */
final class LeavingTreeTest {
    private static final long SEED = Long.getLong("galerna.test.seed", 20_261_129);
    private static final int TRIALS = 50;

    private record Call(int from, int to, int purpose) {}

    private final Random random = new Random(SEED);
    private final List<Call> underWay = new ArrayList<>();
    private final BitSet know = new BitSet();
    private int calls;

    @BeforeEach
    void tellSeed() {
        System.out.println("LeavingTreeTest: seed " + SEED);
    }

    private List<LeavingTree> trees(int size) {
        return IntStream.range(0, size)
                .mapToObj(rank -> new LeavingTree(
                        rank,
                        size,
                        (peer, purpose) -> {
                            calls++;
                            underWay.add(new Call(rank, peer, purpose));
                        },
                        staying -> {
                            assertThat(staying.isEmpty()).isTrue();
                            know.set(rank);
                        }))
                .toList();
    }

    /** Those that leave do, and calls arrive, one at a time; calls to a rank that is dead come to nothing. */
    private void run(List<LeavingTree> trees, List<Integer> leaving, int dead) {
        List<Integer> still = new ArrayList<>(leaving);
        Collections.shuffle(still, random);
        while (!still.isEmpty() || !underWay.isEmpty()) {
            if (underWay.isEmpty() || (!still.isEmpty() && random.nextBoolean())) {
                assertThat(trees.get(still.removeLast()).leave()).isTrue();
            } else {
                Call call = underWay.remove(random.nextInt(underWay.size()));
                if (call.to != dead) {
                    trees.get(call.to).hear(new Hello(call.purpose, 0, call.from, call.to, trees.size(), 0));
                }
                trees.get(call.from).told(call.purpose);
            }
        }
    }

    private void again() {
        know.clear();
        calls = 0;
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 10, 21, 22, 64, 100, 1000})
    void allHearThatAllLeaveInTwoCallsForEach(int size) {
        for (int trial = 0; trial < TRIALS; trial++) {
            List<LeavingTree> trees = trees(size);
            run(trees, IntStream.range(0, size).boxed().toList(), -1);
            assertThat(know.cardinality()).isEqualTo(size);
            assertThat(calls).isEqualTo(2 * (size - 1));
            assertThat(trees).noneMatch(LeavingTree::isBusy);
            again();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {9, 22, 64})
    void nobodyIsToldSoWhileOneStays(int size) {
        for (int staying = 0; staying < size; staying++) {
            int stays = staying;
            List<LeavingTree> trees = trees(size);
            run(
                    trees,
                    IntStream.range(0, size)
                            .filter(rank -> rank != stays)
                            .boxed()
                            .toList(),
                    staying);
            assertThat(know.isEmpty()).isTrue();
            assertThat(calls).isLessThan(size);
            assertThat(trees).noneMatch(LeavingTree::isBusy);
            again();
        }
    }

    /** One dies that has said that it leaves: those below it do not hear the others any more, and nobody waits for them. */
    @ParameterizedTest
    @ValueSource(ints = {9, 22, 64})
    void oneThatDiesKeepsNobodyBusy(int size) {
        for (int dying = 0; dying < size; dying++) {
            List<LeavingTree> trees = trees(size);
            int dead = dying;
            // its calls up have arrived, or it is the first one; those down to it come to nothing
            List<Integer> all = IntStream.range(0, size).boxed().toList();
            run(trees, all.stream().filter(rank -> rank != 0).toList(), -1);
            run(trees, List.of(0), dead);
            assertThat(know.get(dead)).isEqualTo(dead == 0);
            assertThat(trees).noneMatch(LeavingTree::isBusy);
            again();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 8})
    void fewRanksCallEachOther(int size) {
        for (LeavingTree tree : trees(size)) {
            assertThat(tree.leave()).isFalse();
        }
        assertThat(calls).isZero();
    }
}
