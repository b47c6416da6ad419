package org.galerna.launch.watch;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.WaitCycle;
import org.jspecify.annotations.Nullable;

/**
 * Decides from what the processes of a job say whether the job is deadlocked. Used by one thread.
 *
 * <p>A deadlock is decided when two rounds in a row have the same answers. Let t be the moment between them, at which all
 * answers of the first are here and nobody has been asked the second time. Each process says by the same epoch that
 * nothing of it has moved from before t until after t. So at t all stand still at the same time. Each call has looked once
 * more, from its beginning to its end, after t, and has found nothing: so nothing that was sent before t was under way
 * to it. What nobody has sent and nobody will send does not come: all wait for good. This needs no assumption about how long
 * anything takes, on its way to this class or to a process.
 *
 * <p>Other threads of a process are looked at for the second answer alone, after t. None of them goes on then. If one did at t, it has
 * sent nothing since, or the epoch would be another one. Of all that moves after t, the first is a message, and it is sent by a thread
 * that went on when its process looked, or before: there is none.
 *
 * <p>A rank that ends may release others, as they get an error in place of its message. What they have said before
 * counts for nothing then, and they begin to measure anew.
 */
public final class DeadlockDecision {
    /** Processes that have not ended, with what they have said in this round. */
    private final Map<Integer, Optional<Standstill>> processes = new TreeMap<>();

    private final Set<Integer> ended = new TreeSet<>();
    private Question question = Question.FIRST;
    /** Epochs in the last round if this one is to confirm it. */
    private @Nullable Map<Integer, Long> toConfirm;

    private boolean endSinceAsked;
    private boolean doubtTold;

    /** What follows from what has been said. */
    public sealed interface Conclusion {
        /** All processes are to be asked. */
        record Ask(Question question) implements Conclusion {}

        /** The job is deadlocked. */
        record Proven(Deadlock deadlock) implements Conclusion {}

        /** All stand still, and it cannot be known whether for good. Concluded once. */
        record Doubtful(Duration lasting, List<String> doubts) implements Conclusion {}
    }

    /** A decision about processes with these numbers. */
    public DeadlockDecision(Collection<Integer> processes) {
        processes.forEach(process -> this.processes.put(process, Optional.empty()));
    }

    /** What all processes are asked at the moment. */
    public Question question() {
        return question;
    }

    /** A process says that it stands still, as an answer to the question with this round. */
    public void says(int process, long round, Standstill standstill) {
        if (round == question.round()) {
            processes.computeIfPresent(process, (key, before) -> Optional.of(standstill));
        }
    }

    /** A rank has ended. */
    public void ends(int rank) {
        ended.add(rank);
        endSinceAsked = true;
    }

    /** A process has ended. */
    public void gone(int process) {
        processes.remove(process);
        endSinceAsked = true;
    }

    /** What follows from all this; empty if nothing does yet. To be asked after each piece of news. */
    public Optional<Conclusion> conclude() {
        if (endSinceAsked) {
            // who has said nothing says it after the question that is yet to come
            boolean said = processes.values().stream().anyMatch(Optional::isPresent);
            toConfirm = null;
            return said ? Optional.of(ask(true)) : Optional.empty();
        }
        if (processes.isEmpty() || processes.values().stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        Map<Integer, Long> epochs = new HashMap<>();
        processes.forEach(
                (process, said) -> epochs.put(process, said.orElseThrow().epoch()));
        if (!epochs.equals(toConfirm)) {
            toConfirm = epochs;
            return Optional.of(ask(false));
        }
        return conclude(processes.values().stream().map(Optional::orElseThrow).toList());
    }

    private Conclusion ask(boolean afresh) {
        question = question.next(afresh);
        endSinceAsked = false;
        processes.replaceAll((process, said) -> Optional.empty());
        return new Conclusion.Ask(question);
    }

    private Optional<Conclusion> conclude(List<Standstill> said) {
        if (said.stream().noneMatch(Standstill::hasCall)) {
            return Optional.empty(); // nobody waits for a message: what they wait for is the program's own matter
        }
        Duration lasting = said.stream()
                .map(Standstill::lasting)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        List<String> doubts =
                said.stream().flatMap(each -> each.doubts().stream()).toList();
        if (doubts.isEmpty()) {
            List<Deadlock.Waiter> waiters = said.stream()
                    .flatMap(each -> each.waiters().stream())
                    .sorted(Comparator.comparingInt(Deadlock.Waiter::rank))
                    .toList();
            return Optional.of(
                    new Conclusion.Proven(new Deadlock(lasting, waiters, List.copyOf(ended), WaitCycle.find(waiters))));
        }
        if (doubtTold) {
            return Optional.empty();
        }
        doubtTold = true;
        return Optional.of(new Conclusion.Doubtful(lasting, doubts));
    }
}
