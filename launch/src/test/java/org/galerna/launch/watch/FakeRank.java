package org.galerna.launch.watch;

import java.util.ArrayList;
import java.util.List;
import org.galerna.link.RankMonitor;
import org.jspecify.annotations.Nullable;

/** A rank that is what the test says. */
final class FakeRank implements ObservedRank {
    private final int rank;
    boolean ended;
    boolean joined = true;
    long progress;
    List<Thread> threads = List.of();
    private final List<Call> calls = new ArrayList<>();
    private long numbers;

    /** A call that is blocked. */
    static final class Call {
        private final int peer;
        private final long number;
        private long looks;

        private Call(int peer, long number) {
            this.peer = peer;
            this.number = number;
        }
    }

    FakeRank(int rank) {
        this.rank = rank;
    }

    /** A copy that shares nothing. */
    FakeRank(FakeRank other) {
        this.rank = other.rank;
        this.ended = other.ended;
        this.joined = other.joined;
        this.progress = other.progress;
        this.threads = other.threads;
        this.numbers = other.numbers;
        for (Call call : other.calls) {
            Call copy = new Call(call.peer, call.number);
            copy.looks = call.looks;
            calls.add(copy);
        }
    }

    /** How often the only call has looked; 0 without one. */
    long looks() {
        return calls.isEmpty() ? 0 : calls.getFirst().looks;
    }

    void waitFor(int peer) {
        calls.add(new Call(peer, numbers++));
    }

    /** All calls look once and find nothing. */
    void lookInVain() {
        calls.forEach(call -> call.looks++);
    }

    void goOn() {
        calls.clear();
    }

    boolean isBlocked() {
        return !calls.isEmpty();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    @Override
    public @Nullable RankMonitor monitor() {
        return joined ? new Monitor() : null;
    }

    private final class Monitor implements RankMonitor {
        @Override
        public int rank() {
            return rank;
        }

        @Override
        public long progress() {
            return progress;
        }

        @Override
        public List<Blocked> blocked() {
            return calls.stream()
                    .map(call -> new Blocked(
                            Thread.currentThread(),
                            call.peer < 0 ? "receive from anybody" : "receive from rank " + call.peer,
                            call.peer,
                            call.number,
                            call.looks))
                    .toList();
        }

        @Override
        public boolean finished() {
            return false;
        }
    }

    @Override
    public List<Thread> threads() {
        return threads;
    }

    @Override
    public boolean owns(String className) {
        return false;
    }
}
