package org.galerna.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RankListTest {
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** Ranks as programs group them: in a row, at a distance, backwards, almost so, and anyhow. */
    private List<Integer> someRanks() {
        int size = random.nextInt(4) == 0 ? random.nextInt(4) : random.nextInt(200);
        int first = random.nextInt(300);
        int stride = 1 + random.nextInt(5);
        List<Integer> ranks = new ArrayList<>(IntStream.range(0, size)
                .map(index -> first + index * stride)
                .boxed()
                .toList());
        switch (random.nextInt(4)) {
            case 0 -> Collections.reverse(ranks);
            case 1 -> Collections.shuffle(ranks, random);
            case 2 -> {
                if (size > 1) {
                    Collections.swap(ranks, random.nextInt(size), random.nextInt(size));
                }
            }
            default -> {}
        }
        return ranks;
    }

    private static RankList of(List<Integer> ranks) {
        return RankList.of(ranks.stream().mapToInt(Integer::intValue).toArray());
    }

    @Test
    void isTheListThatItWasMadeOf() {
        for (int round = 0; round < 300; round++) {
            List<Integer> expected = someRanks();
            RankList list = of(expected);
            assertThat(list.size()).as("seed " + seed).isEqualTo(expected.size());
            assertThat(list.toArray())
                    .as("seed " + seed)
                    .containsExactly(
                            expected.stream().mapToInt(Integer::intValue).toArray());
            for (int index = 0; index < expected.size(); index++) {
                assertThat(list.get(index)).as("seed " + seed).isEqualTo(expected.get(index));
            }
            for (int rank = -3; rank < 1400; rank++) {
                assertThat(list.indexOf(rank)).as(rank + " in " + expected).isEqualTo(expected.indexOf(rank));
                assertThat(list.contains(rank)).isEqualTo(expected.contains(rank));
            }
            assertThat(list.toString()).isEqualTo(expected.toString());
        }
    }

    @Test
    void comparesAsListsDo() {
        for (int round = 0; round < 3000; round++) {
            List<Integer> one = someRanks();
            List<Integer> other = new ArrayList<>(random.nextBoolean() ? one : someRanks());
            if (random.nextInt(3) == 0) {
                Collections.shuffle(other, random);
            } else if (random.nextBoolean()) {
                other = new ArrayList<>(other.subList(0, other.size() / 2));
            }
            assertThat(of(one).equals(of(other))).as(one + " and " + other).isEqualTo(one.equals(other));
            assertThat(of(one).containsAll(of(other))).as(one + " and " + other).isEqualTo(one.containsAll(other));
            if (one.equals(other)) {
                assertThat(of(one)).hasSameHashCodeAs(of(other));
            }
        }
    }

    @Test
    void takesRanksAtPlaces() {
        for (int round = 0; round < 300; round++) {
            List<Integer> whole = someRanks();
            int size = whole.size();
            if (size == 0) {
                continue;
            }
            int step = 1 + random.nextInt(4);
            int from = random.nextInt(size);
            int count = random.nextInt((size - from + step - 1) / step + 1);
            int[] places =
                    IntStream.range(0, count).map(index -> from + index * step).toArray();
            List<Integer> expected = IntStream.of(places).mapToObj(whole::get).toList();
            assertThat(of(whole).slice(from, step, count)).as("seed " + seed).isEqualTo(of(expected));
            assertThat(of(whole).at(places)).as("seed " + seed).isEqualTo(of(expected));
        }
    }

    @Test
    void ranksAtOneDistanceNeedNoTable() {
        assertThat(RankList.range(0, 100_000).isRegular()).isTrue();
        assertThat(RankList.of(7, 4, 1).isRegular()).isTrue();
        assertThat(RankList.of(5).isRegular()).isTrue();
        assertThat(RankList.of().isRegular()).isTrue();
        assertThat(RankList.of(0, 1, 3).isRegular()).isFalse();
        assertThat(RankList.range(0, 64).slice(1, 2, 32)).isEqualTo(RankList.strided(1, 2, 32));
        assertThat(RankList.strided(9, -3, 1)).isEqualTo(RankList.of(9));
    }

    @Test
    void equalTablesAreOneInTheProcess() {
        int[] ranks =
                IntStream.range(0, RankList.SHARED).map(index -> index * index).toArray();
        RankList one = RankList.of(ranks);
        assertThat(RankList.of(ranks.clone())).isSameAs(one);
        ranks[0] = 1000;
        assertThat(one.get(0)).as("the caller's array is its own").isZero();
    }
}
