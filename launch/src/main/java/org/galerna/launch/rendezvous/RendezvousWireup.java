package org.galerna.launch.rendezvous;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.galerna.link.CommunicationException;
import org.galerna.link.PeerLostException;
import org.galerna.link.RankMonitor;
import org.galerna.link.Wireup;
import org.jspecify.annotations.Nullable;

/** The wire-up of a rank in a process that {@code galerna run} has started, through the agent of its host. */
public final class RendezvousWireup implements Wireup {
    private final AgentConnection agent;
    private final int rank;
    private final Abort abort;
    private final Map<String, byte[]> own = new ConcurrentHashMap<>();
    /** What all ranks have published, by key. */
    private final Map<String, byte[]> common = new ConcurrentHashMap<>();
    /** Who is told of those that stay, by the name of what this rank leaves. */
    private final Map<String, Consumer<BitSet>> leaving = new ConcurrentHashMap<>();

    private volatile @Nullable RankMonitor monitor;
    /** One question at a time. */
    private final ReentrantLock asking = new ReentrantLock();

    private final ReentrantLock fencing = new ReentrantLock();
    // guarded by this
    private final List<Value> unpublished = new ArrayList<>();
    private long fences;
    private boolean arrived;
    private @Nullable String brokenFence;
    private final Queue<Message> answers = new ArrayDeque<>();

    RendezvousWireup(AgentConnection agent, int rank, Abort abort) {
        this.agent = agent;
        this.rank = rank;
        this.abort = abort;
    }

    /** Ends the job on behalf of a rank. */
    @FunctionalInterface
    public interface Abort {
        /** Called on the thread that aborts; see {@link Wireup#abort}. */
        void abort(int rank, int status, String reason);
    }

    @Override
    public String job() {
        return agent.welcome().job();
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return agent.welcome().size();
    }

    @Override
    public boolean isOneHost() {
        return agent.welcome().oneHost();
    }

    @Override
    public boolean isAlone() {
        return agent.isOfOneRank();
    }

    @Override
    public void put(String key, byte[] value) {
        if (value.length > MAXIMUM_VALUE) {
            throw new IllegalArgumentException("value of key " + key + " has " + value.length + " bytes, at most "
                    + MAXIMUM_VALUE + " are carried");
        }
        byte[] copy = value.clone();
        own.put(key, copy);
        synchronized (this) {
            unpublished.add(new Value(rank, key, copy));
        }
    }

    @Override
    public void fence() {
        fencing.lock();
        try {
            long mine = arrive();
            awaitFence(mine);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CommunicationException("rank " + rank + " was interrupted while it waited for the others");
        } finally {
            fencing.unlock();
        }
    }

    /** Tells the others, unless a call that was interrupted has done so already; returns the number of the fence. */
    private long arrive() {
        Message message;
        long mine;
        synchronized (this) {
            mine = fences;
            if (arrived) {
                return mine;
            }
            arrived = true;
            message = Message.of(Kind.FENCE, rank, mine, Value.write(unpublished));
            unpublished.clear();
        }
        agent.send(message);
        return mine;
    }

    private synchronized void awaitFence(long mine) throws InterruptedException {
        while (fences == mine) {
            if (brokenFence != null) {
                throw new PeerLostException("rank " + rank + " waits for all ranks to arrive, but " + brokenFence);
            }
            wait();
        }
    }

    @Override
    public byte[] get(int peer, String key) {
        byte[] value = peer == rank ? own.get(key) : common.get(key);
        if (value == null && peer != rank) {
            value = agent.value(peer, key, passed(), this::ask);
        }
        if (value == null) {
            throw new CommunicationException("rank " + peer + " of " + job() + " has published no value of key " + key);
        }
        return value.clone();
    }

    @Override
    public Optional<byte[]> common(String key) {
        return Optional.ofNullable(common.get(key)).map(byte[]::clone);
    }

    private synchronized long passed() {
        return fences;
    }

    private List<byte @Nullable []> ask(Values wanted) {
        asking.lock();
        try {
            agent.send(wanted.question(rank));
            return Values.read(awaitAnswer());
        } finally {
            asking.unlock();
        }
    }

    /** Not to be interrupted: the agent answers at once, and an answer that nobody takes would be taken for the next. */
    private synchronized Message awaitAnswer() {
        boolean interrupted = false;
        Message answer;
        while ((answer = answers.poll()) == null) {
            try {
                wait();
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return answer;
    }

    /** The agent has answered, or told all. */
    void answered(Message message) {
        if (message.kind() == Kind.LEFT) {
            stay(message.fields());
        } else {
            wake(message);
        }
    }

    private void stay(FieldReader left) {
        String name = left.text();
        BitSet staying = BitSet.valueOf(left.bytes());
        Consumer<BitSet> told = staying.isEmpty() ? leaving.remove(name) : leaving.get(name);
        if (told != null) {
            told.accept(staying);
        }
    }

    /** A rank is gone, so that it never arrives at a fence. */
    synchronized void missOther(int peer) {
        if (brokenFence == null) {
            brokenFence = "rank " + peer + " has ended";
            notifyAll();
        }
    }

    private synchronized void wake(Message message) {
        switch (message.kind()) {
            case FENCED -> {
                CommonValue.read(message.fields()).forEach(each -> each.putTo(common));
                fences = message.number() + 1;
                arrived = false;
            }
            case FENCE_BROKEN -> brokenFence = message.text();
            default -> answers.add(message);
        }
        notifyAll();
    }

    @Override
    public boolean leave(String name, Consumer<BitSet> staying) {
        leaving.put(name, staying);
        agent.tell(Message.of(Kind.LEAVES, rank, 0, name));
        return true;
    }

    @Override
    public void askWhoStays(String name) {
        agent.tell(Message.of(Kind.LEAVES, rank, 1, name));
    }

    @Override
    public void abort(int status, String reason) {
        abort.abort(rank, status, reason);
    }

    @Override
    public void observe(RankMonitor monitor) {
        this.monitor = monitor;
        agent.tell(Message.of(Kind.JOINED, rank, 0));
    }

    Optional<RankMonitor> monitor() {
        return Optional.ofNullable(monitor);
    }

    @Override
    public Optional<String> endOf(int peer) {
        return Optional.ofNullable(agent.endOf(peer));
    }

    @Override
    public void close() {
        // the conversation goes on: what a rank does after MPI.Finalize is of interest too
    }
}
