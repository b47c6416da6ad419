package org.galerna.launch.wireup;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.launch.ThreadJob;
import org.galerna.launch.council.Council;
import org.galerna.launch.report.Deadlock;
import org.galerna.launch.report.DoubtText;
import org.galerna.launch.report.Outcome;
import org.galerna.launch.watch.OwnProcess;
import org.galerna.launch.watch.ThreadGroups;
import org.galerna.link.wireup.JobKey;
import org.galerna.memory.SystemRandom;
import org.jspecify.annotations.Nullable;

/** Looks at the rank of a process that a job manager has started, a few times a second, so that deadlocks are reported. */
final class ManagedWatch implements Council.Outside {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Key of where a process listens, see {@link Council#place}. */
    static final String PLACE = "galerna.council";

    private static final String KEY = "galerna.council.key";

    private final ManagedWireup wireup;
    private final ProcessLife life;
    private byte[] key = {};

    @SuppressWarnings("NullAway.Init") // before anything else
    private Council council;

    private ManagedWatch(ManagedWireup wireup, ProcessLife life) {
        this.wireup = wireup;
        this.life = life;
    }

    /** What the system property says in seconds; zero for no watch. */
    static Duration patience() {
        String given = System.getProperty(ThreadJob.DEADLOCK_PROPERTY);
        if (given == null) {
            return ThreadJob.DEADLOCK_TIMEOUT;
        }
        try {
            double seconds = Double.parseDouble(given);
            if (seconds >= 0 && seconds < Integer.MAX_VALUE) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException noNumber) {
            // as any other value that makes no sense
        }
        throw new IllegalArgumentException("system property " + ThreadJob.DEADLOCK_PROPERTY
                + " must be a number of seconds, not negative: " + given);
    }

    /** Begins to watch; the calling thread is one of the program's. To be called before the first fence. */
    static @Nullable ManagedWatch start(ManagedWireup wireup, ProcessLife life, Duration patience) {
        ManagedWatch watch = new ManagedWatch(wireup, life);
        ThreadGroup program = Thread.currentThread().getThreadGroup();
        try {
            OwnProcess itself = new OwnProcess(wireup.rank(), program, life::monitor);
            watch.council = new Council(itself, wireup.size(), patience, watch);
            wireup.put(PLACE, watch.council.place());
        } catch (IOException nowhereToListen) {
            return null; // the job does without reports of deadlocks
        }
        if (wireup.rank() == 0) {
            wireup.put(KEY, SystemRandom.bytes(JobKey.BYTES));
        }
        startThread("galerna-watch", () -> run(watch.council));
        return watch;
    }

    /** A thread that is none of the program's. */
    static void startThread(String name, Runnable task) {
        Thread thread = new Thread(new ThreadGroup(ThreadGroups.top(), "galerna"), task, name, 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    /** This rank has failed because another one has ended: soon one process reports it for all. */
    void hasFailed(Outcome.FailedElsewhere how) {
        council.hasFailed(how);
    }

    /** Goes on if a program interrupts all threads that it finds: where the council listens, others know that it lives. */
    private static void run(Council council) {
        for (long last = System.nanoTime(); ; ) {
            LockSupport.parkNanos(LOOK_NANOS);
            boolean unused = Thread.interrupted();
            long now = System.nanoTime();
            council.look(Duration.ofNanos(now - last));
            last = now;
        }
    }

    @Override
    public byte[] key() {
        if (key.length == 0) {
            key = wireup.get(0, KEY);
        }
        return key;
    }

    @Override
    public byte[] placeOf(int rank) {
        return wireup.get(rank, PLACE);
    }

    @Override
    public void deadlocked(Deadlock deadlock) {
        life.end(new Outcome.Deadlocked(deadlock), "deadlock");
    }

    @Override
    public void failed(Outcome.FailedElsewhere failure) {
        life.end(failure, "a rank has ended that others wait for");
    }

    @Override
    public void doubtful(Duration lasting, List<String> doubts) {
        ProcessLife.say(DoubtText.of(lasting, doubts) + "\n");
    }

    @Override
    public void over() {
        life.isOver();
    }
}
