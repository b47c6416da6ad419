package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.galerna.device.ErrorClass;
import org.junit.jupiter.api.Test;

class GroupTest {
    private static Group group(int... members) {
        return new Group(new mpjdev.Group(members, 5));
    }

    private static int[] members(Group group) {
        return group.mpjdevGroup.members();
    }

    @Test
    void knowsItsSizeAndRank() {
        assertThat(group(3, 5, 1).Size()).isEqualTo(3);
        assertThat(group(3, 5, 1).Rank()).isEqualTo(1);
        assertThat(group(3, 1).Rank()).isEqualTo(MPI.UNDEFINED);
        assertThat(MPI.GROUP_EMPTY.Size()).isZero();
        assertThat(MPI.GROUP_EMPTY.code).isEqualTo(Group.EMPTY);
        assertThat(Group.EMPTY).isEqualTo(3);
    }

    @Test
    void unitesIntersectsAndSubtractsInTheOrderOfTheFirst() {
        Group first = group(7, 5, 3, 1);
        Group second = group(1, 2, 3, 4);
        assertThat(members(Group.Union(first, second))).containsExactly(7, 5, 3, 1, 2, 4);
        assertThat(members(Group.Intersection(first, second))).containsExactly(3, 1);
        assertThat(members(Group.Difference(first, second))).containsExactly(7, 5);
        assertThat(members(Group.Difference(first, first))).isEmpty();
        assertThat(Group.Union(first, second).Rank()).isEqualTo(1);
        assertThat(members(Group.Union(MPI.GROUP_EMPTY, second))).containsExactly(1, 2, 3, 4);
        assertThat(Group.Union(MPI.GROUP_EMPTY, first).Rank()).isEqualTo(1);
    }

    @Test
    void includesAndExcludesRanksAndRanges() {
        Group group = group(10, 11, 12, 13, 14, 15, 16, 17, 18, 19);
        assertThat(members(group.Incl(new int[] {9, 0, 4}))).containsExactly(19, 10, 14);
        assertThat(members(group.Excl(new int[] {9, 0, 4}))).containsExactly(11, 12, 13, 15, 16, 17, 18);
        assertThat(members(group.Range_incl(new int[][] {{0, 5, 2}, {9, 7, -1}})))
                .containsExactly(10, 12, 14, 19, 18, 17);
        assertThat(members(group.Range_excl(new int[][] {{1, 8, 1}}))).containsExactly(10, 19);
        assertThat(members(group.Range_incl(new int[][] {{5, 4, 1}}))).isEmpty();
    }

    @Test
    void noGroupHasNothing() {
        assertThatThrownBy(() -> MPI.GROUP_NULL.Size())
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("GROUP_NULL");
        assertThatThrownBy(() -> MPI.GROUP_NULL.Rank()).isInstanceOf(MPIException.class);
        assertThatThrownBy(() -> MPI.GROUP_NULL.Incl(new int[0])).isInstanceOf(MPIException.class);
        assertThatThrownBy(() -> Group.Union(MPI.GROUP_EMPTY, MPI.GROUP_NULL)).isInstanceOf(MPIException.class);
    }

    @Test
    void translatesRanks() {
        assertThat(Group.Translate_ranks(group(4, 5, 6), new int[] {2, 0}, group(6, 5)))
                .containsExactly(0, MPI.UNDEFINED);
        assertThat(Group.Translate_ranks(group(4, 5, 6), new int[] {MPI.PROC_NULL, 1}, group(6, 5)))
                .containsExactly(MPI.PROC_NULL, 1);
        assertThat(Group.Translate_ranks(MPI.GROUP_EMPTY, new int[] {MPI.PROC_NULL}, MPI.GROUP_EMPTY))
                .containsExactly(MPI.PROC_NULL);
    }

    @Test
    void comparesMembersAndOrder() {
        assertThat(Group.Compare(group(1, 2), group(1, 2))).isEqualTo(MPI.IDENT);
        assertThat(Group.Compare(group(1, 2), group(2, 1))).isEqualTo(MPI.SIMILAR);
        assertThat(Group.Compare(group(1, 2), group(1, 3))).isEqualTo(MPI.UNEQUAL);
        assertThat(Group.Compare(group(1, 2), group(1))).isEqualTo(MPI.UNEQUAL);
        assertThat(MPI.IDENT).isZero();
        assertThat(MPI.SIMILAR).isEqualTo(1);
        assertThat(MPI.UNEQUAL).isEqualTo(2);
        assertThat(MPI.CONGRUENT).isEqualTo(3);
    }

    @Test
    void refusesRanksThatDoNotExistAndRanksGivenTwice() {
        assertThatThrownBy(() -> group(1, 2).Incl(new int[] {2}))
                .isInstanceOfSatisfying(
                        MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.RANK))
                .hasMessageContaining("Group.Incl")
                .hasMessageContaining("0 to 1");
        assertThatThrownBy(() -> group(1, 2).Excl(new int[] {0, 0}))
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> group(1, 2).Range_incl(new int[][] {{0, 1, 0}}))
                .isInstanceOf(MPIException.class)
                .hasMessageContaining("stride");
        assertThatThrownBy(() -> Group.Union(MPI.GROUP_NULL, group(1)))
                .isInstanceOfSatisfying(
                        MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.GROUP));
        assertThatThrownBy(() -> Group.Union(null, group(1))).isInstanceOf(MPIException.class);
    }
}
