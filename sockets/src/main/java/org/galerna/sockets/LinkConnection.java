package org.galerna.sockets;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.galerna.link.Channel;
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.memory.ByteRingConsumer;
import org.galerna.memory.RingViolationException;
import org.jspecify.annotations.Nullable;

/**
 * A link between this process and one on another host, and the pipes whose bytes it carries.
 *
 * <p>A thread that waits for a pipe polls the link itself ({@link #progress}), so that no other thread stands between a
 * message and its receiver. For threads that sleep, a thread of the connection polls. It sleeps at the link while no other
 * thread polls, and stays away while one does, so as not to take that one's messages. A thread that is about to sleep
 * {@linkplain #want says so}; then the thread of the connection returns to the link, at the latest after {@value
 * #PAUSE_NANOS} ns.
 */
final class LinkConnection implements Carrier, FrameHandler {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final int POLL_LIMIT = 64;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NANOS = 500_000;

    private final Link link;
    private final Channel channel;
    private final int peer;
    private final Registry<Ends> registry;
    private final Executor executor;
    private final int mostBytes;
    private final Map<Integer, FarEnd> pipes = new ConcurrentHashMap<>();
    private final AtomicInteger nextId = new AtomicInteger();
    private final Queue<FarEnd> stalled = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final ReentrantLock polling = new ReentrantLock();
    private final Thread thread;

    private volatile boolean looked; // somebody else has looked at the link
    private volatile boolean wanted; // somebody is about to sleep
    private volatile boolean pauses; // the thread keeps away
    private volatile @Nullable String fault; // why this must end
    private volatile boolean bye; // the peer has said that it is about to end
    private volatile boolean owesBye; // an answer to that
    private volatile boolean byeKnown; // there
    private volatile boolean ended;
    private final List<FarEnd> closing = new ArrayList<>(); // of the thread

    /**
     * The connection over a link that is open.
     *
     * @param peer rank of the other process
     * @param registry of the connections that this process has accepted
     * @param executor for what may wait
     */
    LinkConnection(Link link, int peer, Registry<Ends> registry, Executor executor) {
        this.link = link;
        this.peer = peer;
        this.channel = link.connect(peer);
        this.registry = registry;
        this.executor = executor;
        this.mostBytes = Math.min(link.capabilities().maximumFrame() - LinkMessage.HEADER_BYTES, Pipe.STEP);
        this.thread = OwnThreads.make("galerna-sockets-" + link.name(), this::run);
    }

    void start() {
        thread.start();
    }

    /** Name of the network. */
    String network() {
        return link.name();
    }

    boolean hasEnded() {
        return ended || fault != null;
    }

    /** Whether it carries no pipe. */
    boolean isIdle() {
        return pipes.isEmpty();
    }

    /** Has something done soon that may wait. */
    void execute(Runnable action) {
        executor.execute(action);
    }

    // ---- pipes

    /**
     * Offers a pipe for a connection of this process to the one at the other end, if the connection still wants it. May wait
     * until the link takes that.
     */
    void offer(Ends ends, int ringBytes, TurningConnection connection) {
        FarEnd far = new FarEnd(this, nextId.getAndIncrement(), PipeMemory.ofThisProcess(ringBytes), PipeLayout.FORTH);
        Pipe pipe = add(far, PipeLayout.FORTH);
        if (!connection.attach(pipe)) {
            pipe.abandon();
            return;
        }
        ByteBuffer message = ByteBuffer.allocate(Ends.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ends.write(message);
        while (!hasEnded() && !send(LinkMessage.OFFER, far.id(), ringBytes, message.array())) {
            if (!progress()) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
        flush();
    }

    /** A pipe that this process was offered. */
    Pipe accept(int id, int ringBytes, int roomThere) {
        FarEnd far = new FarEnd(this, id, PipeMemory.ofThisProcess(ringBytes), PipeLayout.BACK);
        Pipe pipe = add(far, PipeLayout.BACK);
        far.offered(roomThere);
        return pipe;
    }

    private Pipe add(FarEnd far, int outgoing) {
        Pipe pipe = new Pipe(far.memory(), outgoing, this, far.id(), far);
        far.belongsTo(pipe);
        pipes.put(far.id(), far);
        if (hasEnded()) {
            far.lost(false);
        }
        return pipe;
    }

    @Override
    public void withdraw(int id) {
        FarEnd far = pipes.get(id);
        if (far != null) {
            far.withdraw();
        }
    }

    @Override
    public void forget(Pipe pipe, PipeMemory memory) {
        Counters.INSTANCE.left();
        FarEnd far = pipes.get(pipe.id());
        if (far != null && far.pipe() == pipe) {
            far.push();
            run(() -> closing.add(far)); // until the other end knows
        }
    }

    /** Nobody waits at the far end, which is played by whoever looks at the link. */
    @Override
    public boolean ring(int bell) {
        return true;
    }

    @Override
    public void unpark(int id, int direction) {
        // as above
    }

    @Override
    public boolean announce(Bell bell) {
        return true;
    }

    // ---- sending

    /** Longest piece of a stream in one frame, in bytes. */
    int mostBytes() {
        return mostBytes;
    }

    /** A far end has more to say than the link takes at present. */
    void stalled(FarEnd far) {
        if (!ended && far.stalls()) {
            stalled.add(far);
            want();
        }
    }

    /** Sends a message; false if the link does not take it at present. */
    boolean send(int kind, int id, long value) {
        return send(kind, id, value, new byte[0]);
    }

    private boolean send(int kind, int id, long value, byte[] more) {
        long claim = claim(LinkMessage.HEADER_BYTES + more.length);
        if (claim < 0) {
            return claim == Channel.CLOSED;
        }
        MemorySegment memory = channel.memory();
        long offset = Channel.offset(claim);
        header(memory, offset, kind, id, value);
        MemorySegment.copy(more, 0, memory, ValueLayout.JAVA_BYTE, offset + LinkMessage.HEADER_BYTES, more.length);
        channel.commit(claim, LinkMessage.HEADER_BYTES + more.length);
        return true;
    }

    /** Sends the next bytes of a stream, which are there; false as above. */
    boolean send(int id, long before, ByteRingConsumer source, int count) {
        long claim = claim(LinkMessage.HEADER_BYTES + count);
        if (claim < 0) {
            return false;
        }
        MemorySegment memory = channel.memory();
        long offset = Channel.offset(claim);
        header(memory, offset, LinkMessage.DATA, id, before);
        source.read(memory, offset + LinkMessage.HEADER_BYTES, count);
        channel.commit(claim, LinkMessage.HEADER_BYTES + count);
        return true;
    }

    private long claim(int length) {
        return hasEnded() ? Channel.CLOSED : channel.claim(length);
    }

    private static void header(MemorySegment memory, long offset, int kind, int id, long value) {
        memory.set(INT, offset + LinkMessage.KIND, kind);
        memory.set(INT, offset + LinkMessage.PIPE, id);
        memory.set(LONG, offset + LinkMessage.VALUE, value);
    }

    /** Sets on its way what was sent. */
    void flush() {
        channel.flush();
    }

    // ---- what comes

    /** Takes what has come over the link, if nobody else is at it; true if that was something. */
    boolean progress() {
        looked = true;
        return look();
    }

    private boolean look() {
        if (polling.isHeldByCurrentThread() || !polling.tryLock()) {
            return false;
        }
        try {
            if (ended) {
                return false;
            }
            boolean some = link.poll(this, POLL_LIMIT) > 0;
            if (!stalled.isEmpty()) {
                retry();
            }
            if (owesBye && send(LinkMessage.BYE_KNOWN, 0, 0)) {
                owesBye = false;
                flush();
            }
            return some;
        } finally {
            polling.unlock();
        }
    }

    private void retry() {
        int count = stalled.size();
        FarEnd far;
        while (count-- > 0 && (far = stalled.poll()) != null) {
            far.retry();
        }
    }

    @Override
    public void onFrame(int from, MemorySegment memory, long offset, int length) {
        if (fault != null) {
            return;
        }
        String wrong;
        try {
            wrong = length < LinkMessage.HEADER_BYTES ? "a message without a head" : handle(memory, offset, length);
        } catch (RingViolationException impossible) { // the ring is of this process
            wrong = String.valueOf(impossible.getMessage());
        }
        if (wrong != null) {
            fault = "it does not keep to the protocol: " + wrong;
            link.wakeUp();
        }
    }

    private @Nullable String handle(MemorySegment memory, long offset, int length) {
        int kind = memory.get(INT, offset + LinkMessage.KIND);
        int id = memory.get(INT, offset + LinkMessage.PIPE);
        long value = memory.get(LONG, offset + LinkMessage.VALUE);
        FarEnd far = pipes.get(id);
        switch (kind) {
            case LinkMessage.OFFER -> {
                return takeOffer(id, value, memory, offset, length);
            }
            case LinkMessage.DATA -> {
                bye = false;
                return far == null
                        ? null
                        : far.take(value, memory, offset + LinkMessage.HEADER_BYTES, length - LinkMessage.HEADER_BYTES);
            }
            case LinkMessage.BYE -> {
                bye = true;
                owesBye = true;
                return null;
            }
            case LinkMessage.BYE_KNOWN -> {
                byeKnown = true;
                return null;
            }
            default -> {
                if (kind < LinkMessage.ACCEPT || kind > LinkMessage.SPILL_READ) {
                    return "a message of an unknown kind";
                }
                if (kind == LinkMessage.WITHDRAW) {
                    registry.withdrawn(this, id);
                }
                return far == null ? null : far.handle(kind, value);
            }
        }
    }

    private @Nullable String takeOffer(int id, long roomThere, MemorySegment memory, long offset, int length) {
        if (peer != LinkControl.CALLER
                || pipes.containsKey(id)
                || length != LinkMessage.HEADER_BYTES + Ends.BYTES
                || roomThere < Settings.LEAST_RING
                || roomThere > Settings.MOST_RING) {
            return "an offer that cannot be";
        }
        byte[] bytes = new byte[Ends.BYTES];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, offset + LinkMessage.HEADER_BYTES, bytes, 0, bytes.length);
        Ends ends = Ends.read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
        if (ends == null) {
            return "an offer for no connection";
        }
        registry.offered(new LinkOffer(this, id, (int) roomThere), ends);
        return null;
    }

    @Override
    public void onPeerLost(int lost, String reason) {
        fault = reason;
    }

    // ---- the thread

    /** Who calls this sleeps soon, and looks once more before: from then on the thread looks. */
    void want() {
        wanted = true;
        VarHandle.fullFence();
        if (pauses) {
            LockSupport.unpark(thread);
        }
    }

    /** Has the thread do something. */
    private void run(Runnable errand) {
        errands.add(errand);
        if (!ended) {
            link.wakeUp();
        }
        LockSupport.unpark(thread);
    }

    private void run() {
        while (fault == null) {
            try {
                round();
            } catch (RuntimeException defect) {
                Journal.defect(defect);
                fault = String.valueOf(defect.getMessage());
            }
        }
        end();
    }

    private void round() {
        Runnable errand;
        while ((errand = errands.poll()) != null) {
            errand.run();
        }
        freeClosed();
        if (looked && !wanted) {
            looked = false;
            pauses = true;
            VarHandle.fullFence();
            if (!wanted && errands.isEmpty()) {
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
            pauses = false;
            return;
        }
        looked = false;
        wanted = false;
        link.prepareAwait();
        if (look() || fault != null || !errands.isEmpty()) {
            link.cancelAwait();
        } else {
            link.await(stalled.isEmpty() && closing.isEmpty() ? ROUND_NANOS : RETRY_NANOS);
            look();
        }
    }

    /** Gives the memory back of pipes that are closed and of which everything is told. */
    private void freeClosed() {
        if (!closing.isEmpty()) {
            closing.removeIf(far -> {
                if (!far.isDone()) {
                    return false;
                }
                free(far);
                return true;
            });
        }
    }

    private void free(FarEnd far) {
        polling.lock(); // nobody handles what comes for it, and
        try {
            far.end(); // nobody tells anything of it
            pipes.remove(far.id(), far);
            stalled.remove(far);
            far.memory().free();
        } finally {
            polling.unlock();
        }
    }

    private void end() {
        polling.lock();
        try {
            ended = true;
        } finally {
            polling.unlock();
        }
        registry.ended(this);
        boolean order = bye;
        if (!order) {
            Journal.lost(network(), String.valueOf(fault));
        }
        for (FarEnd far : pipes.values()) {
            far.lost(order);
        }
        link.close();
        // until the program has closed their connections, and nobody has had the time to make another one
        for (boolean empty = false; !empty || !pipes.isEmpty(); empty = pipes.isEmpty()) {
            Runnable errand;
            while ((errand = errands.poll()) != null) {
                errand.run();
            }
            freeClosed();
            if (errands.isEmpty()) {
                LockSupport.parkNanos(this, ROUND_NANOS);
            }
        }
    }

    /**
     * The process is about to end: waits until the other one has what was written, at most until a time.
     *
     * @param deadline as of {@link System#nanoTime}
     */
    void sayBye(long deadline) {
        boolean said = false;
        while (!hasEnded() && !byeKnown && System.nanoTime() - deadline < 0) {
            if (!said && pipes.values().stream().allMatch(FarEnd::isEmpty)) {
                said = send(LinkMessage.BYE, 0, 0);
                flush();
            }
            if (!progress()) {
                LockSupport.parkNanos(this, PAUSE_NANOS / 10);
            }
        }
    }
}
