package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.galerna.device.ErrorClass;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

class CommunicatorsTest {
    @Test
    void messagesOfOneCommunicatorNeverMeetThoseOfAnother() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Intracomm copy = (Intracomm) world.clone();
            assertThat(Comm.Compare(world, copy)).isEqualTo(MPI.CONGRUENT);
            assertThat(Intracomm.Compare(world, world)).isEqualTo(MPI.IDENT);
            int[] data = {-1};
            if (rank == 0) {
                world.Send(new int[] {1}, 0, 1, MPI.INT, 1, 0);
                copy.Send(new int[] {2}, 0, 1, MPI.INT, 1, 0);
                Inside.send(copy, new int[] {3}, 0, 1, MPI.INT, 1, 0, false);
            } else {
                Inside.receive(copy, data, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG, false);
                assertThat(data[0]).isEqualTo(3);
                copy.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                assertThat(data[0]).isEqualTo(2);
                assertThat(copy.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
                world.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                assertThat(data[0]).isEqualTo(1);
            }
            Request posted = copy.Irecv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            copy.Barrier();
            copy.Allreduce(new int[] {1}, 0, new int[1], 0, 1, MPI.INT, MPI.SUM);
            assertThat(posted.Test()).isNull();
            posted.Cancel();
            posted.Wait();
            copy.Free();
            assertThat(copy.Is_null()).isTrue();
            assertThatThrownBy(() -> copy.Send(data, 0, 1, MPI.INT, 0, 0))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.COMM))
                    .hasMessageContaining("freed");
            assertThatThrownBy(copy::Barrier).isInstanceOf(MPIException.class);
            assertThatThrownBy(world::Free).isInstanceOf(MPIException.class).hasMessageContaining("predefined");
            world.Barrier();
        });
    }

    @Test
    void splitGroupsByColorAndOrdersByKey() {
        Ranks.run(7, (rank, size) -> {
            Intracomm part = MPI.COMM_WORLD.Split(rank % 3, -rank);
            int members = (size - rank % 3 + 2) / 3;
            assertThat(part.Size()).isEqualTo(members);
            assertThat(part.Rank()).isEqualTo(members - 1 - rank / 3);
            int[] order = new int[members];
            part.Allgather(new int[] {rank}, 0, 1, MPI.INT, order, 0, 1, MPI.INT);
            for (int i = 0; i < members; i++) {
                assertThat(order[i]).isEqualTo(rank % 3 + 3 * (members - 1 - i));
            }
            // ranks in statuses are those of the communicator
            int[] data = {-1};
            part.Send(new int[] {rank}, 0, 1, MPI.INT, (part.Rank() + 1) % members, 3);
            Status status = part.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, 3);
            assertThat(status.source).isEqualTo((part.Rank() + members - 1) % members);
            assertThat(data[0]).isEqualTo(order[status.source]);
            Request request = part.Irecv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, 4);
            part.Send(new int[] {rank}, 0, 1, MPI.INT, (part.Rank() + 1) % members, 4);
            assertThat(request.Wait().source).isEqualTo((part.Rank() + members - 1) % members);

            Intracomm some = MPI.COMM_WORLD.Split(rank == 2 ? MPI.UNDEFINED : 0, 0);
            assertThat(some == null).isEqualTo(rank == 2);
            if (some != null) {
                assertThat(some.Size()).isEqualTo(size - 1);
                assertThat(some.Rank()).isEqualTo(rank < 2 ? rank : rank - 1);
                some.Barrier();
            }
        });
    }

    /** Few ranks tell each other by messages, many of one heap by a common table. */
    @Test
    void splitsOfAllKindsAreAsTheirModel() {
        long seed = System.nanoTime();
        for (int ranks : new int[] {4, 13}) {
            Ranks.run(ranks, (rank, size) -> {
                Random random = new Random(seed); // the same on all ranks
                Intracomm parent = MPI.COMM_WORLD;
                int[] jobRanks = IntStream.range(0, size).toArray();
                for (int round = 0; round < 40; round++) {
                    int colors = 1 + random.nextInt(size);
                    int[] color = random.ints(jobRanks.length, -1, colors).toArray();
                    int[] key = random.ints(jobRanks.length, -3, 3).toArray();
                    int kind = random.nextInt(4);
                    for (int each = 0; each < color.length; each++) { // regular ones too
                        color[each] = kind == 0 ? each % colors : kind == 1 ? each / colors : color[each];
                        key[each] = kind == 0 ? -each : kind == 1 ? 0 : key[each];
                    }
                    int own = parent.Rank();
                    int[] order = IntStream.range(0, jobRanks.length)
                            .boxed()
                            .filter(each -> color[each] == color[own])
                            .sorted(Comparator.<Integer>comparingInt(each -> key[each])
                                    .thenComparingInt(each -> each))
                            .mapToInt(Integer::intValue)
                            .toArray();
                    Intracomm part = parent.Split(color[own] < 0 ? MPI.UNDEFINED : color[own], key[own]);
                    assertThat(part == null).as("seed " + seed).isEqualTo(color[own] < 0);
                    if (part == null) {
                        continue;
                    }
                    int[] expected =
                            IntStream.of(order).map(each -> jobRanks[each]).toArray();
                    int[] found = Group.Translate_ranks(
                            part.Group(), IntStream.range(0, part.Size()).toArray(), MPI.COMM_WORLD.Group());
                    assertThat(found).as("seed " + seed).containsExactly(expected);
                    assertThat(jobRanks[order[part.Rank()]]).as("seed " + seed).isEqualTo(rank);
                    int same = Group.Compare(part.Group(), parent.Group());
                    assertThat(same)
                            .as("seed " + seed)
                            .isEqualTo(
                                    Arrays.equals(expected, jobRanks)
                                            ? MPI.IDENT
                                            : expected.length == jobRanks.length ? MPI.SIMILAR : MPI.UNEQUAL);
                    int[] sum = new int[1];
                    part.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                    assertThat(sum[0])
                            .as("seed " + seed)
                            .isEqualTo(IntStream.of(expected).sum());
                    int next = (part.Rank() + 1) % part.Size();
                    int[] data = {rank};
                    Status status = part.Sendrecv_replace(data, 0, 1, MPI.INT, next, 1, MPI.ANY_SOURCE, 1);
                    assertThat(data[0]).as("seed " + seed).isEqualTo(expected[status.source]);
                    part.Free();
                }
                parent.Barrier();
            });
        }
    }

    @Test
    void createTakesTheRanksOfAGroupInItsOrder() {
        Ranks.run(5, (rank, size) -> {
            Group odd = MPI.COMM_WORLD.Group().Incl(new int[] {3, 1});
            Intracomm created = MPI.COMM_WORLD.Create(odd);
            if (rank % 2 == 1) {
                assertThat(created.Rank()).isEqualTo(rank == 3 ? 0 : 1);
                assertThat(Group.Compare(created.Group(), odd)).isEqualTo(MPI.IDENT);
                assertThat(Comm.Compare(created, MPI.COMM_WORLD)).isEqualTo(MPI.UNEQUAL);
                int[] sum = new int[1];
                created.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                assertThat(sum[0]).isEqualTo(4);
            } else {
                assertThat(created).isNull();
            }
            assertThat(MPI.COMM_WORLD.Create(MPI.GROUP_EMPTY)).isNull();
            Intracomm reversed =
                    MPI.COMM_WORLD.Creat(MPI.COMM_WORLD.Group().Range_incl(new int[][] {{size - 1, 0, -1}}));
            assertThat(Comm.Compare(reversed, MPI.COMM_WORLD)).isEqualTo(MPI.SIMILAR);
        });
    }

    @Test
    void manyCommunicatorsHaveDifferentContexts() {
        Ranks.run(4, (rank, size) -> {
            Set<Integer> contexts = new HashSet<>();
            Intracomm current = MPI.COMM_WORLD;
            for (int round = 0; round < 40; round++) {
                Intracomm next = round % 2 == 0 ? (Intracomm) current.clone() : current.Split(0, rank);
                assertThat(contexts.add(Inside.context(next))).isTrue();
                int[] all = new int[size];
                next.Allgather(new int[] {Inside.context(next)}, 0, 1, MPI.INT, all, 0, 1, MPI.INT);
                for (int other : all) {
                    assertThat(other).isEqualTo(all[0]);
                }
                current = next;
            }
        });
    }

    @Test
    void threadsMayUseCommunicatorsOfTheirOwnAtOnce() {
        Ranks.run(3, (rank, size) -> {
            int threads = 3;
            Intracomm[] own = new Intracomm[threads];
            for (int i = 0; i < threads; i++) {
                own[i] = (Intracomm) MPI.COMM_WORLD.clone();
            }
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int which = i;
                all.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int round = 0; round < 100; round++) {
                            Intracomm mine = round % 10 == 0 ? (Intracomm) own[which].clone() : own[which];
                            int[] sum = new int[1];
                            mine.Allreduce(new int[] {rank + round * which}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                            assertThat(sum[0]).isEqualTo(3 + 3 * round * which);
                            int[] token = {which};
                            mine.Sendrecv_replace(
                                    token, 0, 1, MPI.INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0);
                            assertThat(token[0]).isEqualTo(which);
                        }
                    } catch (Throwable failure) {
                        failures.add(failure);
                    }
                }));
            }
            for (Thread thread : all) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        });
    }

    @Test
    void selfHasOneRank() {
        Ranks.run(2, (rank, size) -> {
            assertThat(MPI.COMM_SELF.Size()).isEqualTo(1);
            assertThat(MPI.COMM_SELF.Rank()).isZero();
            int[] data = new int[1];
            Request request = MPI.COMM_SELF.Irecv(data, 0, 1, MPI.INT, 0, 0);
            MPI.COMM_SELF.Send(new int[] {rank + 5}, 0, 1, MPI.INT, 0, 0);
            request.Wait();
            assertThat(data[0]).isEqualTo(rank + 5);
            ((Intracomm) MPI.COMM_SELF).Barrier();
            assertThat(MPI.COMM_NULL.Is_null()).isTrue();
            assertThatThrownBy(() -> MPI.COMM_NULL.Rank())
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("MPI.COMM_NULL");
        });
    }

    @Test
    void attributesHaveRealValues() {
        Ranks.run(2, (rank, size) -> {
            assertThat(MPI.COMM_WORLD.Attr_get(MPI.TAG_UB)).isEqualTo(Integer.MAX_VALUE);
            assertThat(MPI.COMM_WORLD.Attr_get(MPI.HOST)).isEqualTo(MPI.PROC_NULL);
            assertThat(MPI.COMM_WORLD.Attr_get(MPI.IO)).isEqualTo(rank);
            assertThat(MPI.COMM_WORLD.Attr_get(77)).isNull();
            MPI.COMM_WORLD.Attr_put(77, 5);
            assertThat(MPI.COMM_WORLD.Attr_get(77)).isEqualTo(5);
            MPI.COMM_WORLD.Attr_delete(77);
            assertThat(MPI.COMM_WORLD.Attr_get(77)).isNull();
            assertThatThrownBy(() -> MPI.COMM_WORLD.Attr_put(MPI.TAG_UB, 5)).isInstanceOf(MPIException.class);
            // threads of one host have one clock
            assertThat(MPI.COMM_WORLD.Attr_get(MPI.WTIME_IS_GLOBAL)).isEqualTo(1);
            double[] times = new double[size];
            MPI.COMM_WORLD.Allgather(new double[] {MPI.Wtime()}, 0, 1, MPI.DOUBLE, times, 0, 1, MPI.DOUBLE);
            assertThat(MPI.Wtime()).isGreaterThanOrEqualTo(Math.max(times[0], times[1]));
            int[] data = new int[1];
            MPI.COMM_WORLD.Sendrecv(
                    data,
                    0,
                    1,
                    MPI.INT,
                    1 - rank,
                    Integer.MAX_VALUE,
                    data.clone(),
                    0,
                    1,
                    MPI.INT,
                    1 - rank,
                    Integer.MAX_VALUE);
        });
    }

    @Test
    void attributesWithKeysThatSaySoGoToDuplicates() {
        Ranks.run(2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            int inherited = MPI.Keyval_create(true);
            int own = MPI.Keyval_create(false);
            assertThat(own).isNotEqualTo(inherited);
            Object value = new Object();
            world.Attr_put(inherited, value);
            world.Attr_put(own, "text");
            world.Attr_put(99, 3);
            Intracomm copy = (Intracomm) world.clone();
            assertThat(copy.Attr_get(inherited)).isSameAs(value);
            assertThat(copy.Attr_get(own)).isNull();
            assertThat(copy.Attr_get(99)).isNull();
            copy.Attr_delete(inherited);
            assertThat(world.Attr_get(inherited)).isSameAs(value);
            assertThat(world.Split(0, rank).Attr_get(inherited)).isNull();
            assertThatThrownBy(() -> world.Attr_put(own, null)).isInstanceOf(MPIException.class);
            MPI.Keyval_free(own);
            assertThat(world.Attr_get(own)).isEqualTo("text");
            assertThatThrownBy(() -> world.Attr_put(own, 5)).isInstanceOf(MPIException.class);
            assertThatThrownBy(() -> MPI.Keyval_free(own)).isInstanceOf(MPIException.class);
            world.Attr_delete(inherited);
        });
    }

    @Test
    void gridsKnowTheirCoordinatesAndNeighbours() {
        Ranks.run(7, (rank, size) -> {
            Cartcomm grid = MPI.COMM_WORLD.Create_cart(new int[] {2, 3}, new boolean[] {false, true}, true);
            assertThat(grid == null).isEqualTo(rank == 6);
            if (grid == null) {
                return;
            }
            assertThat(grid.Topo_test()).isEqualTo(MPI.CART);
            assertThat(MPI.COMM_WORLD.Topo_test()).isEqualTo(MPI.UNDEFINED);
            assertThat(grid.Rank()).isEqualTo(rank);
            int row = rank / 3;
            int column = rank % 3;
            CartParms parms = grid.Get();
            assertThat(parms.dims).containsExactly(2, 3);
            assertThat(parms.periods).containsExactly(false, true);
            assertThat(parms.coords).containsExactly(row, column);
            assertThat(grid.Coords(4)).containsExactly(1, 1);
            assertThat(grid.Rank(new int[] {1, -1})).isEqualTo(5);
            assertThatThrownBy(() -> grid.Rank(new int[] {2, 0})).isInstanceOf(MPIException.class);
            assertThatThrownBy(() -> grid.Coords(6)).isInstanceOf(MPIException.class);
            ShiftParms down = grid.Shift(0, 1);
            assertThat(down.rank_dest).isEqualTo(row == 0 ? rank + 3 : MPI.PROC_NULL);
            assertThat(down.rank_source).isEqualTo(row == 0 ? MPI.PROC_NULL : rank - 3);
            ShiftParms around = grid.Shift(1, -1);
            assertThat(around.rank_dest).isEqualTo(row * 3 + (column + 2) % 3);
            assertThat(around.rank_source).isEqualTo(row * 3 + (column + 1) % 3);
            assertThat(grid.Map(new int[] {2, 2}, new boolean[2])).isEqualTo(rank < 4 ? rank : MPI.UNDEFINED);
            int[] data = {rank};
            grid.Sendrecv_replace(data, 0, 1, MPI.INT, around.rank_dest, 0, around.rank_source, 0);
            assertThat(data[0]).isEqualTo(around.rank_source);

            Cartcomm line = grid.Sub(new boolean[] {false, true});
            assertThat(line.Size()).isEqualTo(3);
            assertThat(line.Rank()).isEqualTo(column);
            assertThat(line.Get().dims).containsExactly(3);
            assertThat(line.Get().periods).containsExactly(true);
            int[] sum = new int[1];
            line.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(row == 0 ? 3 : 12);
            Cartcomm copy = (Cartcomm) grid.clone();
            assertThat(copy.Get().coords).containsExactly(row, column);
            assertThat(Comm.Compare(copy, grid)).isEqualTo(MPI.CONGRUENT);
        });
    }

    @Test
    void graphsKnowTheirNeighbours() {
        Ranks.run(5, (rank, size) -> {
            int[] index = {2, 3, 4, 6};
            int[] edges = {1, 3, 0, 3, 0, 2};
            Graphcomm graph = MPI.COMM_WORLD.Create_graph(index, edges, false);
            assertThat(graph == null).isEqualTo(rank == 4);
            if (graph == null) {
                return;
            }
            assertThat(graph.Topo_test()).isEqualTo(MPI.GRAPH);
            assertThat(graph.Neighbours(0)).containsExactly(1, 3);
            assertThat(graph.Neighbours(3)).containsExactly(0, 2);
            assertThat(graph.Get().index).isEqualTo(index);
            assertThat(graph.Get().edges).isEqualTo(edges);
            assertThat(graph.Map(new int[] {1, 2}, new int[] {1, 0})).isEqualTo(rank < 2 ? rank : MPI.UNDEFINED);
            assertThat(((Graphcomm) graph.clone()).Neighbours(1)).containsExactly(0);
            assertThatThrownBy(() -> graph.Neighbours(4)).isInstanceOf(MPIException.class);
            assertThatThrownBy(() -> graph.Create_graph(new int[] {1}, new int[] {5}, false))
                    .isInstanceOfSatisfying(
                            MPIException.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TOPOLOGY));
        });
    }

    @Test
    void twoGroupsAreConnectedAndMerged() {
        Ranks.run(5, (rank, size) -> {
            boolean low = rank < 2;
            Intracomm own = MPI.COMM_WORLD.Split(low ? 0 : 1, rank);
            // leaders: rank 1 of the low group (1 in the world), rank 0 of the high one (2 in the world)
            Intercomm inter = MPI.COMM_WORLD.Create_intercomm(own, low ? 1 : 0, low ? 2 : 1, 9);
            assertThat(inter.Test_inter()).isTrue();
            assertThat(own.Test_inter()).isFalse();
            assertThat(inter.Size()).isEqualTo(low ? 2 : 3);
            assertThat(inter.Rank()).isEqualTo(low ? rank : rank - 2);
            assertThat(inter.Remote_size()).isEqualTo(low ? 3 : 2);
            assertThat(Group.Translate_ranks(inter.Remote_group(), new int[] {0, 1}, MPI.COMM_WORLD.Group()))
                    .containsExactly(low ? 2 : 0, low ? 3 : 1);
            int[] data = new int[1];
            if (rank == 0) {
                inter.Send(new int[] {11}, 0, 1, MPI.INT, 2, 3);
                assertThat(inter.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, 3).source)
                        .isEqualTo(2);
                assertThat(data[0]).isEqualTo(12);
            } else if (rank == 4) {
                assertThat(inter.Recv(data, 0, 1, MPI.INT, MPI.ANY_SOURCE, 3).source)
                        .isZero();
                inter.Send(new int[] {data[0] + 1}, 0, 1, MPI.INT, 0, 3);
            }
            Intercomm copy = (Intercomm) inter.clone();
            assertThat(Comm.Compare(copy, inter)).isEqualTo(MPI.CONGRUENT);
            assertThat(Comm.Compare(own, inter)).isEqualTo(MPI.UNEQUAL);
            Intracomm lowFirst = copy.Merge(!low);
            assertThat(lowFirst.Rank()).isEqualTo(rank);
            Intracomm highFirst = inter.Merge(low);
            assertThat(highFirst.Rank()).isEqualTo(low ? rank + 3 : rank - 2);
            assertThat(inter.Merge(true).Rank()).isEqualTo(rank);
            int[] sum = new int[1];
            highFirst.Allreduce(new int[] {rank}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
            assertThat(sum[0]).isEqualTo(10);
        });
    }
}
