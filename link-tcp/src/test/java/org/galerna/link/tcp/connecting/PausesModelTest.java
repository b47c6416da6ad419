package org.galerna.link.tcp.connecting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.galerna.link.tcp.connecting.PausesModel.Bounds;
import org.galerna.link.tcp.connecting.PausesModel.Event;
import org.galerna.link.tcp.connecting.PausesModel.World;
import org.galerna.testkit.Seeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goes through everything that can happen to two ranks of the {@link PausesModel}.
 *
 * <p>Frames come in order, no wire is closed with anything unread in it, and whatever has happened, what was sent arrives
 * when nothing more happens but looks and answers.
 */
@Timeout(300)
class PausesModelTest {
    private static World replay(Bounds bounds, List<Event> events) {
        World world = new World(bounds);
        try {
            for (Event each : events) {
                world.happen(each);
            }
        } catch (IOException | AssertionError wrong) {
            throw new AssertionError("after " + events + ": " + wrong.getMessage(), wrong);
        }
        return world;
    }

    private static void check(Bounds bounds, List<Event> events) {
        try {
            replay(bounds, events).finish();
        } catch (IOException | AssertionError wrong) {
            throw new AssertionError("after " + events + ": " + wrong.getMessage(), wrong);
        }
    }

    /** Goes through all states within the bounds. Returns how many there are. */
    private static int explore(Bounds bounds) {
        Set<String> seen = new HashSet<>();
        Deque<List<Event>> open = new ArrayDeque<>();
        open.add(List.of());
        while (!open.isEmpty()) {
            List<Event> path = open.remove();
            for (Event each : replay(bounds, path).possible()) {
                List<Event> longer = new ArrayList<>(path);
                longer.add(each);
                if (seen.add(replay(bounds, longer).signature())) {
                    check(bounds, longer);
                    open.add(longer);
                }
            }
        }
        return seen.size();
    }

    @Test
    void whateverHappensBetweenTwoRanksThatPauseOnceEverythingArrives() {
        assertThat(explore(new Bounds(1, 1, 1))).isGreaterThan(100);
    }

    @Test
    @Tag("slow")
    void whateverHappensBetweenTwoRanksThatPauseAgainEverythingArrives() {
        assertThat(explore(new Bounds(2, 2, 1))).isGreaterThan(1000);
    }

    @Test
    void longWalksEndWithEverythingThere() {
        long seed = Seeds.next("PausesModelTest");
        Random random = new Random(seed);
        for (int walk = 0; walk < 300; walk++) {
            Bounds bounds = new Bounds(20, 20, 5);
            World world = new World(bounds);
            List<Event> path = new ArrayList<>();
            List<Event> possible = world.possible();
            while (!possible.isEmpty() && path.size() < 200) {
                Event next = possible.get(random.nextInt(possible.size()));
                path.add(next);
                try {
                    world.happen(next);
                } catch (IOException | AssertionError wrong) {
                    throw new AssertionError("seed " + seed + ", after " + path + ": " + wrong.getMessage(), wrong);
                }
                possible = world.possible();
            }
            check(bounds, path);
        }
    }
}
