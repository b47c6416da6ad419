package mpi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.galerna.harness.RankBody;
import org.galerna.harness.Ranks;
import org.junit.jupiter.api.Test;

/** Messages of one communicator meet none of another, whatever the communicators are and in whichever order they talk. */
class ContextsTest {
    private static final int RANKS = 6;
    private static final int ROUNDS = 15;

    /** Every way to a communicator, and what comes of its children. Ranks that get none have a null there. */
    private static List<Comm> communicators(int rank) {
        Intracomm world = MPI.COMM_WORLD;
        List<Comm> all = new ArrayList<>();
        all.add(world);
        all.add((Comm) world.clone());
        Intracomm half = world.Split(rank % 2, -rank);
        all.add(half);
        all.add((Comm) half.clone());
        all.add(world.Split(0, rank));
        all.add(world.Create(world.Group().Incl(new int[] {4, 1, 0})));
        Cartcomm grid = world.Create_cart(new int[] {2, 3}, new boolean[] {true, false}, false);
        all.add(grid);
        all.add(grid.Sub(new boolean[] {true, false}));
        all.add((Comm) grid.clone());
        int[] index = new int[RANKS];
        int[] edges = new int[RANKS];
        for (int node = 0; node < RANKS; node++) {
            index[node] = node + 1;
            edges[node] = (node + 1) % RANKS;
        }
        all.add(world.Create_graph(index, edges, false));
        Intercomm inter = world.Create_intercomm(half, 0, rank % 2 == 0 ? 5 : 4, 3);
        all.add(inter);
        all.add((Comm) inter.clone());
        all.add(inter.Merge(rank % 2 == 0));
        return all;
    }

    @Test
    void everyMessageIsReceivedByItsCommunicatorAlone() {
        long seed = System.nanoTime();
        Ranks.run(RANKS, (rank, size) -> {
            List<Comm> all = communicators(rank);
            assertThat(all.stream().filter(each -> each != null).map(Inside::context))
                    .as("seed " + seed)
                    .doesNotHaveDuplicates();
            Random random = new Random(seed + rank);
            List<Integer> order = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                for (int each = 0; each < all.size(); each++) {
                    if (all.get(each) != null) {
                        order.add(each);
                    }
                }
            }
            Collections.shuffle(order, random);
            // to the next rank of the communicator, or to the one opposite; each rank has one that does so to it
            List<Request> sends = new ArrayList<>();
            int[][] sent = new int[order.size()][];
            for (int i = 0; i < sent.length; i++) {
                int which = order.get(i);
                Comm comm = all.get(which);
                sent[i] = new int[] {which, rank};
                int to = (comm.Rank() + 1) % comm.Size();
                sends.add(comm.Isend(sent[i], 0, 2, MPI.INT, to, random.nextInt(3)));
            }
            Collections.shuffle(order, random);
            for (int which : order) {
                Comm comm = all.get(which);
                int[] data = {-1, -1};
                Status status = comm.Recv(data, 0, 2, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                int from = (comm.Rank() + comm.Size() - 1) % comm.Size();
                assertThat(status.source).as("seed " + seed).isEqualTo(from);
                Group senders = comm instanceof Intercomm across ? across.Remote_group() : comm.Group();
                int sender = Group.Translate_ranks(senders, new int[] {from}, MPI.COMM_WORLD.Group())[0];
                assertThat(data).as("seed " + seed).containsExactly(which, sender);
            }
            Request.Waitall(sends.toArray(Request[]::new));
            for (Comm comm : all) {
                if (comm != null) {
                    assertThat(comm.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
                }
            }
            MPI.COMM_WORLD.Barrier(); // who probes for anybody's message needs somebody who is there
        });
    }

    /** Runs ranks that have numbers for few communicators. */
    private static void withFewNumbers(int last, int ranks, RankBody body) {
        String property = "galerna.test.last.communicator";
        System.setProperty(property, String.valueOf(last));
        try {
            Ranks.run(ranks, body);
        } finally {
            System.clearProperty(property);
        }
    }

    @Test
    void contextsOfFreedCommunicatorsAreUsedAgain() {
        withFewNumbers(25, 4, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Random random = new Random(77); // the same on all ranks
            for (int round = 0; round < 60; round++) {
                Intracomm half = world.Split(rank % 2, rank);
                Comm comm = switch (random.nextInt(5)) {
                    case 0 -> (Comm) world.clone();
                    case 1 -> world.Split(rank == 3 ? MPI.UNDEFINED : 0, -rank);
                    case 2 -> world.Create(world.Group().Incl(new int[] {2, 0}));
                    case 3 -> world.Create_intercomm(half, 0, 1 - rank % 2, 3);
                    default -> world.Create_cart(new int[] {2, 2}, new boolean[] {true, true}, false);
                };
                if (comm instanceof Intercomm inter) {
                    Intracomm merged = inter.Merge(rank % 2 == 0);
                    sum(merged, round);
                    merged.Free();
                    inter.Free();
                } else if (comm != null) {
                    sum((Intracomm) comm, round);
                    comm.Free();
                }
                sum(half, round);
                half.Free();
            }
        });
    }

    /** All colors of a split agree about used contexts at once, some of them only after several attempts. */
    @Test
    void contextsOfPartsAreUsedAgain() {
        withFewNumbers(200, 12, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Random random = new Random(78); // the same on all ranks
            List<Intracomm> kept = new ArrayList<>();
            for (int round = 0; round < 150; round++) {
                int colors = 1 + random.nextInt(5);
                Intracomm part =
                        world.Split(rank % (colors + 1) == colors ? MPI.UNDEFINED : rank % (colors + 1), -rank);
                if (part != null) {
                    sum(part, round);
                    if (round % 7 == rank % 7 && kept.size() < 3) {
                        kept.add(part); // on some ranks only, so that the others propose what is in use here
                    } else {
                        part.Free();
                    }
                }
            }
            world.Barrier();
        });
    }

    private static void sum(Intracomm comm, int round) {
        int[] sum = new int[1];
        comm.Allreduce(new int[] {round}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
        assertThat(sum[0]).isEqualTo(round * comm.Size());
        assertThat(comm.Sendrecv(
                                new int[] {comm.Rank()},
                                0,
                                1,
                                MPI.INT,
                                (comm.Rank() + 1) % comm.Size(),
                                round,
                                sum,
                                0,
                                1,
                                MPI.INT,
                                MPI.ANY_SOURCE,
                                MPI.ANY_TAG)
                        .tag)
                .isEqualTo(round);
    }

    /** A message that nobody has received would meet the receives of the next communicator with that context. */
    @Test
    void contextsWithSomethingLeftInThemAreNotUsedAgain() {
        withFewNumbers(11, 2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            Intracomm dirty = (Intracomm) world.clone();
            dirty.Isend(new int[] {42}, 0, 1, MPI.INT, 1 - rank, 5);
            Intracomm posted = (Intracomm) world.clone();
            int[] never = {-1};
            posted.Irecv(never, 0, 1, MPI.INT, 1 - rank, MPI.ANY_TAG);
            world.Barrier();
            dirty.Free();
            posted.Free();
            for (int round = 0; round < 40; round++) {
                Intracomm copy = (Intracomm) world.clone();
                assertThat(copy.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
                sum(copy, round);
                copy.Free();
            }
            assertThat(never[0]).isEqualTo(-1);
            world.Barrier();
        });
    }

    @Test
    void whoHasNoContextsLeftIsTold() {
        withFewNumbers(9, 2, (rank, size) -> {
            Intracomm world = MPI.COMM_WORLD;
            List<Intracomm> all = new ArrayList<>();
            for (int each = 0; each < 4; each++) {
                all.add((Intracomm) world.clone());
            }
            assertThatThrownBy(world::clone)
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("no more numbers for a new communicator");
            assertThatThrownBy(() -> world.Split(0, 0))
                    .isInstanceOf(MPIException.class)
                    .hasMessageContaining("no more numbers for a new communicator");
            all.remove(2).Free();
            Intracomm again = world.Split(0, 0);
            sum(again, 3);
            all.forEach(each -> sum(each, 4));
            if (rank == 0) {
                again.Free(); // on this rank only
            }
            assertThatThrownBy(world::clone).isInstanceOf(MPIException.class);
            world.Barrier();
        });
    }

    @Test
    void communicatorsThatAreFreedLeaveNothingBehind() {
        Ranks.run(3, (rank, size) -> {
            int[] sum = new int[1];
            for (int round = 0; round < 100; round++) {
                Intracomm copy = (Intracomm) MPI.COMM_WORLD.clone();
                Request unmatched = copy.Irecv(new int[1], 0, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
                copy.Allreduce(new int[] {round}, 0, sum, 0, 1, MPI.INT, MPI.SUM);
                assertThat(sum[0]).isEqualTo(3 * round);
                unmatched.Cancel();
                assertThat(unmatched.Wait().Test_cancelled()).isTrue();
                copy.Free();
                assertThat(copy.Is_null()).isTrue();
            }
            assertThat(MPI.COMM_WORLD.Iprobe(MPI.ANY_SOURCE, MPI.ANY_TAG)).isNull();
            MPI.COMM_WORLD.Barrier();
        });
    }
}
