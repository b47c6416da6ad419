package org.galerna.link.verbs;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.FrameHandler;
import org.galerna.link.ProcessFence;
import org.galerna.link.support.Frames;
import org.galerna.link.support.SendRing;
import org.galerna.memory.OwnerLock;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.SendRequest;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair to one peer, and what is under way on it.
 *
 * <p><b>Flow control.</b> Each side has as many receives posted for the other as it gives credits, and {@link
 * Sizes#RESERVE} more. A message of frames costs its sender a credit, which comes back in the next message the other way,
 * after the receive was posted again; when half of them are due and no message goes the other way, in a message that has
 * nothing else. Such a message costs no credit: its receive is posted again as soon as it is seen. A peer that never polls
 * receives at most two of them, since it has no credit left for what would cause a third. So there is always a receive, and
 * an answer that says otherwise is an error.
 *
 * <p><b>Threads.</b> Three locks divide the fields: sending (any thread), the {@link CompletionPoller} of completions (any
 * thread), polling. What crosses is counted by one side and read by another: {@code granted}, {@code completed} and
 * {@code received} are written by the harvest, {@code consumed} by the polling thread, always after what they stand for
 * (release), and read before it is relied upon (acquire).
 */
final class Connection {
    private static final VarHandle GRANTED;
    private static final VarHandle COMPLETED;
    private static final VarHandle CONSUMED;
    private static final VarHandle RECEIVED;
    private static final VarHandle GIVEN_BACK;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            GRANTED = lookup.findVarHandle(Connection.class, "granted", long.class);
            COMPLETED = lookup.findVarHandle(Connection.class, "completed", long.class);
            RECEIVED = lookup.findVarHandle(Connection.class, "received", long.class);
            GIVEN_BACK = lookup.findVarHandle(Connection.class, "givenBack", long.class);
            CONSUMED = lookup.findVarHandle(Connection.class, "consumed", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** Room for what the link itself says in a message. */
    private static final int WORD_BYTES = Frames.HEADER_BYTES + TransferFrame.BYTES;

    /** How far it has got. */
    enum State {
        /** Nobody has done anything yet. */
        IDLE,
        /** The two sides find each other. */
        CONNECTING,
        UP,
        /** The peer has left or is lost. */
        GONE
    }

    private final VerbsLink link;
    private final int rank;
    private final int peer;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Sizes sizes;
    private final boolean immediate;
    private final int inlineLimit;
    private final SendRing ring;
    private final Inbound inbound;
    private final OwnerLock sending = new OwnerLock(ProcessFence.instance());
    private volatile State state = State.IDLE;
    private volatile @Nullable QueuePair pair;
    private volatile @Nullable PeerInfo info;
    private int restarts; // of the manager's thread

    // of the sender
    private final SendRequest request = new SendRequest();
    private final MemorySegment words; // what the link itself says, by send
    private final int mask;
    private final long[] ringAfter; // by send: what of the ring is free once it is complete
    private final @Nullable RemoteOperation[] operations; // by send
    private final int signalEvery;
    private @Nullable Endpoint endpoint; // with what follows from it, set before the first send
    private int ringKey;
    private int wordKey;
    private long posted;
    private long signaled; // sends up to here have been or will be reported
    private long ringPosted;
    private long ringSignaled;
    private long used; // credits
    private long wordsSent;
    private long givenBack; // credits
    private volatile boolean blocked;

    // of the harvest
    private long granted;

    @SuppressWarnings("UnusedVariable") // read through COMPLETED
    private long completed;

    private long received;
    private long framesArrived;

    // of the polling thread
    private long consumed;

    Connection(
            VerbsLink link, int peer, Attachment attachment, ReceivePool pool, Sizes sizes, boolean concurrentClaims) {
        this.link = link;
        this.rank = link.rank();
        this.peer = peer;
        this.attachment = attachment;
        this.pool = pool;
        this.sizes = sizes;
        this.immediate = attachment.hasImmediate();
        this.inlineLimit = attachment.inlineLimit();
        this.ring = new SendRing(sizes.ringBytes(), concurrentClaims);
        this.inbound = new Inbound(peer, pool, sizes);
        int sends = Math.max(1, Integer.highestOneBit(sizes.sends() * 2 - 1));
        this.mask = sends - 1;
        this.ringAfter = new long[sends];
        this.operations = new RemoteOperation[sends];
        this.words = Arena.ofAuto().allocate((long) sends * WORD_BYTES, 64);
        this.signalEvery = Math.max(1, sizes.sends() / 4);
        this.granted = sizes.credits();
    }

    int peer() {
        return peer;
    }

    SendRing ring() {
        return ring;
    }

    State state() {
        return state;
    }

    boolean isUp() {
        return state == State.UP;
    }

    /** What the peer has told of itself; null before it has. */
    @Nullable
    PeerInfo info() {
        return info;
    }

    // ---- coming and going; the manager's thread

    void connecting() {
        if (state == State.IDLE) {
            state = State.CONNECTING;
        }
    }

    /**
     * Makes what the connection needs; its receives are posted when this returns.
     *
     * @throws IllegalStateException if there is no room for one more peer, or this one is gone
     */
    QueuePair prepare() throws VerbsException {
        sending.lock(); // excludes its end, after which nothing must be made any more
        try {
            QueuePair existing = pair;
            if (existing != null) {
                return existing;
            }
            if (state == State.GONE) {
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

    /** Forgets what was made and told while connecting, for another trial: over what was made nothing has gone. */
    void restart() {
        sending.lock();
        try {
            if (state == State.CONNECTING) {
                restarts++;
                pair = null;
                info = null;
                closeEndpoint();
            }
        } finally {
            sending.unlock();
        }
    }

    /** How often it has begun anew. */
    int restarts() {
        return restarts;
    }

    private void closeEndpoint() {
        if (endpoint != null) {
            endpoint.close();
            endpoint = null;
        }
    }

    /** What the peer has told. */
    void inform(PeerInfo peersInfo) {
        info = peersInfo;
    }

    @Nullable
    QueuePair pair() {
        return pair;
    }

    /** Messages may be sent from now on. */
    void up() {
        if (state == State.CONNECTING) {
            state = State.UP;
            flush();
            link.wakeUp();
        }
    }

    /** Nothing is sent any more. */
    void gone() {
        sending.lock();
        try {
            state = State.GONE;
        } finally {
            sending.unlock();
        }
    }

    /** Gives everything back to the adapter; nothing of it may be polled any more. */
    void destroy() {
        gone();
        sending.lock();
        try {
            pair = null;
            closeEndpoint();
        } finally {
            sending.unlock();
        }
    }

    // ---- sending

    /** Sends what is committed, as far as there is room and credit; returns whether that was something. */
    boolean flush() {
        sending.lock();
        try {
            return push();
        } finally {
            sending.unlock();
        }
    }

    /** Whether the last {@link #flush} has left something behind that can still be sent. */
    boolean isBlocked() {
        return blocked && state == State.UP;
    }

    private boolean push() {
        boolean sent = false;
        while (state == State.UP) {
            int bytes = ring.ready(sizes.slotBytes());
            if (bytes == 0) {
                blocked = false;
                break;
            }
            if (!hasRoom(0) || used >= (long) GRANTED.getAcquire(this)) {
                if (blocked) {
                    break; // and it was so before the last look at what has come back
                }
                blocked = true;
                VarHandle.fullFence(); // pairs with that of the harvest: who has given back what is missing sees the
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
        int word = Word.of(Word.FRAMES, rank, takeDue());
        if (!immediate) {
            MemorySegment memory = ring.memory();
            memory.set(Frames.LONG, start, Frames.withWord(memory.get(Frames.LONG, start), word));
        }
        ringPosted = ring.sent(bytes);
        used++;
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
        return CompletionPoller.sendId(peer, posted);
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
            link.lose(peer, "the adapter takes no more work for it: " + VerbsException.describe(error));
        }
    }

    /** Credits to give back with the message that is about to be sent. */
    private int takeDue() {
        int due = (int) Math.min((long) CONSUMED.getAcquire(this) - givenBack, Word.MOST_CREDITS);
        GIVEN_BACK.setRelease(this, givenBack + due);
        return due;
    }

    /** Gives credits back if it is time and nothing else goes that way; the polling thread. */
    void giveCredits() {
        if (owesCredits() && state == State.UP) {
            sending.lock();
            try {
                if (owesCredits() && hasRoom(0)) {
                    sendWord();
                }
            } finally {
                sending.unlock();
            }
        }
    }

    private boolean owesCredits() {
        return consumed - givenBack >= sizes.creditThreshold();
    }

    private void sendWord() {
        int word = Word.of(Word.CREDIT, rank, takeDue());
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
        PeerInfo peersInfo = info;
        if (signaled < posted && peersInfo != null && hasRoom(0)) {
            request.write(id(), 0, 0, 0, peersInfo.flushAddress(), peersInfo.flushKey());
            post(true, null);
        }
    }

    /**
     * Sends what it can, and has the end of it reported. That makes room in the ring, which what was sent without a report
     * may hold up if much of the rest was given up.
     */
    void reclaim() {
        sending.lock();
        try {
            push();
            if (state == State.UP) {
                mark();
            }
        } finally {
            sending.unlock();
        }
    }

    /** Says something about a transfer; false if there is no room or credit at the moment. */
    boolean sendTransfer(TransferFrame frame) {
        sending.lock();
        try {
            if (state != State.UP || !hasRoom(0) || used >= (long) GRANTED.getAcquire(this)) {
                return false;
            }
            int word = Word.of(Word.FRAMES, rank, takeDue());
            long at = (posted & mask) * WORD_BYTES;
            long header = Frames.header(Frames.TRANSFER, TransferFrame.BYTES);
            words.set(Frames.LONG, at, immediate ? header : Frames.withWord(header, word));
            frame.write(words, at + Frames.HEADER_BYTES);
            boolean signal = posted + 1 - signaled >= signalEvery;
            request.send(id(), words.address() + at, WORD_BYTES, wordKey, WORD_BYTES <= inlineLimit, signal);
            if (immediate) {
                request.withImmediate(word);
            }
            used++;
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
    boolean start(RemoteOperation operation) {
        sending.lock();
        try {
            if (state != State.UP || !hasRoom(Math.min(8, sizes.sends() / 2))) {
                return false;
            }
            operation.fill(request, id());
            post(true, operation);
            return true;
        } finally {
            sending.unlock();
        }
    }

    /** Sends everything that is claimed; true once it is sent. For a rank that leaves. */
    boolean finish() {
        sending.lock();
        try {
            push();
            if (state != State.UP || ring.isEmpty()) {
                if (state == State.UP) {
                    mark();
                }
                return state != State.UP || signaled == posted;
            }
            return false;
        } finally {
            sending.unlock();
        }
    }

    /** Messages that were sent. */
    long messages() {
        sending.lock();
        try {
            return used + wordsSent;
        } finally {
            sending.unlock();
        }
    }

    /** Whether its queue pair has that number. */
    boolean has(int queuePair) {
        QueuePair made = pair;
        return made != null && made.number() == queuePair;
    }

    /** Whether its queue pair lies there. */
    boolean isAt(long address) {
        QueuePair made = pair;
        return made != null && made.address() == address;
    }

    /** Whether everything that was sent is at the peer. */
    boolean isAcknowledged() {
        return state != State.UP || (long) COMPLETED.getAcquire(this) >= posted;
    }

    // ---- completions; inside the harvest

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

    /** A message has come. */
    void arrived(int slot, int length, int word) {
        RECEIVED.setRelease(this, received + 1);
        GRANTED.setRelease(this, granted + Word.credits(word));
        if (state == State.CONNECTING) {
            link.tellUp(this); // a message may come before the word that all is ready
        }
        if (Word.kind(word) == Word.FRAMES && state != State.GONE) {
            // what the peer has got of credit was counted here before it was sent, and seen there before this was
            boolean covered = ++framesArrived <= sizes.credits() + (long) GIVEN_BACK.getAcquire(this);
            if (!covered || !inbound.add(slot, length)) {
                link.lose(peer, "it sends more than it was given credit for");
                repost(slot);
            }
            return;
        }
        repost(slot);
        if (Word.kind(word) != Word.CREDIT && Word.kind(word) != Word.FRAMES) {
            link.lose(peer, "it has sent a message of no known kind");
        }
    }

    private void repost(int slot) {
        link.repost(slot);
    }

    /** Messages that have come. */
    long received() {
        return (long) RECEIVED.getAcquire(this);
    }

    // ---- polling

    /** Hands frames over, and posts the receives of those that are done with. */
    int deliver(FrameHandler handler, Transfers transfers, int limit) {
        if (!inbound.hasMore()) {
            return 0;
        }
        int handled;
        try {
            handled = inbound.deliver(handler, transfers, this, limit);
        } catch (ProtocolException wrong) {
            link.lose(peer, "it does not keep to the protocol: " + wrong.getMessage());
            return 0;
        } finally {
            try {
                int freed = inbound.postFreed();
                if (freed > 0) {
                    CONSUMED.setRelease(this, consumed + freed);
                }
            } catch (VerbsException broken) {
                link.fatal(String.valueOf(broken.getMessage()));
            }
        }
        return handled;
    }

    /** Whether something has come that was not handed over. */
    boolean hasInbound() {
        return inbound.hasMore();
    }

    /** Whether there is more to do for it though nothing comes: to hand over, to send, or to give back. */
    boolean isUnfinished() {
        return isBlocked() || inbound.hasMore() || owesCredits();
    }

    /** Gives the receives of what was not handed over to the others; after {@link #destroy}, in the harvest's lock. */
    void discardInbound() {
        try {
            inbound.discard();
        } catch (VerbsException broken) {
            link.fatal(String.valueOf(broken.getMessage()));
        }
    }
}
