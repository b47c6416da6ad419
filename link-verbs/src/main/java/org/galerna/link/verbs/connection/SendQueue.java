package org.galerna.link.verbs.connection;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.process.ProcessFence;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;
import org.galerna.link.transfer.RemoteOperation;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.Endpoint;
import org.galerna.link.verbs.adapter.ReceivePool;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.wire.PeerInfo;
import org.galerna.link.verbs.wire.Word;
import org.galerna.link.verbs.wire.WorkId;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.SendRequest;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * What goes out to one peer: work requests on a queue pair, for frames in a ring, for words of the link itself, and for reads
 * and writes of memory. Any thread sends, inside one lock; the {@link CompletionPoller} says what is complete.
 *
 * <p>Argument: {@code completed} is written by the poller of completions after what it stands for (release), and read before it
 * is relied upon (acquire).
 */
public final class SendQueue {
    private static final VarHandle COMPLETED;

    static {
        try {
            COMPLETED = MethodHandles.lookup().findVarHandle(SendQueue.class, "completed", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Room for what the link itself says in a message. */
    private static final int WORD_BYTES = Frames.HEADER_BYTES + TransferFrame.BYTES;

    private final ConnectionListener listener;
    private final int rank;
    private final int peer;
    private final Sizes sizes;
    private final boolean immediate;
    private final int inlineLimit;
    private final Lifecycle life;
    private final Credit credit;
    private final SendRing ring;
    private final OwnerLock sending = new OwnerLock(ProcessFence.instance());
    private final SendRequest request = new SendRequest();
    private final MemorySegment words; // what the link itself says, by send
    private final int mask;
    private final long[] ringAfter; // by send: what of the ring is free once it is complete
    private final @Nullable RemoteOperation[] operations; // by send
    private final int signalEvery;
    private volatile @Nullable QueuePair pair;
    private @Nullable Endpoint endpoint; // with what follows from it, set before the first send
    private int ringKey;
    private int wordKey;
    private long posted;
    private long signaled; // sends up to here have been or will be reported
    private long ringPosted;
    private long ringSignaled;
    private long wordsSent;
    private volatile boolean blocked;

    @SuppressWarnings("UnusedVariable") // read through COMPLETED
    private long completed;

    SendQueue(
            ConnectionListener listener,
            int rank,
            int peer,
            Attachment attachment,
            Sizes sizes,
            Lifecycle life,
            Credit credit,
            boolean concurrentClaims) {
        this.listener = listener;
        this.rank = rank;
        this.peer = peer;
        this.sizes = sizes;
        this.immediate = attachment.hasImmediate();
        this.inlineLimit = attachment.inlineLimit();
        this.life = life;
        this.credit = credit;
        this.ring = new SendRing(sizes.ringBytes(), concurrentClaims);
        int sends = Math.max(1, Integer.highestOneBit(sizes.sends() * 2 - 1));
        this.mask = sends - 1;
        this.ringAfter = new long[sends];
        this.operations = new RemoteOperation[sends];
        this.words = Arena.ofAuto().allocate((long) sends * WORD_BYTES, 64);
        this.signalEvery = Math.max(1, sizes.sends() / 4);
    }

    /** Where frames are claimed. */
    public SendRing ring() {
        return ring;
    }

    /** The queue pair; null while there is none. */
    @Nullable
    QueuePair pair() {
        return pair;
    }

    /**
     * Makes what the connection needs; its receives are posted when this returns.
     *
     * @throws IllegalStateException if there is no room for one more peer, or this one is gone
     */
    QueuePair open(Attachment attachment, ReceivePool pool) throws VerbsException {
        sending.lock(); // excludes its end, after which nothing must be made any more
        try {
            QueuePair existing = pair;
            if (existing != null) {
                return existing;
            }
            if (life.state() == Connection.State.GONE) {
                throw new IllegalStateException("rank " + peer + " is gone");
            }
            Endpoint made = new Endpoint(attachment, pool, ring.memory(), words);
            endpoint = made;
            ringKey = made.ringKey();
            wordKey = made.wordKey();
            pair = made.pair();
            return made.pair();
        } finally {
            sending.unlock();
        }
    }

    /** Gives what was made back to the adapter, for another trial: nothing has gone over it. False if it is too late. */
    boolean reopen() {
        sending.lock();
        try {
            boolean connecting = life.state() == Connection.State.CONNECTING;
            if (connecting) {
                release();
            }
            return connecting;
        } finally {
            sending.unlock();
        }
    }

    /** Nothing is sent any more. */
    void end() {
        sending.lock();
        try {
            life.end();
        } finally {
            sending.unlock();
        }
    }

    /** Gives everything back to the adapter; nothing of it may be polled any more. */
    void close() {
        end();
        sending.lock();
        try {
            release();
        } finally {
            sending.unlock();
        }
    }

    private void release() {
        pair = null;
        if (endpoint != null) {
            endpoint.close();
            endpoint = null;
        }
    }

    /** Sends what is committed, as far as there is room and credit; returns whether that was something. */
    public boolean flush() {
        sending.lock();
        try {
            return push();
        } finally {
            sending.unlock();
        }
    }

    /** Whether the last {@link #flush} has left something behind that can still be sent. */
    public boolean isBlocked() {
        return blocked && life.isUp();
    }

    private boolean push() {
        boolean sent = false;
        while (life.isUp()) {
            int bytes = ring.ready(sizes.slotBytes());
            if (bytes == 0) {
                blocked = false;
                break;
            }
            if (!hasRoom(0) || credit.isSpent()) {
                if (blocked) {
                    break; // and it was so before the last look at what has come back
                }
                blocked = true;
                VarHandle.fullFence(); // pairs with that of the poller of completions: who has given back what is
                // missing sees the
                // flag
                continue;
            }
            sendFrames(bytes);
            blocked = false;
            sent = true;
        }
        return sent;
    }

    private boolean hasRoom(int reserved) {
        return posted - (long) COMPLETED.getAcquire(this) < sizes.sends() - reserved;
    }

    private void sendFrames(int bytes) {
        int start = ring.start();
        int word = Word.of(Word.FRAMES, rank, credit.takeDue());
        if (!immediate) {
            MemorySegment memory = ring.memory();
            memory.set(Frames.LONG, start, Frames.withWord(memory.get(Frames.LONG, start), word));
        }
        ringPosted = ring.sent(bytes);
        credit.use();
        // Of the ring less than a quarter is ever waiting for a completion that nobody has asked for, and a frame with
        // what it may have to skip takes less than three: so a claim that finds no room is always followed by some.
        boolean signal = posted + 1 - signaled >= signalEvery || ringPosted - ringSignaled >= sizes.ringBytes() / 4;
        request.send(id(), ring.memory().address() + start, bytes, ringKey, bytes <= inlineLimit, signal);
        if (immediate) {
            request.withImmediate(word);
        }
        post(signal, null);
    }

    private long id() {
        return WorkId.ofSend(peer, posted);
    }

    private void post(boolean signal, @Nullable RemoteOperation operation) {
        int index = (int) posted & mask;
        ringAfter[index] = ringPosted;
        operations[index] = operation;
        posted++;
        if (signal) {
            signaled = posted;
            ringSignaled = ringPosted;
        }
        QueuePair to = pair;
        int error = to == null ? 0 : to.post(request);
        if (error != 0) {
            listener.lose(peer, "the adapter takes no more work for it: " + VerbsException.describe(error));
        }
    }

    /** Gives credits back if it is time and nothing else goes that way; the polling thread. */
    public void giveCredits() {
        if (credit.isDue() && life.isUp()) {
            sending.lock();
            try {
                if (credit.isDue() && hasRoom(0)) {
                    sendWord();
                }
            } finally {
                sending.unlock();
            }
        }
    }

    private void sendWord() {
        int word = Word.of(Word.CREDIT, rank, credit.takeDue());
        boolean signal = posted + 1 - signaled >= signalEvery;
        if (immediate) {
            request.send(id(), 0, 0, 0, false, signal).withImmediate(word);
        } else {
            long at = (posted & mask) * WORD_BYTES;
            words.set(Frames.LONG, at, Frames.withWord(Frames.header(Frames.EMPTY, 0), word));
            request.send(id(), words.address() + at, Long.BYTES, wordKey, Long.BYTES <= inlineLimit, signal);
        }
        wordsSent++;
        post(signal, null);
    }

    /** Has the end of everything that was sent reported, by a write of no bytes, which costs the peer nothing. */
    private void mark() {
        PeerInfo peersInfo = life.info();
        if (signaled < posted && peersInfo != null && hasRoom(0)) {
            request.write(id(), 0, 0, 0, peersInfo.flushAddress(), peersInfo.flushKey());
            post(true, null);
        }
    }

    /**
     * Sends what it can, and has the end of it reported. That makes room in the ring, which what was sent without a report
     * may hold up if much of the rest was given up.
     */
    public void reclaim() {
        sending.lock();
        try {
            push();
            if (life.isUp()) {
                mark();
            }
        } finally {
            sending.unlock();
        }
    }

    /** Says something about a transfer; false if there is no room or credit at the moment. */
    public boolean sendTransfer(TransferFrame frame) {
        sending.lock();
        try {
            if (!life.isUp() || !hasRoom(0) || credit.isSpent()) {
                return false;
            }
            int word = Word.of(Word.FRAMES, rank, credit.takeDue());
            long at = (posted & mask) * WORD_BYTES;
            long header = Frames.header(Frames.TRANSFER, TransferFrame.BYTES);
            words.set(Frames.LONG, at, immediate ? header : Frames.withWord(header, word));
            frame.write(words, at + Frames.HEADER_BYTES);
            boolean signal = posted + 1 - signaled >= signalEvery;
            request.send(id(), words.address() + at, WORD_BYTES, wordKey, WORD_BYTES <= inlineLimit, signal);
            if (immediate) {
                request.withImmediate(word);
            }
            credit.use();
            post(signal, null);
            return true;
        } finally {
            sending.unlock();
        }
    }

    /**
     * Reads from or writes to memory of the peer.
     *
     * @return false if there is no room at the moment
     */
    public boolean start(RemoteOperation operation) {
        sending.lock();
        try {
            if (!life.isUp() || !hasRoom(Math.min(8, sizes.sends() / 2))) {
                return false;
            }
            fill(operation);
            post(true, operation);
            return true;
        } finally {
            sending.unlock();
        }
    }

    /** The keys of verbs have 32 bits. */
    private void fill(RemoteOperation operation) {
        if (operation.isRead()) {
            request.read(
                    id(), operation.local(), operation.length(), (int) operation.localKey(), operation.remote(), (int)
                            operation.remoteKey());
        } else {
            request.write(
                    id(), operation.local(), operation.length(), (int) operation.localKey(), operation.remote(), (int)
                            operation.remoteKey());
        }
    }

    /** Sends everything that is claimed; true once it is sent. For a rank that leaves. */
    public boolean finish() {
        sending.lock();
        try {
            push();
            if (!life.isUp() || ring.isEmpty()) {
                if (life.isUp()) {
                    mark();
                }
                return !life.isUp() || signaled == posted;
            }
            return false;
        } finally {
            sending.unlock();
        }
    }

    /** Messages that were sent. */
    public long messages() {
        sending.lock();
        try {
            return credit.used() + wordsSent;
        } finally {
            sending.unlock();
        }
    }

    /** Whether everything that was sent is at the peer. */
    public boolean isAcknowledged() {
        return !life.isUp() || (long) COMPLETED.getAcquire(this) >= posted;
    }

    /** A send has been reported, and with it all before. Returns what was to be done by it; null for a message. */
    @Nullable
    RemoteOperation completed(long sequence) {
        int index = (int) sequence & mask;
        RemoteOperation operation = operations[index];
        operations[index] = null;
        ring.release(ringAfter[index]);
        COMPLETED.setRelease(this, sequence + 1);
        return operation;
    }

    /** What was under way when the connection broke, and is not reported any more. */
    @Nullable
    RemoteOperation abandoned(int index) {
        RemoteOperation operation = operations[index & mask];
        operations[index & mask] = null;
        return operation;
    }

    /** Work requests that may be under way. */
    int depth() {
        return mask + 1;
    }
}
