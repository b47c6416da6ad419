package org.galerna.sockets.network;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
import org.galerna.link.FrameHandler;
import org.galerna.link.Link;
import org.galerna.memory.RingViolationException;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.offer.OfferRegistry;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeLayout;
import org.galerna.sockets.pipe.PipeMemory;
import org.galerna.sockets.pipe.PipeTransport;
import org.galerna.sockets.pipe.RemoteLink;
import org.galerna.sockets.pipe.WakeupFd;
import org.galerna.sockets.platform.OwnThreads;
import org.galerna.sockets.report.ConnectionLog;
import org.galerna.sockets.report.Counters;
import org.galerna.sockets.settings.Settings;
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
public final class LinkConnection implements PipeTransport, RemoteLink, FrameHandler {
    private static final int POLL_LIMIT = 64;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long ROUND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long RETRY_NANOS = 500_000;

    private final Link link;
    private final LinkWriter writer;
    private final int peer;
    private final OfferRegistry<Ends> registry;
    private final Executor executor;
    private final Map<Integer, RemoteEnd> pipes = new ConcurrentHashMap<>();
    private final AtomicInteger nextId = new AtomicInteger();
    private final Queue<RemoteEnd> stalled = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> errands = new ConcurrentLinkedQueue<>();
    private final ReentrantLock polling = new ReentrantLock();
    private final Thread thread;

    private final Watch watch = new Watch();
    private final LinkLife life = new LinkLife();
    private final Farewell farewell;
    private final List<RemoteEnd> closing = new ArrayList<>(); // of the thread

    /**
     * The connection over a link that is open.
     *
     * @param peer rank of the other process
     * @param registry of the connections that this process has accepted
     * @param executor for what may wait
     */
    public LinkConnection(Link link, int peer, OfferRegistry<Ends> registry, Executor executor) {
        this.link = link;
        this.peer = peer;
        this.registry = registry;
        this.executor = executor;
        int mostBytes = Math.min(link.traits().maximumFrame() - LinkMessage.HEADER_BYTES, Pipe.STEP);
        this.writer = new LinkWriter(link.connect(peer), mostBytes, this::hasEnded);
        this.farewell = new Farewell(link, writer);
        this.thread = OwnThreads.make("galerna-sockets-" + link.name(), this::run);
    }

    public void start() {
        thread.start();
    }

    LinkWriter writer() {
        return writer;
    }

    /** Name of the network. */
    @Override
    public String network() {
        return link.name();
    }

    public boolean hasEnded() {
        return !life.isOpen();
    }

    /** Whether it carries no pipe. */
    public boolean isIdle() {
        return pipes.isEmpty();
    }

    /** Has something done soon that may wait. */
    public void execute(Runnable action) {
        executor.execute(action);
    }

    // ---- pipes

    /**
     * Offers a pipe for a connection of this process to the one at the other end, if the connection still wants it. May wait
     * until the link takes that.
     */
    public void offer(Ends ends, int ringBytes, UpgradableConnection connection) {
        RemoteEnd far =
                new RemoteEnd(this, nextId.getAndIncrement(), PipeMemory.ofThisProcess(ringBytes), PipeLayout.FORTH);
        Pipe pipe = add(far, PipeLayout.FORTH);
        if (!connection.attach(pipe)) {
            pipe.abandon();
            return;
        }
        ByteBuffer message = ByteBuffer.allocate(Ends.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ends.write(message);
        while (!hasEnded() && !writer.send(LinkMessage.OFFER, far.id(), ringBytes, message.array())) {
            if (!progress()) {
                LockSupport.parkNanos(this, RETRY_NANOS);
            }
        }
        writer.flush();
    }

    /** A pipe that this process was offered. */
    public Pipe accept(int id, int ringBytes, int roomThere) {
        RemoteEnd far = new RemoteEnd(this, id, PipeMemory.ofThisProcess(ringBytes), PipeLayout.BACK);
        Pipe pipe = add(far, PipeLayout.BACK);
        far.offered(roomThere);
        return pipe;
    }

    private Pipe add(RemoteEnd far, int outgoing) {
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
        RemoteEnd far = pipes.get(id);
        if (far != null) {
            far.withdraw();
        }
    }

    @Override
    public void forget(Pipe pipe, PipeMemory memory) {
        Counters.INSTANCE.left();
        RemoteEnd far = pipes.get(pipe.id());
        if (far != null && far.pipe() == pipe) {
            far.push();
            run(() -> closing.add(far)); // until the other end knows
        }
    }

    /** Nothing waits at the far end, which is played by the threads that look at the link. */
    @Override
    public boolean ring(int bell) {
        return true;
    }

    @Override
    public void unpark(int id, int direction) {
        // as above
    }

    @Override
    public boolean announce(WakeupFd bell) {
        return true;
    }

    // ---- sending

    /** A far end has more to say than the link takes at present. */
    public void stalled(RemoteEnd far) {
        if (!life.hasEnded() && far.stalls()) {
            stalled.add(far);
            want();
        }
    }

    // ---- what comes

    /** Takes what has come over the link, if nobody else is at it; true if that was something. */
    @Override
    public boolean progress() {
        watch.looked();
        return look();
    }

    private boolean look() {
        if (polling.isHeldByCurrentThread() || !polling.tryLock()) {
            return false;
        }
        try {
            if (life.hasEnded()) {
                return false;
            }
            boolean some = link.poll(this, POLL_LIMIT) > 0;
            if (!stalled.isEmpty()) {
                retry();
            }
            farewell.answer();
            return some;
        } finally {
            polling.unlock();
        }
    }

    private void retry() {
        int count = stalled.size();
        RemoteEnd far;
        while (count-- > 0 && (far = stalled.poll()) != null) {
            far.retry();
        }
    }

    @Override
    public void onFrame(int from, MemorySegment memory, long offset, int length) {
        if (hasEnded()) {
            return;
        }
        String wrong;
        try {
            wrong = length < LinkMessage.HEADER_BYTES ? "a message without a head" : handle(memory, offset, length);
        } catch (RingViolationException impossible) { // the ring is of this process
            wrong = String.valueOf(impossible.getMessage());
        }
        if (wrong != null) {
            life.fail("it does not keep to the protocol: " + wrong);
            link.waiter().wakeUp();
        }
    }

    private @Nullable String handle(MemorySegment memory, long offset, int length) {
        int kind = LinkMessage.kind(memory, offset);
        int id = LinkMessage.pipe(memory, offset);
        long value = LinkMessage.value(memory, offset);
        RemoteEnd far = pipes.get(id);
        switch (kind) {
            case LinkMessage.OFFER -> {
                return takeOffer(id, value, memory, offset, length);
            }
            case LinkMessage.DATA -> {
                farewell.goesOn();
                return far == null
                        ? null
                        : far.take(value, memory, offset + LinkMessage.HEADER_BYTES, length - LinkMessage.HEADER_BYTES);
            }
            case LinkMessage.BYE -> {
                farewell.heard();
                return null;
            }
            case LinkMessage.BYE_KNOWN -> {
                farewell.known();
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
        if (peer != LinkCall.CALLER
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
        life.fail(reason);
    }

    // ---- the thread

    /** The calling thread sleeps soon, and looks once more before: from then on the thread of the connection looks. */
    @Override
    public void want() {
        if (watch.call()) {
            LockSupport.unpark(thread);
        }
    }

    /** Has the thread do something. */
    private void run(Runnable errand) {
        errands.add(errand);
        if (!life.hasEnded()) {
            link.waiter().wakeUp();
        }
        LockSupport.unpark(thread);
    }

    private void run() {
        while (life.isOpen()) {
            try {
                round();
            } catch (RuntimeException defect) {
                ConnectionLog.defect(defect);
                life.fail(String.valueOf(defect.getMessage()));
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
        if (watch.leave()) {
            if (errands.isEmpty()) {
                LockSupport.parkNanos(this, PAUSE_NANOS); // until somebody calls, or brings an errand
            }
            watch.comeBack();
            return;
        }
        watch.take();
        link.waiter().prepare();
        if (look() || hasEnded() || !errands.isEmpty()) {
            link.waiter().cancel();
        } else {
            link.waiter().await(stalled.isEmpty() && closing.isEmpty() ? ROUND_NANOS : RETRY_NANOS);
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

    private void free(RemoteEnd far) {
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
            life.end();
        } finally {
            polling.unlock();
        }
        registry.ended(this);
        boolean order = farewell.wasHeard();
        if (!order) {
            ConnectionLog.lost(network(), life.reason());
        }
        for (RemoteEnd far : pipes.values()) {
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

    /** The process is about to end: a step towards that. Returns true when the other one has what was written, or is gone. */
    boolean leaves() {
        return hasEnded() || farewell.isOver(() -> pipes.values().stream().allMatch(RemoteEnd::isEmpty));
    }
}
