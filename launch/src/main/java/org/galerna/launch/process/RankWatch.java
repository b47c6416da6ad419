package org.galerna.launch.process;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.galerna.launch.Pause;
import org.galerna.launch.place.Bindings;
import org.galerna.launch.rendezvous.AgentConnection;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;
import org.galerna.launch.rendezvous.Welcome;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.watch.DeadlockWatch;
import org.galerna.launch.watch.OwnProcess;
import org.galerna.launch.watch.Positions;
import org.galerna.launch.watch.Question;
import org.galerna.launch.watch.Reports;
import org.galerna.memory.Cpus;

/**
 * Looks at the one rank of this process a few times a second: keeps its main thread on its core, and tells the launcher
 * when the rank stands still.
 */
final class RankWatch {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** With more ranks than so many for each processor it looks less often, or the looks alone would take the processors. */
    private static final int CROWD = 16;

    /** Two looks more, and the time that ranks take to ask each other, are to fit into what a report of a deadlock may take. */
    private static final int RAREST = 4;

    private final AgentConnection agent;
    private final OwnProcess rank;
    private final Bindings bindings;
    private final DeadlockWatch deadlocks;
    private final long periodNanos;
    /** Written by the thread that reads what the agent says. */
    private volatile Question question = Question.FIRST;

    /**
     * A watch that has not begun. The calling thread is the main thread of the rank.
     *
     * @param program the group of the program's threads
     */
    RankWatch(AgentConnection agent, int rank, ThreadGroup program) {
        this.agent = agent;
        this.rank = new OwnProcess(rank, program, () -> agent.monitor(rank).orElse(null));
        this.bindings = new Bindings(agent.welcome().cores(), agent.welcome().everywhere());
        this.periodNanos = periodNanos(agent.welcome(), Cpus.available());
        this.deadlocks =
                new DeadlockWatch(List.of(this.rank), agent.welcome().deadlockTimeout(), Duration.ofNanos(periodNanos));
    }

    /** Time between two looks, where the process may use so many processors. */
    static long periodNanos(Welcome welcome, int processors) {
        int ranksOfProcessor = welcome.oneHost() ? welcome.size() / Math.max(1, processors) : 1;
        return LOOK_NANOS * Math.clamp(ranksOfProcessor / CROWD, 1, RAREST);
    }

    void start(ThreadGroup group) {
        boolean bound = !agent.welcome().cores().isEmpty();
        if (bound) {
            bind();
        }
        boolean watched = !agent.welcome().deadlockTimeout().isZero();
        if (bound || watched) {
            Thread watcher = new Thread(group, this::watch, "galerna-watch", 0, false);
            watcher.setDaemon(true);
            watcher.start();
        }
    }

    private void bind() {
        bindings.bind(0);
        Thread main = Thread.currentThread();
        // asked when a thread is created: that one must not inherit the binding of the main thread
        InheritableThreadLocal<Boolean> inherited = new InheritableThreadLocal<>() {
            @Override
            protected Boolean childValue(Boolean ofParent) {
                if (Thread.currentThread() == main) {
                    bindings.loosen(0);
                }
                return ofParent;
            }
        };
        inherited.set(true);
    }

    private void watch() {
        boolean watched = !agent.welcome().deadlockTimeout().isZero();
        try {
            for (long last = System.nanoTime(); ; ) {
                Pause.ofNanos(periodNanos);
                bindings.look();
                long now = System.nanoTime();
                if (watched) {
                    look(Duration.ofNanos(now - last));
                }
                last = now;
            }
        } catch (InterruptedException byProgram) {
            // then it does without
            Thread.currentThread().interrupt();
        }
    }

    private void look(Duration sinceLast) {
        Question asked = question;
        deadlocks
                .look(sinceLast, asked)
                .ifPresent(standstill -> agent.tell(
                        Message.of(Kind.STANDSTILL, rank.rank(), asked.round(), Reports.writeStandstill(standstill))));
    }

    /** The launcher asks again whether the rank stands still. */
    void ask(long round, boolean afresh) {
        question = question.with(round, afresh);
    }

    List<RankPosition> positions() {
        return Positions.of(List.of(rank));
    }
}
