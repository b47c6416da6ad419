package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.galerna.launch.watch.DeadlockModel.Bounds;
import org.galerna.launch.watch.DeadlockModel.Event;
import org.galerna.launch.watch.DeadlockModel.Outsider;
import org.galerna.launch.watch.DeadlockModel.World;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goes through everything that can happen to a few ranks of the {@link DeadlockModel}.
 *
 * <p>Nothing is reported as long as a rank can move; what cannot move is reported in the end.
 */
@Timeout(300)
class DeadlockModelTest {
    private static final int WALKS = 500;

    /** By then everything that was to come has come, as far as chance goes. */
    private static final int LONGEST_WALK = 2_000;

    @ParameterizedTest
    @CsvSource("2, 1, 0, NONE")
    void twoRanksAreReportedIfAndOnlyIfNoneCanMove(int ranks, int deeds, int kills, Outsider outsider) {
        check(new Bounds(ranks, deeds, kills, outsider), 1_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"2, 1, 1, NONE", "2, 2, 0, NONE", "2, 1, 0, DOUBT", "2, 1, 0, THREAD"})
    void moreDeedsAreReportedIfAndOnlyIfNoneCanMove(int ranks, int deeds, int kills, Outsider outsider) {
        check(new Bounds(ranks, deeds, kills, outsider), 10_000);
    }

    @Tag("slow")
    @ParameterizedTest
    @CsvSource({"3, 2, 0, NONE", "3, 3, 1, NONE", "4, 2, 1, DOUBT", "4, 2, 1, THREAD"})
    void manyRanksAreReportedOnManyWays(int ranks, int deeds, int kills, Outsider outsider) {
        walk(10 * WALKS, new Bounds(ranks, deeds, kills, outsider));
    }

    /** Too much to go through: some ways, drawn by lot, each to its end. */
    @ParameterizedTest
    @CsvSource({"3, 2, 0, NONE", "3, 3, 1, NONE", "4, 2, 1, DOUBT", "4, 2, 1, THREAD"})
    void manyRanksAreReportedIfAndOnlyIfNoneCanMove(int ranks, int deeds, int kills, Outsider outsider) {
        walk(WALKS, new Bounds(ranks, deeds, kills, outsider));
    }

    private static void walk(int walks, Bounds bounds) {
        long seed = RandomGenerator.getDefault().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        int reports = 0;
        for (int walk = 0; walk < walks; walk++) {
            World world = new World(bounds);
            List<Event> history = new ArrayList<>();
            List<Event> possible = world.possible();
            while (!possible.isEmpty() && !world.reported && history.size() < LONGEST_WALK) {
                Event event = possible.get(random.nextInt(possible.size()));
                world.happen(event);
                history.add(event);
                possible = world.possible();
            }
            if (world.reported) {
                reports++;
                assertThat(world.wasStuck)
                        .as(() -> "reported although a rank can move: " + history)
                        .isTrue();
            } else {
                assertThat(world.isStuck()).as(() -> "not reported: " + history).isFalse();
            }
        }
        System.out.println(reports + " of " + walks + " reported");
        assertThat(reports).isPositive();
    }

    /** A moment and what has led to it. */
    private record Moment(
            World world, @Nullable Moment before, @Nullable Event event) {
        List<Event> history() {
            List<Event> events = new ArrayList<>();
            for (Moment each = this; each != null && each.event != null; each = each.before) {
                events.addFirst(each.event);
            }
            return events;
        }
    }

    private static void check(Bounds bounds, int least) {
        Set<String> seen = new HashSet<>();
        Deque<Moment> open = new ArrayDeque<>();
        Moment first = new Moment(new World(bounds), null, null);
        open.add(first);
        seen.add(first.world.fingerprint());
        int reports = 0;
        int ends = 0;
        while (!open.isEmpty()) {
            Moment here = open.removeLast();
            String fingerprint = here.world.fingerprint();
            boolean anything = false;
            for (Event event : here.world.possible()) {
                Moment next = new Moment(new World(here.world), here, event);
                next.world.happen(event);
                if (next.world.reported) {
                    reports++;
                    anything = true;
                    assertThat(next.world.wasStuck)
                            .as(() -> "reported although a rank can move: " + next.history())
                            .isTrue();
                    continue;
                }
                String after = next.world.fingerprint();
                anything |= !after.equals(fingerprint);
                if (seen.add(after)) {
                    open.add(next);
                }
            }
            if (!anything) {
                ends++;
                assertThat(here.world.isStuck())
                        .as(() -> "not reported: " + here.history())
                        .isFalse();
            }
        }
        System.out.println(
                bounds + ": " + seen.size() + " states, " + reports + " reports, " + ends + " ends in order");
        assertThat(seen).hasSizeGreaterThan(least);
        assertThat(reports > 0).isEqualTo(bounds.deeds() > 1 || bounds.outsider() == Outsider.NONE);
        assertThat(ends).isPositive();
    }
}
