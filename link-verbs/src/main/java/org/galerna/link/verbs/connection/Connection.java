package org.galerna.link.verbs.connection;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.galerna.link.FrameHandler;
import org.galerna.link.support.ProtocolException;
import org.galerna.link.transfer.FramePeer;
import org.galerna.link.transfer.RemoteOperation;
import org.galerna.link.transfer.TransferFrame;
import org.galerna.link.transfer.TransferFrames;
import org.galerna.link.verbs.adapter.Attachment;
import org.galerna.link.verbs.adapter.ReceivePool;
import org.galerna.link.verbs.adapter.Sizes;
import org.galerna.link.verbs.wire.PeerInfo;
import org.galerna.link.verbs.wire.Word;
import org.galerna.nativeaccess.verbs.QueuePair;
import org.galerna.nativeaccess.verbs.VerbsException;
import org.jspecify.annotations.Nullable;

/**
 * The queue pair to one peer, and what is under way on it: its {@link Lifecycle}, its {@link SendQueue}, its {@link Credit}, and
 * what has come in. The thread of the manager makes it, the poller of completions says what has come, the polling thread hands
 * that over.
 */
public final class Connection implements FramePeer {
    private static final VarHandle RECEIVED;

    static {
        try {
            RECEIVED = MethodHandles.lookup().findVarHandle(Connection.class, "received", long.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    /** How far it has got. */
    public enum State {
        /** Nobody has done anything yet. */
        IDLE,
        /** The two sides find each other. */
        CONNECTING,
        UP,
        /** The peer has left or is lost. */
        GONE
    }

    private final ConnectionListener listener;
    private final int peer;
    private final Attachment attachment;
    private final ReceivePool pool;
    private final Lifecycle life = new Lifecycle();
    private final Credit credit;
    private final SendQueue sends;
    private final Inbound inbound;
    private int restarts; // of the manager's thread
    private long received; // written by the poller of completions, after the message (release)

    public Connection(
            ConnectionListener listener,
            int rank,
            int peer,
            Attachment attachment,
            ReceivePool pool,
            Sizes sizes,
            boolean concurrentClaims) {
        this.listener = listener;
        this.peer = peer;
        this.attachment = attachment;
        this.pool = pool;
        this.credit = new Credit(sizes);
        this.sends = new SendQueue(listener, rank, peer, attachment, sizes, life, credit, concurrentClaims);
        this.inbound = new Inbound(peer, pool, sizes);
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public boolean sendTransfer(TransferFrame frame) {
        return sends.sendTransfer(frame);
    }

    @Override
    public boolean start(RemoteOperation operation) {
        return sends.start(operation);
    }

    /** What goes out. */
    public SendQueue sends() {
        return sends;
    }

    public State state() {
        return life.state();
    }

    @Override
    public boolean isUp() {
        return life.isUp();
    }

    /** What the peer has told of itself; null before it has. */
    public @Nullable PeerInfo info() {
        return life.info();
    }

    // ---- coming and going; the manager's thread

    /** The two sides find each other from now on. */
    public void connecting() {
        life.begin();
    }

    /**
     * Makes what the connection needs; its receives are posted when this returns.
     *
     * @throws IllegalStateException if there is no room for one more peer, or this one is gone
     */
    public QueuePair prepare() throws VerbsException {
        return sends.open(attachment, pool);
    }

    /** Forgets what was made and told while connecting, for another trial: over what was made nothing has gone. */
    public void restart() {
        if (sends.reopen()) {
            restarts++;
            life.inform(null);
        }
    }

    /** How often it has begun anew. */
    public int restarts() {
        return restarts;
    }

    /** What the peer has told. */
    public void inform(PeerInfo peersInfo) {
        life.inform(peersInfo);
    }

    /** The queue pair; null while there is none. */
    public @Nullable QueuePair pair() {
        return sends.pair();
    }

    /** Messages may be sent from now on. */
    public void up() {
        if (life.establish()) {
            sends.flush();
            listener.madeUp(peer, restarts + 1);
        }
    }

    /** Nothing is sent any more. */
    public void gone() {
        sends.end();
    }

    /** Gives everything back to the adapter; nothing of it may be polled any more. */
    public void destroy() {
        sends.close();
    }

    /** Whether its queue pair has that number. */
    boolean has(int queuePair) {
        QueuePair made = sends.pair();
        return made != null && made.number() == queuePair;
    }

    /** Whether its queue pair lies there. */
    boolean isAt(long address) {
        QueuePair made = sends.pair();
        return made != null && made.address() == address;
    }

    // ---- completions; under the lock of the poller

    /** A message has come. */
    void arrived(int slot, int length, int word) {
        RECEIVED.setRelease(this, received + 1);
        credit.grant(Word.credits(word));
        if (life.state() == State.CONNECTING) {
            listener.heardOf(this); // a message may come before the word that all is ready
        }
        if (Word.kind(word) == Word.FRAMES && life.state() != State.GONE) {
            if (!credit.covers() || !inbound.add(slot, length)) {
                listener.lose(peer, "it sends more than it was given credit for");
                pool.repost(slot);
            }
            return;
        }
        pool.repost(slot);
        if (Word.kind(word) != Word.CREDIT && Word.kind(word) != Word.FRAMES) {
            listener.lose(peer, "it has sent a message of no known kind");
        }
    }

    @Override
    public long received() {
        return (long) RECEIVED.getAcquire(this);
    }

    // ---- polling

    /** Also posts the receives of messages that are done with. */
    @Override
    public int deliver(FrameHandler handler, TransferFrames transfers, int limit) {
        if (!inbound.hasMore()) {
            return 0;
        }
        int handled;
        try {
            handled = inbound.deliver(handler, transfers, this, limit);
        } catch (ProtocolException wrong) {
            listener.lose(peer, "it does not keep to the protocol: " + wrong.getMessage());
            return 0;
        } finally {
            try {
                int freed = inbound.postFreed();
                if (freed > 0) {
                    credit.consumed(freed);
                }
            } catch (VerbsException broken) {
                listener.fatal(String.valueOf(broken.getMessage()));
            }
        }
        return handled;
    }

    @Override
    public boolean hasInbound() {
        return inbound.hasMore();
    }

    /** Whether there is more to do for it though nothing comes: to hand over, to send, or to give back. */
    public boolean isUnfinished() {
        return sends.isBlocked() || inbound.hasMore() || credit.isDue();
    }

    /** Gives the receives of what was not handed over to the others; after {@link #destroy}, under the lock of the poller. */
    public void discardInbound() {
        try {
            inbound.discard();
        } catch (VerbsException broken) {
            listener.fatal(String.valueOf(broken.getMessage()));
        }
    }
}
