package org.galerna.profile.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.device.Device;
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
    private final ThreadLocal<ThreadCall> calls =
            ThreadLocal.withInitial(() -> new ThreadCall(threads.getAndIncrement()));
    private final long begin = System.nanoTime();
    private final long clock = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - begin;

    // guarded by this
    private final Ledger ledger = new Ledger(begin);
    private int rank;
    private int size;
    private int host;
    private int processors;
    private boolean changed;

    Recorder(Path folder) {
        this.folder = folder;
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
        ledger.communicator(contexts, members);
    }

    // ---- calls

    /** Number of a new site. */
    public synchronized int site(String place, String call, CallKind kind) {
        return ledger.site(new Site(place, call, kind));
    }

    /** A call begins on this thread; to be told to {@link #exit}. */
    public ThreadCall enter(int site) {
        return enter(calls.get(), site, 0);
    }

    /**
     * A collective call begins; see {@link #enter}.
     *
     * @param waits whether all ranks of the communicator wait for each other in it
     */
    public ThreadCall enterCollective(int site, boolean waits, Communicator communicator) {
        ThreadCall call = calls.get();
        long together = 0;
        if (waits && call.depth == 0 && communicator.peers().length > 0) {
            together = Sequences.key(
                    communicator.contexts(), (long) communicator.peers()[0] << Integer.SIZE | communicator.size());
            call.contexts = communicator.contexts();
        }
        return enter(call, site, together);
    }

    private static ThreadCall enter(ThreadCall call, int site, long together) {
        if (call.depth++ == 0) {
            call.site = site;
            call.bytes = 0;
            call.together = together;
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
        long end = System.nanoTime();
        synchronized (this) {
            ledger.callEnds(call, end);
        }
        call.lastSite = call.site;
        call.lastEnd = end;
        call.site = ThreadCall.NONE;
        call.depth = 0;
    }

    // ---- messages

    /** A message is sent; its end, if it is kept. */
    @Nullable
    MessageEnd sends(int destination, int tag, int context, long length) {
        ThreadCall call = calls.get();
        long now = call.depth > 0 ? call.begin : System.nanoTime();
        synchronized (this) {
            MessageEnd end = ledger.sends(call, now, rank, destination, tag, context, length);
            ends(call, end);
            return end;
        }
    }

    /** When the call of this thread began, or else now. */
    long begun() {
        ThreadCall call = calls.get();
        return call.depth > 0 ? call.begin : System.nanoTime();
    }

    /** Number of this thread within the rank. */
    int thread() {
        return calls.get().thread;
    }

    /** Number of the message that a receive is posted for. */
    synchronized int posts(int source, int tag, int context) {
        return ledger.posts(rank, source, tag, context);
    }

    /** A message has been received. */
    void receives(int poster, long posted, int sequence, int source, int tag, int context, long length) {
        ThreadCall call = calls.get();
        synchronized (this) {
            ends(call, ledger.receives(call, poster, posted, sequence, rank, source, tag, context, length));
        }
    }

    /** A message that is sent without blocking ends in the call of this thread. */
    void ends(MessageEnd end) {
        ends(calls.get(), end);
    }

    private static void ends(ThreadCall call, @Nullable MessageEnd end) {
        if (end != null && call.depth > 0) {
            call.ends(end);
        } else if (end != null) {
            long now = System.nanoTime();
            end.ends(call.thread, now, now);
        }
    }

    // ---- the end

    /** Writes the file of the rank, unless it never was one or nothing has happened since. */
    public void write(boolean finished) {
        try {
            synchronized (this) {
                if (changed) {
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
