package org.galerna.link.verbs.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.Frames;
import org.galerna.link.transfer.RemoteOperation;
import org.galerna.link.transfer.TransferNetwork;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.ReceivePool;
import org.galerna.link.verbs.wire.Word;
import org.galerna.link.verbs.wire.WorkId;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.verbs.VerbsLibrary;
import org.galerna.nativeaccess.verbs.WorkCompletions;
import org.jspecify.annotations.Nullable;

/**
 * Takes completions and says so to those whom they concern. Whoever needs room, credit or messages looks for them; one
 * thread does it at a time, and the others need not wait for it.
 */
public final class CompletionPoller {
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

    private final ConnectionListener listener;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Connections connections;
    private final OwnerLock lock = new OwnerLock(ProcessFence.instance());
    private final WorkCompletions completions = new WorkCompletions(BATCH);
    private boolean closed; // guarded by the lock
    private final Queue<TransferNetwork.Finished> finished = new ConcurrentLinkedQueue<>();

    @SuppressWarnings("UnusedVariable") // read through TAKEN
    private long taken;

    @SuppressWarnings("UnusedVariable") // read through LOOKS
    private long looks;

    public CompletionPoller(
            ConnectionListener listener, Attachment attachment, ReceivePool pool, Connections connections) {
        this.listener = listener;
        this.attachment = attachment;
        this.pool = pool;
        this.connections = connections;
    }

    /** Takes what has completed; returns how much. */
    public int take() {
        if (!lock.tryLock()) {
            return 0;
        }
        try {
            if (closed) {
                return 0;
            }
            LOOKS.setOpaque(this, looks + 1);
            int count = attachment.completions().poll(completions);
            if (count < 0) {
                listener.fatal("the completion queue of adapter "
                        + attachment.adapter().name() + " cannot be polled");
                return 0;
            }
            for (int index = 0; index < count; index++) {
                long id = completions.id(index);
                if (WorkId.isSend(id)) {
                    sent(index, WorkId.peer(id), WorkId.sequence(id));
                } else {
                    received(index, (int) id);
                }
            }
            if (count > 0) {
                TAKEN.setRelease(this, taken + count); // after what they have changed
                VarHandle.fullFence(); // see SendQueue.push
            }
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** Ends looking for completions, and then does something. */
    public void close(Runnable action) {
        exclude(() -> {
            closed = true;
            action.run();
        });
    }

    /** Does something while nobody looks for completions. */
    public void exclude(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Completions so far; who sees the number sees what they have changed. */
    public long taken() {
        return (long) TAKEN.getAcquire(this);
    }

    /** How often somebody has looked for completions. */
    public long looks() {
        return (long) LOOKS.getOpaque(this);
    }

    private void sent(int index, int peer, long sequence) {
        Connection connection = connections.find(peer);
        if (connection == null) {
            return;
        }
        RemoteOperation operation = connection.sends().completed(sequence);
        int status = completions.status(index);
        String failure = status == WorkCompletions.SUCCESS ? null : describe(index);
        if (operation != null) {
            finished.add(new TransferNetwork.Finished(operation, failure));
        }
        if (failure != null) {
            listener.lose(peer, "the connection to it is broken: " + failure);
        }
    }

    private void received(int index, int slot) {
        int queuePair = completions.queuePair(index);
        if (completions.status(index) != WorkCompletions.SUCCESS) {
            Connection connection = connections.ofQueuePair(queuePair);
            if (connection != null) {
                listener.lose(connection.peer(), "the connection to it is broken: " + describe(index));
            }
            pool.repost(slot); // it is everybody's
            return;
        }
        int word = completions.hasImmediate(index)
                ? completions.immediate(index)
                : Frames.word(pool.memory(slot).get(Frames.LONG, pool.offset(slot)));
        Connection connection = connections.find(Word.rank(word));
        if (connection == null || !connection.has(queuePair)) {
            connection = connections.ofQueuePair(queuePair); // the word lies
            if (connection != null) {
                listener.lose(connection.peer(), "it says to be rank " + Word.rank(word));
            }
            pool.repost(slot);
            return;
        }
        connection.arrived(slot, completions.length(index), word);
    }

    private String describe(int index) {
        int vendor = completions.vendorError(index);
        return VerbsLibrary.open().describeStatus(completions.status(index))
                + (vendor == 0 ? "" : " (vendor's number " + vendor + ")");
    }

    /** The next operation that is over; null if there is none. */
    public TransferNetwork.@Nullable Finished next() {
        return finished.poll();
    }

    /** Gives up what is under way on a connection that is gone, whose completions nobody waits for. */
    public void abandon(Connection connection, String reason) {
        for (int index = 0; index < connection.sends().depth(); index++) {
            RemoteOperation operation = connection.sends().abandoned(index);
            if (operation != null) {
                finished.add(new TransferNetwork.Finished(operation, reason));
            }
        }
    }
}
