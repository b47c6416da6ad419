package org.galerna.link.verbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.link.ProcessFence;
import org.galerna.link.support.Frames;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

/**
 * Takes completions and says so to those whom they concern. Whoever needs room, credit or messages harvests; one thread
 * does it at a time, and the others need not wait for it.
 */
final class CompletionPoller {
    private static final VarHandle TAKEN;
    private static final VarHandle LOOKS;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(CompletionPoller.class, "taken", long.class);
            LOOKS = MethodHandles.lookup().findVarHandle(CompletionPoller.class, "looks", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private static final int BATCH = 32;
    private static final long SEND = 1L << 62;
    private static final int PEER_SHIFT = 44;
    private static final long SEQUENCE_MASK = (1L << PEER_SHIFT) - 1;

    /** An operation that is over, and how. */
    record Finished(RemoteOperation operation, @Nullable String failure) {}

    private final VerbsLink link;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Connections connections;
    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private final Queue<Finished> finished = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("UnusedVariable") // read through TAKEN
    private long taken;

    @SuppressWarnings("UnusedVariable") // read through LOOKS
    private long looks;

    CompletionPoller(VerbsLink link, Attachment attachment, ReceivePool pool, Connections connections) {
        this.link = link;
        this.attachment = attachment;
        this.pool = pool;
        this.connections = connections;
    }

    /** The number of a send. */
    static long sendId(int peer, long sequence) {
        return SEND | ((long) peer << PEER_SHIFT) | (sequence & SEQUENCE_MASK);
    }

    /** Takes what has completed; returns how much. */
    int take() {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            if (link.isClosed()) {
                return 0;
            }
            LOOKS.setOpaque(this, looks + 1);
            int count = attachment.completions().poll(completions);
            if (count < 0) {
                link.fatal("the completion queue of adapter "
                        + attachment.adapter().name() + " cannot be polled");
                return 0;
            }
            for (int index = 0; index < count; index++) {
                long id = completions.id(index);
                if ((id & SEND) != 0) {
                    sent(index, (int) ((id & ~SEND) >>> PEER_SHIFT), id & SEQUENCE_MASK);
                } else {
                    received(index, (int) id);
                }
            }
            if (count > 0) {
                TAKEN.setRelease(this, taken + count); // after what they have changed
                VarHandle.fullFence(); // see Connection.push
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Excludes harvesting while something is done. */
    void exclude(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Completions so far; who sees the number sees what they have changed. */
    long taken() {
        return (long) TAKEN.getAcquire(this);
    }

    /** How often somebody has looked for completions. */
    long looks() {
        return (long) LOOKS.getOpaque(this);
    }

    private void sent(int index, int peer, long sequence) {
        Connection connection = connections.find(peer);
        if (connection == null) {
            return;
        }
        RemoteOperation operation = connection.completed(sequence);
        int status = completions.status(index);
        String failure = status == WorkCompletions.SUCCESS ? null : describe(index);
        if (operation != null) {
            finished.add(new Finished(operation, failure));
        }
        if (failure != null) {
            link.lose(peer, "the connection to it is broken: " + failure);
        }
    }

    private void received(int index, int slot) {
        int queuePair = completions.queuePair(index);
        if (completions.status(index) != WorkCompletions.SUCCESS) {
            Connection connection = connections.ofQueuePair(queuePair);
            if (connection != null) {
                link.lose(connection.peer(), "the connection to it is broken: " + describe(index));
            }
            link.repost(slot); // it is everybody's
            return;
        }
        int word = completions.hasImmediate(index)
                ? completions.immediate(index)
                : Frames.word(pool.memory(slot).get(Frames.LONG, pool.offset(slot)));
        Connection connection = connections.find(Word.rank(word));
        if (connection == null || !connection.has(queuePair)) {
            connection = connections.ofQueuePair(queuePair); // the word lies
            if (connection != null) {
                link.lose(connection.peer(), "it says to be rank " + Word.rank(word));
            }
            link.repost(slot);
            return;
        }
        connection.arrived(slot, completions.length(index), word);
    }

    private String describe(int index) {
        int vendor = completions.vendorError(index);
        return link.describeStatus(completions.status(index))
                + (vendor == 0 ? "" : " (vendor's number " + vendor + ")");
    }

    /** The next operation that is over; null if there is none. */
    @Nullable
    Finished next() {
        return finished.poll();
    }

    /** Gives up what is under way on a connection that is gone, whose completions nobody waits for. */
    void abandon(Connection connection, String reason) {
        for (int index = 0; index < connection.depth(); index++) {
            RemoteOperation operation = connection.abandoned(index);
            if (operation != null) {
                finished.add(new Finished(operation, reason));
            }
        }
    }
}
