package org.galerna.launch.council;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.watch.OwnProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks that leave ask the process that decides which ones stay. One thread looks for all of them, one after the other. */
class CouncilTest {
    private static final int RANKS = 70; // more than may be strangers at once
    private static final byte[] KEY = new byte[32];

    private final List<Council> councils = new ArrayList<>();
    private final List<List<BitSet>> heard = new ArrayList<>();
    private final List<byte[]> places = new ArrayList<>();

    /** The process of one rank. */
    private final class Outside implements Council.Outside {
        @Override
        public byte[] key() {
            return KEY;
        }

        @Override
        public byte[] placeOf(int rank) {
            return places.get(rank);
        }

        @Override
        public void deadlocked(Deadlock deadlock) {
            throw new AssertionError(deadlock);
        }

        @Override
        public void failed(Outcome.FailedElsewhere failure) {
            throw new AssertionError(failure);
        }

        @Override
        public void doubtful(Duration lasting, List<String> doubts) {
            throw new AssertionError(doubts);
        }

        @Override
        public void over() {
            throw new AssertionError("nobody reports anything");
        }
    }

    @BeforeEach
    void meet() throws IOException {
        ThreadGroup none = new ThreadGroup("none");
        for (int rank = 0; rank < RANKS; rank++) {
            Council council =
                    new Council(new OwnProcess(rank, none, () -> null), RANKS, Duration.ofMinutes(5), new Outside());
            councils.add(council);
            heard.add(Collections.synchronizedList(new ArrayList<>()));
            places.add(council.place());
        }
    }

    private void leave(int rank, String name) {
        councils.get(rank).leaving().leave(name, heard.get(rank)::add);
    }

    /** A caller waits for the answer of the one that it calls, so that has a thread of its own. */
    private void talkUntil(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        List<Thread> threads = new ArrayList<>();
        for (List<Council> each : List.of(councils.subList(0, 1), councils.subList(1, RANKS))) {
            threads.add(Thread.ofPlatform().start(() -> {
                while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
                    each.forEach(Council::talk);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private boolean allHaveHeard(int from) {
        return heard.subList(from, RANKS).stream().noneMatch(List::isEmpty);
    }

    @Test
    void ranksThatLeaveHearWhenAllHaveLeft() throws InterruptedException {
        for (int rank = 0; rank < RANKS; rank++) {
            leave(rank, "a");
            leave(rank, "b");
        }
        talkUntil(() -> heard.stream().allMatch(each -> each.size() == 2));
        assertThat(heard).allSatisfy(each -> assertThat(each).containsExactly(new BitSet(), new BitSet()));
        assertThat(councils.get(0).isTalking()).isTrue(); // others may follow
    }

    @Test
    void aRankThatAsksHearsWhichOnesStay() throws InterruptedException {
        for (int rank = 1; rank < RANKS; rank++) {
            leave(rank, "a");
            councils.get(rank).leaving().ask("a");
        }
        talkUntil(() -> allHaveHeard(1));
        councils.get(RANKS - 1).leaving().ask("a");
        int before = heard.get(RANKS - 1).size();
        talkUntil(() -> heard.get(RANKS - 1).size() > before);
        assertThat(heard.get(0)).isEmpty();
        assertThat(heard.get(1).getFirst().get(0)).isTrue();
        assertThat(heard.get(RANKS - 1).getLast()).isEqualTo(BitSet.valueOf(new long[] {1}));
    }
}
