package org.galerna.launch.watch;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.galerna.launch.rank.RankContext;
import org.galerna.launch.watch.ThreadWait.Frame;
import org.galerna.launch.watch.ThreadWait.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether anything but the known blocked calls could still move the ranks of this virtual machine: a thread
 * that computes, a thread that time or the world outside will wake, a thread of the JDK that calls the program when
 * something happens, the handler of a signal. In doubt the answer is that it could.
 */
final class ThreadCensus {
    /** Threads of the JDK that serve others, whose waits are to be seen by themselves. */
    private static final Set<String> SERVANTS =
            Set.of("Attach Listener", "Common-Cleaner", "DestroyJavaVM", "VirtualThread-unblocker");

    /** Threads of the virtual machine itself, which are there before the program is. */
    private static final Set<String> OF_EVERY_MACHINE = Set.of(
            "Reference Handler",
            "Finalizer",
            "Signal Dispatcher",
            "Notification Thread",
            "Common-Cleaner",
            "Service Thread");

    /** Threads of this package, which ranks may use too, call the program. */
    private static final String MESSAGING = "org.galerna.messaging.";

    /** How the names of threads begin that belong to those who run tests. */
    private static final List<String> RUNNERS = List.of("junit-", "surefire-");

    private static final String JOB = "org.galerna.launch.RunningJob";

    private final List<? extends ObservedRank> ranks;
    /** Alive before the ranks began: none of them is theirs. */
    private final Set<Thread> before = Collections.newSetFromMap(new WeakHashMap<>());

    private final ProgramSignals signals = new ProgramSignals();

    /** To be made before the ranks begin. */
    ThreadCensus(List<? extends ObservedRank> ranks) {
        this(ranks, thread -> true);
    }

    private ThreadCensus(List<? extends ObservedRank> ranks, Predicate<Thread> isOld) {
        this.ranks = ranks;
        allThreads().filter(isOld).forEach(before::add);
    }

    /** The platform threads of this virtual machine. */
    private static Stream<Thread> allThreads() {
        ThreadGroup all = ThreadGroups.top();
        Thread[] threads = new Thread[2 * all.activeCount() + 16];
        return Arrays.stream(threads, 0, all.enumerate(threads));
    }

    /** A census of ranks that have begun: any thread may be theirs, except those that every virtual machine has. */
    static ThreadCensus ofBegunRanks(List<? extends ObservedRank> ranks) {
        return new ThreadCensus(ranks, thread -> OF_EVERY_MACHINE.contains(thread.getName()));
    }

    /**
     * What the threads do.
     *
     * @param inCalls those that are known to be blocked in communication calls
     */
    Census take(Set<Thread> inCalls) {
        List<String> doubts = new ArrayList<>();
        boolean runs = platform(inCalls, doubts) || virtual(inCalls, doubts);
        signals.handled().forEach(signal -> doubts.add("the program handles " + signal));
        return new Census(runs, doubts.stream().distinct().sorted().toList());
    }

    // ---- platform threads

    private boolean platform(Set<Thread> inCalls, List<String> doubts) {
        Map<Thread, Integer> members = members();
        for (Map.Entry<Thread, StackTraceElement[]> entry :
                Thread.getAllStackTraces().entrySet()) {
            Thread thread = entry.getKey();
            if (thread == Thread.currentThread() || inCalls.contains(thread)) {
                continue;
            }
            List<Frame> frames = Arrays.stream(entry.getValue()).map(Frame::of).toList();
            if (frames.stream().anyMatch(frame -> frame.className().startsWith(MESSAGING))) {
                doubts.add("thread " + thread.getName() + " may get a message");
                continue;
            }
            ThreadWait wait = ThreadWait.of(thread.getState(), frames);
            Integer rank = members.get(thread);
            if (rank == null
                    && (watchesJob(frames) || !runsProgram(frames))
                    && !mayCallProgram(thread, frames)
                    && !mayCallOpenRank(thread, frames)) {
                continue;
            }
            if (wait.kind() == Kind.RUNS) {
                return true;
            }
            if (wait.kind() == Kind.OUTSIDE) {
                doubts.add(describe(thread.getName(), rank) + " " + wait.what());
            }
        }
        return false;
    }

    private Map<Thread, Integer> members() {
        Map<Thread, Integer> members = new HashMap<>();
        for (ObservedRank rank : ranks) {
            if (!rank.hasEnded()) {
                rank.threads().stream()
                        .filter(thread -> !SERVANTS.contains(thread.getName()))
                        .forEach(thread -> members.put(thread, rank.rank()));
            }
        }
        return members;
    }

    /** A thread of no rank may run the program too: those of the common pool do. */
    private boolean runsProgram(List<Frame> frames) {
        return frames.stream().anyMatch(frame -> isProgram(frame.className()));
    }

    /** Whether this thread has started another job and waits for its end; no rank of this one waits for that. */
    private static boolean watchesJob(List<Frame> frames) {
        return frames.stream().anyMatch(frame -> frame.className().equals(JOB));
    }

    private boolean isProgram(String className) {
        return ranks.stream().anyMatch(rank -> rank.owns(className));
    }

    /**
     * Whether this is a thread of the JDK that has begun since the ranks have, and calls the program when something
     * happens: a process ends, a channel is ready, time has passed.
     */
    private boolean mayCallProgram(Thread thread, List<Frame> frames) {
        ThreadGroup group = thread.getThreadGroup();
        if (group == null || RankContext.isGalernas(thread) || SERVANTS.contains(thread.getName())) {
            return false;
        }
        boolean isOfJdk = group.getName().equals("system") || group.getName().startsWith("Innocuous");
        boolean isNew = !before.contains(thread)
                // these threads are used again
                || frames.stream().anyMatch(frame -> frame.className().startsWith("java.lang.ProcessHandleImpl"));
        return isOfJdk && isNew && frames.stream().noneMatch(ThreadCensus::isService);
    }

    /**
     * Whether this thread will run a task when its time has come, of any code where ranks share classes with the rest of this
     * virtual machine; but for those who run tests, which have clocks of their own.
     */
    private boolean mayCallOpenRank(Thread thread, List<Frame> frames) {
        return ranks.stream().anyMatch(ObservedRank::isOpen)
                && thread.getState() == Thread.State.TIMED_WAITING
                && RUNNERS.stream().noneMatch(thread.getName()::startsWith)
                && frames.stream()
                        .anyMatch(frame -> frame.className().contains("Delay")
                                || frame.className().equals("java.util.TimerThread"));
    }

    /**
     * The recorder of the JDK, what frees the memory of its images, and what serves the sockets of virtual threads, which
     * are seen by themselves.
     */
    private static boolean isService(Frame frame) {
        return frame.className().startsWith("jdk.jfr.")
                || frame.className().startsWith("sun.java2d.Disposer")
                || frame.className().startsWith("sun.nio.ch.Poller");
    }

    // ---- virtual threads

    private boolean virtual(Set<Thread> inCalls, List<String> doubts) {
        Set<Long> known = inCalls.stream().map(Thread::threadId).collect(Collectors.toSet());
        List<VirtualThreads.Found> found = VirtualThreads.find();
        if (found == null) {
            doubts.add("this virtual machine does not list virtual threads");
            return false;
        }
        for (VirtualThreads.Found thread : found) {
            if (known.contains(thread.id())
                    || thread.frames().stream().anyMatch(frame -> frame.method().equals("subPollerLoop"))) {
                continue;
            }
            ThreadWait wait = ThreadWait.of(thread.state(), thread.frames());
            if (wait.kind() == Kind.RUNS) {
                return true;
            }
            if (wait.kind() == Kind.OUTSIDE) {
                doubts.add(describe(thread.name().isEmpty() ? "virtual " + thread.id() : thread.name(), null) + " "
                        + wait.what());
            }
        }
        return false;
    }

    private static String describe(String name, @Nullable Integer rank) {
        return "thread " + name + (rank == null || name.equals("rank-" + rank) ? "" : " of rank " + rank);
    }
}
