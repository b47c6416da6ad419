package org.galerna.profile.record;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.device.Device;
import org.galerna.device.RankList;
import org.galerna.link.process.OwnLog;
import org.galerna.mpi.comm.Communicator;
import org.galerna.profile.CallKind;
import org.galerna.profile.ProfileSettings;
import org.galerna.profile.file.RankFiles;
import org.galerna.profile.file.Site;
import org.jspecify.annotations.Nullable;

/**
 * Records one rank: its calls, as {@link org.galerna.profile.calls.CallSites} tells them, and its messages, as its
 * {@link RecordingDevice} does. Any thread of the rank may call. A thread knows its own call; sums are made under one lock,
 * which threads of a rank that communicate at the same time share.
 */
public final class Recorder {
    private static final System.Logger LOGGER = OwnLog.of(Recorder.class.getName());

    private final Path folder;
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<ThreadCall> calls = ThreadLocal.withInitial(() ->
            new ThreadCall(threads.getAndIncrement(), Thread.currentThread().threadId()));
    private final long begin = System.nanoTime();
    private final long clock = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - begin;

    /** When recording begins by itself. */
    private volatile long onAt = Long.MAX_VALUE;

    /**
     * A call that is over and that the ledger has not been told of: one that has only received, which is mostly followed by a send that
     * others wait for. Only as long as one thread calls, and that thread alone puts calls here. Another thread counts itself in
     * {@link #threads}, and takes the call afterwards, under the lock. The first one looks here before it looks at the number of threads:
     * if it finds that its call has been taken by another one, it sees two threads, and comes to the lock, where it waits for the
     * other one to be done with the call.
     */
    private final AtomicReference<@Nullable ThreadCall> unrecorded = new AtomicReference<>();

    /** That of the thread that has called last: it mostly is the one that calls next. */
    private ThreadCall recent = new ThreadCall(ThreadCall.NONE, ThreadCall.NONE);

    // guarded by this
    private final Ledger ledger = new Ledger(begin);
    private int rank;
    private int size;
    private int host;
    private int processors;
    private boolean changed;

    Recorder(Path folder, Duration after) {
        this.folder = folder;
        if (after.isPositive()) {
            ledger.turn(false, begin);
            onAt = begin + after.toNanos();
        }
    }

    /**
     * Records from now on, or no more.
     *
     * @param level 0 for no more
     */
    public synchronized void control(int level) {
        recordWaiting();
        onAt = Long.MAX_VALUE;
        ledger.turn(level != 0, System.nanoTime());
    }

    /** Says which rank this is. */
    synchronized void attach(Device device) {
        rank = device.rank();
        size = device.size();
        host = device.hosts().hostOf(rank);
        processors = device.hosts().processorsBeside(rank);
        ledger.ranks(size);
        changed = true;
    }

    /** Ranks have contexts in common from now on, for messages of the program. */
    synchronized void communicator(int contexts, int[] members) {
        recordWaiting();
        ledger.communicator(contexts, members);
    }

    // ---- calls

    /** Number of a new site. */
    public synchronized int site(String place, String call, CallKind kind) {
        return ledger.site(new Site(place, call, kind));
    }

    /** A call begins on this thread; to be told to {@link #exit}. */
    public ThreadCall enter(int site) {
        return enter(call(), site, 0, 0);
    }

    /**
     * A collective call begins; see {@link #enter}.
     *
     * @param waits whether the ranks of the communicator wait for each other in it
     * @param root the rank whose data it is about, or -1
     * @param given bytes that this rank gives, by the arguments of the call
     * @param gotten bytes that it gets
     */
    public ThreadCall enterCollective(
            int site, boolean waits, Communicator communicator, int root, long given, long gotten) {
        ThreadCall call = call();
        RankList ranks = communicator.peers();
        long together = 0;
        if (call.depth == 0 && ranks.size() > 0) {
            if (waits) {
                together = Sequences.key(
                        communicator.contexts(), (long) ranks.get(0) << Integer.SIZE | communicator.size());
            }
            call.contexts = communicator.contexts();
            call.root = root;
            call.isRoot = root == communicator.rank();
            call.given = given;
            call.gotten = gotten;
        }
        return enter(call, site, together, ranks.size());
    }

    private ThreadCall call() {
        ThreadCall call = recent; // a race, but of an object that is whole, and whose owner does not change
        if (call.owner != Thread.currentThread().threadId()) {
            call = calls.get().used();
            recent = call;
        }
        return call;
    }

    private static ThreadCall enter(ThreadCall call, int site, long together, int ranks) {
        if (call.depth++ == 0) {
            call.site = site;
            call.bytes = 0;
            call.together = together;
            call.ranks = ranks;
            call.begin = System.nanoTime();
        }
        return call;
    }

    /** A call of this thread ends, in whatever way. */
    public void exit(ThreadCall call) {
        if (call.depth > 1) {
            call.depth--;
            return;
        }
        call.depth = 0;
        if (call.site != ThreadCall.NONE) {
            ends(call);
        }
    }

    private void ends(ThreadCall call) {
        call.end = System.nanoTime();
        if (call.hasOnlyReceived() && unrecorded.get() == null && isAlone() && onAt == Long.MAX_VALUE) {
            recent = call.handOver();
            unrecorded.setRelease(call);
            return;
        }
        synchronized (this) {
            recordWaiting();
            record(call);
        }
        if (call.end >= onAt) {
            control(1);
        }
    }

    /** Tells the ledger what it has not been told of yet, before anything else. Under the lock. */
    private void recordWaiting() {
        call(); // counts this thread
        ThreadCall call = unrecorded.get() == null ? null : unrecorded.getAndSet(null);
        if (call != null) {
            record(call);
        }
    }

    private void record(ThreadCall call) {
        ledger.callEnds(call, call.end, rank);
        call.close();
    }

    // ---- messages

    /** A message is sent, and this call ends it. */
    void sends(int destination, int tag, int context, long length) {
        ThreadCall call = call();
        note(call, true, destination, tag, context, length);
        settleIfNeeded(call);
    }

    /** A message is sent and not ended yet; its end, if it is kept. */
    synchronized @Nullable MessageEnd begins(int destination, int tag, int context, long length) {
        recordWaiting();
        ThreadCall call = call();
        long now = now(call);
        ledger.settle(call, rank, now);
        MessageNote note = note(call, true, destination, tag, context, length);
        call.noted = 0;
        return ledger.sends(call, note, rank, now);
    }

    /** A moment after all that a call has done so far, as others see it: if there are no others, it need not be the last one. */
    private long now(ThreadCall call) {
        return call.depth > 0 && isAlone() ? call.begin : System.nanoTime();
    }

    /** Whether no other thread of the rank has ever called. */
    private boolean isAlone() {
        return threads.get() == 1;
    }

    private static long begun(ThreadCall call) {
        return call.depth > 0 ? call.begin : System.nanoTime();
    }

    private MessageNote note(ThreadCall call, boolean sent, int peer, int tag, int context, long length) {
        MessageNote note = call.note();
        note.sent = sent;
        note.peer = peer;
        note.tag = tag;
        note.context = context;
        note.length = length;
        note.sequence = Sequences.NOW;
        note.thread = call.thread;
        note.begun = begun(call);
        note.earliest = call.depth > 0 || isAlone() ? note.begun : Long.MIN_VALUE;
        return note;
    }

    private void settleIfNeeded(ThreadCall call) {
        if (call.isFull() || call.depth == 0) {
            synchronized (this) {
                recordWaiting();
                ledger.settle(call, rank, now(call));
            }
            if (call.depth == 0) {
                call.endOutside(System.nanoTime());
            }
        }
    }

    /** When the call of this thread began, or else now. */
    long begun() {
        return begun(call());
    }

    /** Number of this thread within the rank. */
    int thread() {
        return call().thread;
    }

    /**
     * Number of the message that a receive has been posted for.
     *
     * @param begun not before that
     */
    synchronized int posts(int source, int tag, int context, long begun) {
        recordWaiting();
        ThreadCall call = call();
        return ledger.posts(rank, source, tag, context, call.thread, begun, now(call));
    }

    /** A message that has a number was not sent. */
    synchronized void sendMissed(int destination, int tag, int context) {
        recordWaiting();
        ledger.misses(rank, destination, tag, context, true);
    }

    /** A receive has got no message, or one that has not been numbered. */
    synchronized void receiveMissed(int source, int tag, int context) {
        recordWaiting();
        ledger.misses(source, rank, tag, context, false);
    }

    /** A receive that takes any message has got one that has not been numbered. */
    synchronized void receiveMissedAny() {
        recordWaiting();
        ledger.missesAny();
    }

    /** A message of the program has been received by the call that asked for it. */
    void receives(int source, int tag, int context, long length) {
        ThreadCall call = call();
        note(call, false, source, tag, context, length);
        settleIfNeeded(call);
    }

    /** A message of the program has been received that was asked for before. */
    void receives(int poster, long posted, int sequence, int source, int tag, int context, long length) {
        ThreadCall call = call();
        MessageNote note = note(call, false, source, tag, context, length);
        note.thread = poster;
        note.begun = posted;
        note.earliest = posted;
        note.sequence = sequence;
        settleIfNeeded(call);
    }

    /** A message that is sent without blocking ends in the call of this thread. */
    void ends(MessageEnd end) {
        ThreadCall call = call();
        call.ends(end);
        if (call.depth == 0) {
            call.endOutside(System.nanoTime());
        }
    }

    // ---- the end

    /** Writes the file of the rank, unless it never was one or nothing has happened since. */
    public void write(boolean finished) {
        try {
            synchronized (this) {
                if (changed) {
                    recordWaiting();
                    ThreadCall call = call();
                    if (finished && call.site != ThreadCall.NONE) {
                        call.end = System.nanoTime(); // Finalize, which has nothing more to do
                        record(call);
                    } else {
                        ledger.settle(call, rank, System.nanoTime());
                    }
                    changed = !finished;
                    RankFiles.write(
                            ledger.toFile(rank, size, host, processors, clock, begin, System.nanoTime(), finished),
                            folder.resolve(ProfileSettings.fileOf(rank)));
                }
            }
        } catch (IOException impossible) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "The profile of rank {0} cannot be written: {1}",
                    String.valueOf(rank),
                    impossible);
        }
    }
}
