package org.galerna.collectives.team;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members at full speed, each on a thread of its own, on boards that are used for long and on new ones. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SeatStressTest {
    private static final long RUN_NANOS = TimeUnit.MILLISECONDS.toNanos(600);
    private static final int LONGEST = 100;
    private static final int PIECES = 3;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void valuesThatMembersShowAreReadWhole(int members) throws Exception {
        long seed = System.nanoTime();
        System.out.println("valuesThatMembersShowAreReadWhole, " + members + " members: repeat with seed " + seed);
        onAll(members, seed, (seat, member, random) -> show(seat, member, random, 500));
    }

    /** A short value lies in a slot, a long one in a page; all members draw the same roots and lengths. */
    private static void show(HeapMember seat, int member, Random random, int collectives) {
        for (int number = 1; number <= collectives; number++) {
            long[] value = new long[1 + random.nextInt(LONGEST)];
            int root = random.nextInt(seat.size());
            seat.begin();
            if (member == root) {
                Arrays.fill(value, number);
                seat.show(value, 0, (long) value.length * Long.BYTES);
            } else {
                seat.read(root, (long) value.length * Long.BYTES, value, 0);
            }
            seat.finish();
            assertThat(value).as("collective %s", number).containsOnly(number);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 8})
    void eachPieceOfARoundIsDoneOnce(int members) throws Exception {
        onAll(members, 0, (seat, member, random) -> work(seat, member, 300));
    }

    private static void work(HeapMember seat, int member, int rounds) {
        for (int round = 1; round <= rounds; round++) {
            long[] source = new long[PIECES];
            long[] target = new long[PIECES];
            Arrays.fill(source, 100L * round + member);
            Publication own = seat.own();
            own.source = source;
            own.target = target;
            seat.work(Sum.INSTANCE);
            long members = seat.size();
            assertThat(target).as("round %s", round).containsOnly(members * 100 * round + members * (members - 1) / 2);
        }
    }

    /** Adds the sources of all to the targets of all, one element a piece. */
    private enum Sum implements Work {
        INSTANCE;

        @Override
        public int pieces(HeapMember seat) {
            return PIECES;
        }

        @Override
        public void run(HeapMember seat, int piece) {
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

    private interface Part {
        void play(HeapMember seat, int member, Random random);
    }

    private static void onAll(int members, long seed, Part part) throws Exception {
        long end = System.nanoTime() + RUN_NANOS;
        try (ExecutorService threads = Executors.newFixedThreadPool(members)) {
            for (long board = 0; System.nanoTime() < end; board++) {
                Seats seats = new Seats();
                List<Callable<Boolean>> parts = new ArrayList<>();
                for (int member = 0; member < members; member++) {
                    int me = member;
                    HeapMember seat = seats.seat(member, members);
                    Random random = new Random(seed + board);
                    parts.add(() -> {
                        part.play(seat, me, random);
                        return true;
                    });
                }
                for (Future<Boolean> each : threads.invokeAll(parts)) {
                    assertThat(each.get()).isTrue();
                }
            }
        }
    }
}
