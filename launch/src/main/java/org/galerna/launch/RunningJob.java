package org.galerna.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.launch.output.OutputChannel;
import org.galerna.launch.place.Bindings;
import org.galerna.launch.place.ReservedCores;
import org.galerna.launch.program.ClassPath;
import org.galerna.launch.program.LauncherAgent;
import org.galerna.launch.program.MainMethod;
import org.galerna.launch.program.ModuleGraph;
import org.galerna.launch.program.NearMisses;
import org.galerna.launch.program.ProgramArguments;
import org.galerna.launch.program.ProgramClasses;
import org.galerna.launch.program.ProgramException;
import org.galerna.launch.rank.ProcessState;
import org.galerna.launch.rank.RankClassLoader;
import org.galerna.launch.rank.RankContext;
import org.galerna.launch.rank.RankJob;
import org.galerna.launch.rank.RankTask;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.DoubtText;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.report.RankPosition;
import org.galerna.launch.watch.DeadlockDecision.Conclusion;
import org.galerna.launch.watch.DeadlockWatch;
import org.galerna.launch.watch.ObservedRank;
import org.galerna.launch.watch.Positions;
import org.galerna.launch.watch.Question;
import org.galerna.link.RankMonitor;
import org.galerna.link.wireup.Wireups;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link ThreadJob}. The first reason to end the job decides its outcome; the thread that runs the job
 * waits for it, looks at the ranks a few times a second meanwhile, and cleans up afterwards.
 */
final class RunningJob implements RankJob {
    private static final long LOOK_NANOS = Duration.ofMillis(100).toNanos();
    private static final Duration PATIENCE_WITH_HOOKS = Duration.ofSeconds(2);
    private static final Duration PATIENCE_WITH_THREADS = Duration.ofMillis(300);
    private static final Duration PATIENCE_WITH_OUTPUT = Duration.ofSeconds(1);

    private final ThreadJob.Builder job;
    private final RankGroup group;
    /** The lowest rank of this JVM. */
    private final int first;

    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final CountDownLatch decided = new CountDownLatch(1);
    private final AtomicInteger remaining;
    private final List<Member> members = new ArrayList<>();
    private final Set<Integer> unfinished = new ConcurrentSkipListSet<>();
    private final OutputChannel out;
    private final OutputChannel err;

    @SuppressWarnings("NullAway.Init") // before the first rank
    private Bindings bindings;

    RunningJob(ThreadJob.Builder job) {
        this.job = job;
        this.group = job.group.apply(this::aborted);
        this.first = group.first();
        this.remaining = new AtomicInteger(job.ranks());
        Charset charset = System.out.charset();
        this.out = new OutputChannel(job.standardOutput(), first, job.ranks(), job.labelled(), charset);
        this.err = new OutputChannel(job.standardError(), first, job.ranks(), job.labelled(), charset);
    }

    /** A rank with its part of the wire-up. */
    private record Member(
            RankContext context, RankGroup group, @Nullable RankCode code, Outcome.Failed lastResort)
            implements ObservedRank {
        @Override
        public int rank() {
            return context.rank();
        }

        @Override
        public boolean hasEnded() {
            return context.hasEnded();
        }

        @Override
        public @Nullable RankMonitor monitor() {
            return group.monitor(context.rank());
        }

        @Override
        public List<Thread> threads() {
            return context.threads();
        }

        @Override
        public boolean owns(String className) {
            return code == null
                    ? context.loader().hasDefined(className)
                    : code.owns().test(className);
        }

        @Override
        public boolean isOpen() {
            return code != null;
        }
    }

    JobResult run() {
        long start = System.nanoTime();
        Outcome how;
        ModuleGraph modules;
        try {
            modules = job.modules.resolve(job.mainClass());
        } catch (ProgramException unresolved) {
            return result(new Outcome.NotStarted(unresolved.reason()), start);
        }
        List<Path> paths = job.code == null ? job.classPath : List.of();
        try (ClassPath classPath = ClassPath.open(modules, paths)) {
            try (ReservedCores cores = ReservedCores.reserve(job.bindTo(), job.ranks())) {
                bindings = job.cores.isEmpty()
                        ? new Bindings(cores.masks(), cores.everywhere())
                        : new Bindings(job.cores, job.everywhere);
                prepare(modules, classPath);
                report(cores);
                how = runRanks(start);
            } catch (ProgramException cannotStart) {
                how = new Outcome.NotStarted(cannotStart.reason());
            } finally {
                members.forEach(member -> Wireups.unbind(member.context().loader()));
            }
        } catch (IOException unclosable) {
            throw new UncheckedIOException("the class path cannot be closed", unclosable);
        }
        return result(how, start);
    }

    private JobResult result(Outcome how, long start) {
        return new JobResult(how, List.copyOf(unfinished), Duration.ofNanos(System.nanoTime() - start));
    }

    boolean interrupt() {
        return decide(new Outcome.Interrupted());
    }

    // ---- before

    private void prepare(ModuleGraph modules, ClassPath classPath) {
        RankCode code = job.code;
        ClassLoader galerna = code == null ? RunningJob.class.getClassLoader() : code.loader();
        ProgramClasses classes = code == null
                ? new ProgramClasses(classPath, galerna, job.ranks())
                : ProgramClasses.ofGalerna(galerna, job.ranks());
        String mainClass =
                job.modules.isEmpty() ? job.mainClass().replace('/', '.') : ModuleGraph.classOf(job.mainClass());
        for (int rank = first; rank < first + job.ranks(); rank++) {
            RankClassLoader loader = new RankClassLoader(classes, galerna);
            modules.define(loader);
            if (code == null && rank == first) {
                check(mainClass, loader, classPath);
            }
            RankContext context = new RankContext(
                    rank,
                    this,
                    loader,
                    code == null ? program(mainClass, rank) : new RankTask.OfCode(code),
                    rank == 0 ? job.standardInput : InputStream.nullInputStream(),
                    out.of(rank),
                    err.of(rank));
            Wireups.bind(loader, group.wireup(rank));
            members.add(new Member(
                    context,
                    group,
                    code,
                    new Outcome.Failed(rank, "unknown", new OutOfMemoryError("while an exception was reported"))));
        }
    }

    private RankTask program(String mainClass, int rank) {
        return new RankTask.OfProgram(
                mainClass, List.of(ProgramArguments.of(job.arguments(), group.wireup(rank), job.device)));
    }

    private void report(ReservedCores cores) {
        if (job.bindingsReported()) {
            PrintStream stream = new PrintStream(job.standardError(), true, System.err.charset());
            cores.report(first).forEach(line -> stream.println("galerna: " + line));
        }
    }

    private void check(String mainClass, RankClassLoader loader, ClassPath classPath) {
        if (LauncherAgent.isPresent()) {
            // which is to see how the main class is loaded
            return;
        }
        try {
            MainMethod.of(Class.forName(mainClass, false, loader));
        } catch (ClassNotFoundException missing) {
            throw new ProgramException(NearMisses.describe(mainClass, classPath), missing);
        } catch (UnsupportedClassVersionError newer) {
            throw new ProgramException(
                    "class " + mainClass + " is compiled for a newer Java than this one, which is "
                            + Runtime.version().feature() + ": " + newer.getMessage(),
                    newer);
        } catch (LinkageError broken) {
            throw new ProgramException("class " + mainClass + " cannot be loaded: " + broken, broken);
        }
    }

    // ---- meanwhile

    private Outcome runRanks(long start) {
        ProcessState.divide();
        try {
            DeadlockWatch deadlocks = new DeadlockWatch(members, job.deadlockTimeout());
            members.forEach(member -> member.context().start());
            watch(start, deadlocks);
            Outcome how = decision();
            end(how);
            return how;
        } finally {
            ProcessState.restore();
        }
    }

    private void watch(long start, DeadlockWatch deadlocks) {
        long limit = job.timeout().toNanos();
        long lastLook = start;
        try {
            while (true) {
                long left = limit == 0 ? LOOK_NANOS : limit - (System.nanoTime() - start);
                if (decided.await(Math.clamp(left, 1, LOOK_NANOS), TimeUnit.NANOSECONDS)) {
                    return;
                }
                out.passOnPartialLines(job.ageOfPartialLines);
                err.passOnPartialLines(job.ageOfPartialLines);
                bindings.look();
                long now = System.nanoTime();
                if (limit != 0 && now - start >= limit) {
                    decide(new Outcome.TimedOut(job.timeout(), Positions.of(members)));
                } else if (!job.deadlockTimeout().isZero()) {
                    look(deadlocks, Duration.ofNanos(now - lastLook));
                }
                lastLook = now;
            }
        } catch (InterruptedException interrupted) {
            decide(new Outcome.Interrupted(Positions.of(members)));
            Thread.currentThread().interrupt();
        }
    }

    private void look(DeadlockWatch deadlocks, Duration sinceLast) {
        Question question = group.question();
        deadlocks
                .look(sinceLast, question)
                .flatMap(standstill -> group.standStill(question.round(), standstill))
                .ifPresent(this::conclude);
    }

    private void conclude(Conclusion conclusion) {
        switch (conclusion) {
            case Conclusion.Ask next -> {} // the group asks
            case Conclusion.Proven proven -> decide(new Outcome.Deadlocked(withEnded(proven.deadlock())));
            case Conclusion.Doubtful doubtful ->
                new PrintStream(job.standardError(), true, System.err.charset())
                        .println(DoubtText.of(doubtful.lasting(), doubtful.doubts()));
        }
    }

    private Deadlock withEnded(Deadlock deadlock) {
        List<Integer> ended =
                members.stream().filter(Member::hasEnded).map(Member::rank).toList();
        return new Deadlock(deadlock.lasting(), deadlock.waiters(), ended, deadlock.cycle());
    }

    /** Where the ranks are. */
    List<RankPosition> positions() {
        return Positions.of(List.copyOf(members));
    }

    private Outcome decision() {
        Outcome how = outcome.get();
        return how == null ? new Outcome.Completed() : how;
    }

    /** The first call decides. */
    private boolean decide(Outcome how) {
        boolean first = outcome.compareAndSet(null, how);
        decided.countDown();
        return first;
    }

    @Override
    public int ranks() {
        return job.ranks();
    }

    @Override
    public void started(RankContext rank) {
        bindings.bind(rank.rank() - first);
    }

    @Override
    public void startsSomething(RankContext rank) {
        bindings.loosen(rank.rank() - first);
    }

    @Override
    public void ended(RankContext rank) {
        bindings.leave(rank.rank() - first);
        RankLocks.release(rank);
        Member member = members.get(rank.rank() - first);
        RankMonitor monitor = member.monitor();
        boolean isUnfinished = monitor != null && !monitor.finished();
        group.left(rank.rank(), isUnfinished);
        if (monitor != null && isUnfinished) {
            unfinished.add(rank.rank());
            monitor.abandon();
        }
        group.wireup(rank.rank()).close();
        if (remaining.decrementAndGet() == 0) {
            decide(new Outcome.Completed());
        }
    }

    @Override
    public void exited(RankContext rank, int status) {
        decide(new Outcome.Exited(rank.rank(), status));
    }

    @Override
    public void failed(RankContext rank, Thread thread, Throwable exception) {
        Outcome how;
        try {
            String name = thread.getName().isEmpty() ? "virtual " + thread.threadId() : thread.getName();
            how = new Outcome.Failed(rank.rank(), name, exception);
        } catch (OutOfMemoryError full) {
            how = members.get(rank.rank() - first).lastResort();
        }
        decide(how);
    }

    private void aborted(int rank, int status, String reason) {
        decide(new Outcome.Aborted(rank, status, reason));
        RankContext caller = RankContext.current();
        if (caller != null) {
            caller.stopHere();
        }
    }

    // ---- afterwards

    private void end(Outcome how) {
        if (!(how instanceof Outcome.Completed)) {
            shutDown();
        }
        out.close(PATIENCE_WITH_OUTPUT);
        err.close(PATIENCE_WITH_OUTPUT);
        Set<Thread> inCalls = inCalls();
        Set<Thread> undisturbed = new HashSet<>(inCalls);
        if (job.code != null && how instanceof Outcome.Completed) {
            // what the code has started may be the threads of a pool that others use too
            members.forEach(member -> undisturbed.addAll(member.context().threads()));
        }
        members.forEach(member -> {
            // an interrupted thread cannot sleep in a communication call, it would only spin there
            member.context().release(undisturbed);
            RankLocks.release(member.context());
            group.wireup(member.rank()).close();
        });
        join(inCalls);
    }

    /** The threads in communication calls, which are told to come back. */
    private Set<Thread> inCalls() {
        Set<Thread> threads = new HashSet<>();
        for (Member member : members) {
            RankMonitor monitor = member.monitor();
            if (monitor != null) {
                monitor.giveUp();
                monitor.blocked().forEach(call -> threads.add(call.thread()));
            }
        }
        return threads;
    }

    /** Gives threads that are about to end the time to do so, before their surroundings are gone. */
    private static void join(Set<Thread> threads) {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + PATIENCE_WITH_THREADS.toNanos();
        try {
            for (Thread thread : threads) {
                if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                    break;
                }
            }
        } catch (InterruptedException again) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Runs the shutdown hooks of the ranks that are cut off. */
    private void shutDown() {
        boolean interrupted = Thread.interrupted();
        long deadline = System.nanoTime() + PATIENCE_WITH_HOOKS.toNanos();
        for (Member member : members) {
            member.context().shutDown(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
