package org.galerna.launch.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.galerna.launch.report.Deadlock.Waiter;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.junit.jupiter.api.Test;

class DeadlockDecisionTest {
    private final DeadlockDecision decision = new DeadlockDecision(List.of(0, 1));

    private void say(int process, long epoch, String... doubts) {
        sayInRound(decision.question().round(), process, epoch, doubts);
    }

    private void sayInRound(long round, int process, long epoch, String... doubts) {
        Waiter waiter = new Waiter(process, "main", "receive", 1 - process, "");
        decision.says(process, round, new Standstill(epoch, Duration.ofSeconds(5), List.of(waiter), List.of(doubts)));
    }

    private void assertAsked(boolean afresh) {
        assertThat(decision.conclude())
                .contains(new Conclusion.Ask(decision.question()))
                .matches(asked -> decision.question().isFresh() == afresh);
    }

    @Test
    void twoRoundsWithTheSameAnswersProveADeadlock() {
        say(0, 7);
        assertThat(decision.conclude()).isEmpty();
        say(1, 3);
        assertAsked(false);
        say(1, 3);
        say(0, 7);
        assertThat(decision.conclude().orElseThrow())
                .isInstanceOfSatisfying(
                        Conclusion.Proven.class,
                        proven -> assertThat(proven.deadlock().cycle()).containsExactly(0, 1));
    }

    @Test
    void whoHasMovedBetweenTheRoundsMustConfirmThatAgain() {
        say(0, 7);
        say(1, 3);
        assertAsked(false);
        say(0, 8);
        say(1, 3);
        assertAsked(false);
        say(0, 8);
        say(1, 3);
        assertThat(decision.conclude().orElseThrow()).isInstanceOf(Conclusion.Proven.class);
    }

    @Test
    void whatWasSaidInAnEarlierRoundDoesNotCount() {
        say(0, 7);
        say(1, 3);
        assertAsked(false);
        sayInRound(0, 0, 7);
        sayInRound(0, 1, 3);
        assertThat(decision.conclude()).isEmpty();
    }

    @Test
    void theEndOfARankMakesAllBeginAnew() {
        say(0, 7);
        decision.ends(1);
        assertAsked(true);
        decision.gone(1);
        assertThat(decision.conclude()).isEmpty();
        say(0, 7);
        assertAsked(true);
        say(0, 8);
        assertAsked(false);
        say(0, 8);
        assertThat(decision.conclude().orElseThrow())
                .isInstanceOfSatisfying(
                        Conclusion.Proven.class,
                        proven -> assertThat(proven.deadlock().ended()).containsExactly(1));
    }

    @Test
    void anEndBetweenTheRoundsProvesNothing() {
        say(0, 7);
        say(1, 3);
        assertAsked(false);
        say(1, 3);
        decision.ends(0);
        say(0, 7);
        assertAsked(true);
    }

    @Test
    void doubtsAreToldOnceAndProveNothing() {
        for (int round = 0; round < 2; round++) {
            say(0, 7, "a timer");
            say(1, 3);
            if (round == 0) {
                assertAsked(false);
            }
        }
        assertThat(decision.conclude()).contains(new Conclusion.Doubtful(Duration.ofSeconds(5), List.of("a timer")));
        assertThat(decision.conclude()).isEmpty();
        say(0, 8);
        assertAsked(false);
        say(0, 8);
        say(1, 3);
        assertThat(decision.conclude().orElseThrow()).isInstanceOf(Conclusion.Proven.class);
    }

    @Test
    void whereNobodyWaitsForAMessageNothingFollows() {
        for (int round = 0; round < 2; round++) {
            for (int process = 0; process < 2; process++) {
                Waiter waiter = new Waiter(process, "main", Standstill.NO_CALL, Waiter.ANYBODY, "");
                decision.says(
                        process,
                        decision.question().round(),
                        new Standstill(1, Duration.ofSeconds(5), List.of(waiter), List.of("rank waits in no call")));
            }
            if (round == 0) {
                assertAsked(false);
            }
        }
        assertThat(decision.conclude()).isEmpty();
    }

    @Test
    void ofNobodyNothingFollows() {
        decision.gone(0);
        decision.gone(1);
        assertThat(decision.conclude()).isEqualTo(Optional.empty());
    }
}
