package org.galerna.mpi.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.galerna.device.DeviceException;
import org.galerna.device.RankList;
import org.junit.jupiter.api.Test;

/** The algebra of groups beside one of lists. */
class GroupTest {
    private static final int JOB = 96;
    private static final int ROUNDS = 1000;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    /** Groups as programs have them: regular ones, parts of them, and others. */
    private List<Integer> someRanks() {
        List<Integer> ranks = new ArrayList<>();
        int stride = random.nextBoolean() ? 1 : 1 + random.nextInt(7);
        for (int rank = random.nextInt(JOB / 2); rank < JOB; rank += stride) {
            ranks.add(rank);
        }
        if (random.nextBoolean()) {
            ranks = new ArrayList<>(ranks.subList(0, random.nextInt(ranks.size() + 1)));
        }
        switch (random.nextInt(5)) {
            case 0 -> Collections.reverse(ranks);
            case 1 -> Collections.shuffle(ranks, random);
            case 2 -> ranks.removeIf(_ -> random.nextInt(5) == 0);
            default -> {}
        }
        return ranks;
    }

    private static int[] array(List<Integer> ranks) {
        return ranks.stream().mapToInt(Integer::intValue).toArray();
    }

    private static Group group(List<Integer> ranks) {
        return new Group(RankList.of(array(ranks)), 5);
    }

    private void check(Group found, List<Integer> expected) {
        assertThat(found.members().toArray()).as("seed " + seed).containsExactly(array(expected));
        assertThat(found.size()).as("seed " + seed).isEqualTo(expected.size());
        assertThat(found.rank()).as("seed " + seed).isEqualTo(expected.indexOf(5));
    }

    @Test
    void unitesIntersectsAndSubtracts() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> one = someRanks();
            List<Integer> other = someRanks();
            List<Integer> union = new ArrayList<>(one);
            other.stream().filter(rank -> !one.contains(rank)).forEach(union::add);
            check(Group.union(group(one), group(other)), union);
            check(
                    Group.intersection(group(one), group(other)),
                    one.stream().filter(other::contains).toList());
            check(
                    Group.difference(group(one), group(other)),
                    one.stream().filter(rank -> !other.contains(rank)).toList());
            assertThat(group(one).containsAll(group(other))).as("seed " + seed).isEqualTo(one.containsAll(other));
        }
    }

    @Test
    void comparesAndTranslates() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> one = someRanks();
            List<Integer> other = new ArrayList<>(random.nextBoolean() ? one : someRanks());
            if (random.nextInt(3) == 0) {
                Collections.shuffle(other, random);
            }
            int expected = one.equals(other)
                    ? Group.IDENT
                    : new HashSet<>(one).equals(new HashSet<>(other)) ? Group.SIMILAR : Group.UNEQUAL;
            assertThat(Group.compare(group(one), group(other)))
                    .as(one + " and " + other + ", seed " + seed)
                    .isEqualTo(expected);
            int[] asked = IntStream.range(0, 10)
                    .map(_ -> one.isEmpty() || random.nextInt(5) == 0 ? Group.NULL_PROCESS : random.nextInt(one.size()))
                    .toArray();
            assertThat(Group.transRanks(group(one), asked, group(other)))
                    .as("seed " + seed)
                    .containsExactly(IntStream.of(asked)
                            .map(rank -> rank == Group.NULL_PROCESS ? rank : other.indexOf(one.get(rank)))
                            .toArray());
            for (int rank = -1; rank <= JOB; rank++) {
                assertThat(group(one).rankOf(rank)).as("seed " + seed).isEqualTo(one.indexOf(rank));
            }
        }
    }

    @Test
    void includesAndExcludesRanksAndRanges() {
        for (int round = 0; round < ROUNDS; round++) {
            List<Integer> whole = someRanks();
            if (whole.isEmpty()) {
                continue;
            }
            List<Integer> places =
                    new ArrayList<>(IntStream.range(0, whole.size()).boxed().toList());
            Collections.shuffle(places, random);
            places = places.subList(0, random.nextInt(whole.size() + 1));
            check(
                    group(whole).incl(array(places)),
                    places.stream().map(whole::get).toList());
            List<Integer> left = new ArrayList<>(whole);
            left.removeAll(places.stream().map(whole::get).toList());
            check(group(whole).excl(array(places)), left);

            int first = random.nextInt(whole.size());
            int stride = 1 + random.nextInt(3);
            int last = random.nextInt(whole.size());
            int[][] ranges = {{first, last, first <= last ? stride : -stride}};
            List<Integer> inRange = new ArrayList<>();
            for (int at = first; first <= last ? at <= last : at >= last; at += ranges[0][2]) {
                inRange.add(whole.get(at));
            }
            check(group(whole).rangeIncl(ranges), inRange);
            List<Integer> outside = new ArrayList<>(whole);
            outside.removeAll(inRange);
            check(group(whole).rangeExcl(ranges), outside);
            check(group(whole).first(last), whole.subList(0, last));
        }
    }

    @Test
    void refusesWhatDoesNotExist() {
        Group group = group(List.of(3, 4, 5, 6));
        assertThatThrownBy(() -> group.incl(new int[] {4})).isInstanceOf(DeviceException.class);
        assertThatThrownBy(() -> group.incl(new int[] {-1})).isInstanceOf(DeviceException.class);
        assertThatThrownBy(() -> group.excl(new int[] {1, 1})).isInstanceOf(DeviceException.class);
        assertThatThrownBy(() -> group.rangeIncl(new int[][] {{0, 4, 1}})).isInstanceOf(DeviceException.class);
        assertThatThrownBy(() -> Group.transRanks(group, new int[] {4}, group)).isInstanceOf(DeviceException.class);
    }

    @Test
    void regularGroupsStayWithoutATable() {
        Group world = new Group(RankList.range(0, 100_000), 5);
        Group odd = world.rangeIncl(new int[][] {{1, 99_999, 2}});
        assertThat(odd.members()).isEqualTo(RankList.strided(1, 2, 50_000));
        assertThat(world.excl(new int[] {0}).members().isRegular()).isTrue();
        assertThat(Group.difference(world, odd).members().isRegular()).isTrue();
        assertThat(Group.union(world, odd).members().isRegular()).isTrue();
        assertThat(Group.intersection(world, odd).members().isRegular()).isTrue();
    }
}
