package org.galerna.launch.wireup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.galerna.launch.report.JobResult;
import org.galerna.launch.report.Outcome;
import org.galerna.link.CommunicationException;
import org.galerna.link.RankMonitor;
import org.galerna.link.process.EndOfProcess;
import org.galerna.nativeaccess.file.FileDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * The life of a rank that is a process of its own, started by {@code java} with the program's own main class: what a
 * launcher would see to has to be seen to from inside. An exception that nobody catches ends the job. A rank whose threads
 * end without {@code MPI.Finalize} is gone for the others, and the manager is told that all is well; one that calls
 * {@code System.exit} before it has finished leaves it to the manager what becomes of the job, for only the manager sees
 * the status.
 */
final class ProcessLife {
    /** How long the end of the process waits for a manager that does not answer. */
    private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);

    /** How long the hooks of a process that aborts may run. */
    private static final Duration LONGEST_CLEANUP = Duration.ofSeconds(5);

    /** How long a report may take to leave this process. */
    private static final Duration LONGEST_READING = Duration.ofSeconds(1);

    /** How long a failure that is a consequence of another one waits for the end of the job. */
    private static final Duration LONGEST_CONSEQUENCE = Duration.ofSeconds(1);

    /** How long it then waits for the process that reports it for all ranks. */
    private static final Duration LONGEST_REPORT = Duration.ofSeconds(4);

    private static final Duration BETWEEN_CONSEQUENCES = Duration.ofMillis(20);

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(1);

    private final ManagedWireup wireup;
    private volatile @Nullable RankMonitor monitor;
    private volatile @Nullable ManagedWatch watch;
    private volatile boolean aborting;

    ProcessLife(ManagedWireup wireup) {
        this.wireup = wireup;
    }

    /** Watches over the process from now on. */
    void begin() {
        // a program with a handler of its own has decided what an exception means
        if (Thread.getDefaultUncaughtExceptionHandler() == null) {
            Thread.setDefaultUncaughtExceptionHandler(this::uncaught);
        }
        EndOfProcess.add(this::end);
    }

    /** What the rank does, as soon as that is known; and again if it joins again. For one thread after another. */
    void observe(RankMonitor ofRank) {
        monitor = ofRank;
        Duration patience = ManagedWatch.patience();
        // one watch for the whole life of the process: the others know it by the place where it listens
        if (watch == null && wireup.size() > 1 && !patience.isZero()) {
            watch = ManagedWatch.start(wireup, this, patience);
        }
    }

    @Nullable
    RankMonitor monitor() {
        return monitor;
    }

    /** Another process ends the job, and says why. */
    void isOver() {
        aborting = true;
    }

    /** Another process has ended the job, and said why: this one ends with the same status. */
    void endsWith(int status) {
        if (!aborting) {
            aborting = true;
            haltLater(status);
            ManagedWatch.startThread("galerna-end", () -> Runtime.getRuntime().exit(status));
        }
    }

    /** Ends the job with a report. */
    void end(Outcome how, String reason) {
        endJob(how.status(), reason, new JobResult(how, List.of(), Duration.ZERO).report());
    }

    private void uncaught(Thread thread, Throwable exception) {
        if (aborting) {
            return;
        }
        String name = thread.getName().isEmpty() ? "virtual " + thread.threadId() : thread.getName();
        Outcome.FailedElsewhere how = Outcome.FailedElsewhere.of(wireup.rank(), name, exception);
        if (how.byLostPeer()) {
            // the rank that is gone, or what watches over it, says why, and the manager ends this process meanwhile
            park(LONGEST_CONSEQUENCE);
            ManagedWatch reporter = watch;
            if (!aborting && reporter != null) {
                reporter.hasFailed(how);
                park(LONGEST_REPORT);
            }
            if (aborting) {
                // whoever reports it ends this process, too; if that went first, the report could be lost
                park(LONGEST_CLEANUP);
                return;
            }
        }
        end(how, "uncaught exception " + exception.getClass().getName());
    }

    /** Waits, but no longer than until the job is being ended, unless it is already. */
    private void park(Duration longest) {
        boolean already = aborting;
        long deadline = System.nanoTime() + longest.toNanos();
        while (System.nanoTime() < deadline && aborting == already) {
            LockSupport.parkNanos(BETWEEN_CONSEQUENCES.toNanos());
            boolean unused = Thread.interrupted();
        }
    }

    /** Ends the job and, with the same status, this process; does not return. */
    void abort(int status, String reason) {
        endJob(
                status,
                reason,
                "galerna: rank " + wireup.rank() + " has aborted the job with status " + status + ": " + reason + "\n");
    }

    private void endJob(int status, String reason, String report) {
        aborting = true;
        say(report);
        awaitReaders();
        try {
            wireup.abortJob(status, reason);
        } catch (IOException managerGone) {
            say("galerna: rank " + wireup.rank() + " could not tell the job manager: " + managerGone.getMessage()
                    + "\n");
        }
        // the manager kills this process too, sooner or later; until then it cleans up after itself
        haltLater(status);
        Runtime.getRuntime().exit(status);
    }

    /** MPICH's mpiexec, for one, does not read on once it knows that the job is to be aborted: the report would be lost. */
    private static void awaitReaders() {
        long deadline = System.nanoTime() + LONGEST_READING.toNanos();
        try {
            FileDescriptor out = new FileDescriptor(1);
            FileDescriptor err = new FileDescriptor(2);
            while (out.unread() + err.unread() > 0 && System.nanoTime() < deadline) {
                LockSupport.parkNanos(BETWEEN_LOOKS.toNanos());
            }
        } catch (LinkageError nativeAccessIsDenied) {
            // then the report has to be quick enough
        }
    }

    /** For shutdown hooks of the program that do not end, or that have called {@code abort}. */
    private static void haltLater(int status) {
        Thread.ofPlatform().name("galerna-halt").daemon().start(() -> {
            LockSupport.parkNanos(LONGEST_CLEANUP.toNanos());
            Runtime.getRuntime().halt(status);
        });
    }

    /** The process is ending. */
    private void end() {
        if (aborting) {
            return;
        }
        Ending ending = Ending.ofThisProcess();
        boolean finished = true;
        RankMonitor rank = monitor;
        if (rank != null && !rank.finished()) {
            finished = false;
            if (ending != Ending.SIGNAL) {
                say("galerna: rank " + wireup.rank() + " has ended without MPI.Finalize\n");
            }
            rank.abandon();
        }
        // a rank that says no goodbye has failed, to most managers, and takes the job with it
        if (ending == Ending.LAST_THREAD || (ending == Ending.EXIT && finished)) {
            sayGoodbye();
        }
    }

    /** What brings a virtual machine to its end, as far as its threads show; the status is not to be seen. */
    private enum Ending {
        /** The last thread that is not a daemon has ended: the status is 0, or an exception ended the main thread. */
        LAST_THREAD,
        /** The program has called {@code System.exit}, with whatever status. */
        EXIT,
        /** SIGTERM or its like. Whoever sent it knows. */
        SIGNAL;

        /** To be called in a shutdown hook: signals have a thread that is named for them, the last thread a stack. */
        static Ending ofThisProcess() {
            Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
            if (stacks.keySet().stream().anyMatch(thread -> thread.getName().matches("SIG[A-Z]+ handler"))) {
                return SIGNAL;
            }
            return stacks.values().stream().flatMap(Stream::of).anyMatch(Ending::endsWithoutExit) ? LAST_THREAD : EXIT;
        }

        private static boolean endsWithoutExit(StackTraceElement frame) {
            return frame.getClassName().equals("java.lang.Shutdown")
                    && frame.getMethodName().equals("shutdown");
        }
    }

    /** A manager whose connection is cut must not keep the process alive. */
    private void sayGoodbye() {
        Thread goodbye = new Thread(
                () -> {
                    try {
                        wireup.close();
                    } catch (CommunicationException managerGone) {
                        // who does not listen any more need not be told
                    }
                },
                "galerna-goodbye");
        goodbye.setDaemon(true);
        goodbye.start();
        try {
            boolean unused = goodbye.join(LONGEST_GOODBYE);
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
        }
    }

    /** In one piece, for other ranks write to the same terminal. */
    static void say(String text) {
        System.out.flush();
        System.err.print(text);
        System.err.flush();
    }
}
