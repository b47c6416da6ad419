package org.galerna.testkit.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.galerna.device.Compound;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.device.Waited;
import org.galerna.device.support.Arguments;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.Conversations;
import org.galerna.device.support.Descriptions;
import org.galerna.device.support.DeviceMonitor;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.ProgressLoop;
import org.galerna.device.support.Senders;
import org.galerna.link.FrameHandler;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.Buffers;
import org.galerna.memory.idle.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that are threads of one process put messages into each other's {@link Mailbox}. There is no link below: short messages
 * are copied into the mailbox, the receiver copies longer ones out of the sender's buffer.
 */
final class MemoryDevice implements Device {
    private static final DeviceLimits LIMITS =
            new DeviceLimits(Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Long.MAX_VALUE, false);

    private static final String KEY = "galerna.testkit.memory";
    private static final long ALIGNMENT = 64;
    private static final long SLEEP_NANOS = 100_000_000;

    /** The mailboxes of jobs whose ranks are joining. */
    private static final Map<String, Mailbox[]> JOINING = new ConcurrentHashMap<>();

    private final Mailbox[] mailboxes;
    private final Mailbox mailbox;
    private final Membership membership;
    private final Hosts hosts;
    private final Loop progress;
    private final Arguments arguments;
    private final Senders senders;
    private final OtherThreads otherThreads;
    private final Conversations conversations = new Conversations();
    private final Set<SendRequest> sends = ConcurrentHashMap.newKeySet();
    private final Deque<ReceiveRequest> released = new ArrayDeque<>(); // guarded by itself
    private long moves; // racy: only tells the launcher that something moves

    private MemoryDevice(Mailbox[] mailboxes, Membership membership, BlockedCalls blocked, Hosts hosts) {
        this.mailboxes = mailboxes;
        this.mailbox = mailboxes[membership.rank()];
        this.membership = membership;
        this.hosts = hosts;
        this.arguments = new Arguments(membership, LIMITS);
        this.senders = new Senders(membership);
        this.otherThreads = new OtherThreads(blocked);
        int rank = membership.rank();
        this.progress = new Loop(IdleStrategy.adaptive(hosts.ranksBeside(rank), hosts.processorsBeside(rank)), blocked);
    }

    /** Joins the job of this rank, as all of its ranks do. */
    static MemoryDevice join(Wireup wireup) {
        if (wireup.rank() == 0) {
            String id = UUID.randomUUID().toString();
            JOINING.put(
                    id,
                    IntStream.range(0, wireup.size())
                            .mapToObj(_ -> new Mailbox())
                            .toArray(Mailbox[]::new));
            wireup.put(KEY, id.getBytes(StandardCharsets.UTF_8));
        }
        Hosts.publish(wireup, false);
        Membership membership = new Membership(wireup);
        BlockedCalls blocked = new BlockedCalls();
        AtomicReference<@Nullable MemoryDevice> joined = new AtomicReference<>();
        DeviceMonitor monitor = new DeviceMonitor(membership, blocked, () -> {
            MemoryDevice device = joined.get();
            if (device != null) {
                device.sayGoodbye();
            }
        });
        wireup.observe(monitor);
        Compensation.during(wireup::fence);
        String id = new String(wireup.get(0, KEY), StandardCharsets.UTF_8);
        Mailbox[] mailboxes = JOINING.get(id);
        if (mailboxes == null) {
            throw new IllegalStateException("rank " + wireup.rank() + " is not a thread of the process of rank 0");
        }
        MemoryDevice device = new MemoryDevice(mailboxes, membership, blocked, Hosts.of(wireup));
        device.mailbox.belongTo(device);
        joined.set(device);
        monitor.show(() -> device.moves);
        Compensation.during(wireup::fence); // all have found the mailboxes
        JOINING.remove(id);
        return device;
    }

    /** Looks into the mailbox of this rank. */
    private final class Loop extends ProgressLoop {
        Loop(IdleStrategy waiting, BlockedCalls blocked) {
            super(MemoryDevice.this.membership, waiting, blocked);
        }

        @Override
        public boolean make() {
            return after(mailbox.hasNews() ? mailbox.process() : 0);
        }

        @Override
        protected boolean makeForCertain() {
            return after(mailbox.process());
        }

        private boolean after(int processed) {
            moves += processed;
            int moved = processed + advanceCompounds();
            if (moved > 0) {
                mailbox.wakeUp(); // what was done may be what another thread of the rank sleeps for
            }
            return moved > 0;
        }

        @Override
        protected void rouse(int peer) {
            mailboxes[peer].process();
            mailboxes[peer].wakeUp();
        }

        @Override
        protected void announceSleep() {
            mailbox.announceSleep();
        }

        @Override
        protected void retractSleep() {
            mailbox.retractSleep();
        }

        @Override
        protected void sleep() {
            mailbox.sleep(SLEEP_NANOS);
        }
    }

    // ---- for the requests and the mailbox

    ProgressLoop progress() {
        return progress;
    }

    Conversations conversations() {
        return conversations;
    }

    Senders senders() {
        return senders;
    }

    /** Whether no message can come from there any more; of this rank itself, only if it is about to sleep. */
    boolean nobodySends(int source, int context, boolean alone) {
        if (membership.isComplete()) {
            return false;
        }
        return switch (senders.left(source, context)) {
            case OTHERS -> false;
            case ITSELF -> alone && !otherThreads.mayAct() && !progress.make();
            case NOBODY, DEAD -> true;
        };
    }

    boolean isPosted(ReceiveRequest receive) {
        return mailbox.isPosted(receive);
    }

    boolean withdraw(ReceiveRequest receive) {
        return mailbox.withdraw(receive);
    }

    void wakeUp() {
        mailbox.wakeUp();
    }

    void giveBack(ReceiveRequest receive) {
        synchronized (released) {
            released.addLast(receive);
        }
    }

    void letGo(SendRequest send) {
        mailboxes[send.peer].letGo(send);
        mailboxes[send.peer].wakeUp(); // for what has been received meanwhile
    }

    /** The message of a send has been dropped. */
    void cancelled(SendRequest send) {
        if (sends.remove(send)) {
            send.completeCancelled();
            wakeUp();
        }
    }

    /** The message of a send of this rank has been received. */
    void ended(SendRequest send) {
        if (sends.remove(send)) { // or else it has failed, because its receiver leaves
            send.complete();
            wakeUp();
        }
    }

    /** A rank has left, which had sent what has been looked at so far. */
    void hasLeft(int peer) {
        membership.remove(peer, FrameHandler.LEFT, true);
        for (SendRequest send : List.copyOf(sends)) {
            if (send.peer == peer && sends.remove(send)) {
                send.fail(membership.lost(send.operation(), peer));
            }
        }
    }

    // ---- the face

    @Override
    public String name() {
        return MemoryDeviceProvider.NAME;
    }

    @Override
    public DeviceLimits limits() {
        return LIMITS;
    }

    @Override
    public int rank() {
        return membership.rank();
    }

    @Override
    public int size() {
        return membership.size();
    }

    @Override
    public Hosts hosts() {
        return hosts;
    }

    @Override
    public int eagerLimit(int destination) {
        arguments.checkRank(destination);
        return Mailbox.EAGER_LIMIT;
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return sendCopy(buffer, offset, length, destination, tag, context)
                ? Request.COMPLETED_SEND
                : issend(buffer, offset, length, destination, tag, context);
    }

    private boolean sendCopy(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        Mailbox to = mailboxes[destination];
        if (!to.putCopy(rank(), buffer, offset, length, tag, context)) {
            return false;
        }
        moves++;
        to.wakeUp();
        return true;
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        SendRequest send = new SendRequest(this, buffer, offset, length, destination, tag, context);
        sends.add(send);
        if (!membership.isThere(destination) || !mailboxes[destination].put(rank(), send)) {
            sends.remove(send);
            throw membership.lost(send.operation(), destination);
        }
        moves++;
        mailboxes[destination].wakeUp();
        return send;
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        if (!sendCopy(buffer, offset, length, destination, tag, context)) {
            ssend(buffer, offset, length, destination, tag, context);
        }
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        Request request = issend(buffer, offset, length, destination, tag, context);
        request.await();
        request.release();
    }

    @Override
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        ReceiveRequest receive = takeReceive();
        receive.start(buffer, offset, length, source, tag, context);
        mailbox.post(receive);
        return receive;
    }

    private ReceiveRequest takeReceive() {
        synchronized (released) {
            ReceiveRequest receive = released.pollLast();
            if (receive != null) {
                return receive;
            }
        }
        return new ReceiveRequest(this);
    }

    @Override
    public Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        Request receive = irecv(buffer, offset, length, source, tag, context);
        receive.await();
        return receive;
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        Buffers.check(buffer, offset, length);
        arguments.checkReceive(source, tag, context);
        progress.make();
        synchronized (mailbox) {
            return find(source, tag, context) == null ? null : irecv(buffer, offset, length, source, tag, context);
        }
    }

    @Override
    public @Nullable Status iprobe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        progress.make();
        return find(source, tag, context);
    }

    private @Nullable Status find(int source, int tag, int context) {
        synchronized (mailbox) {
            Message message = mailbox.find(source, tag, context);
            return message == null ? null : new Status(message.source, message.tag, message.length);
        }
    }

    @Override
    public Status probe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Probe probe = new Probe(source, tag, context);
        progress.await(probe);
        return probe.found();
    }

    /** Over when a message is there, or none can come any more. */
    private final class Probe implements Waited {
        private final int source;
        private final int tag;
        private final int context;
        private @Nullable Status found;
        private @Nullable DeviceException failure;

        Probe(int source, int tag, int context) {
            this.source = source;
            this.tag = tag;
            this.context = context;
        }

        Status found() {
            if (found == null) {
                throw failure == null ? new IllegalStateException("the probe is not over") : failure;
            }
            return found;
        }

        @Override
        public boolean isDone() {
            found = find(source, tag, context);
            return found != null || failure != null;
        }

        @Override
        public void failIfAlone() {
            if (nobodySends(source, context, true) && !isDone()) {
                failure = senders.unreachable(operation(), source, context);
            }
        }

        @Override
        public String operation() {
            return Descriptions.receive("probe for a message", source, tag);
        }

        @Override
        public int awaitedPeer() {
            return source;
        }
    }

    @Override
    public int awaitAny(@Nullable Request[] requests) {
        return progress.awaitAny(requests);
    }

    @Override
    public Request start(Compound compound) {
        membership.checkOpen();
        return progress.start(compound);
    }

    @Override
    public void senders(int context, int[] ranks) {
        senders.define(context, ranks);
    }

    @Override
    public void forgetSenders(int context) {
        if (!mailbox.hasReceives(context)) {
            senders.forget(context);
        }
    }

    @Override
    public void converse(int context, Conversation conversation) {
        conversations.begin(context, conversation);
    }

    @Override
    public void endConversation(int context) {
        conversations.end(context);
    }

    @Override
    public @Nullable String outOfStep(int context, int tag, int peer) {
        return null;
    }

    @Override
    public boolean isIdle(int context) {
        progress.make();
        return mailbox.isIdle(context);
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
        return arena.allocate(bytes, ALIGNMENT);
    }

    @Override
    public void close() {
        if (membership.isClosed()) {
            return;
        }
        membership.close();
        sayGoodbye();
    }

    /** Nobody sends to this rank any more, and everybody knows that it sends no more. */
    private void sayGoodbye() {
        if (!mailbox.close()) {
            return;
        }
        for (int peer = 0; peer < size(); peer++) {
            if (peer != rank()) {
                mailboxes[peer].putLeaving(rank());
                mailboxes[peer].wakeUp();
            }
        }
    }
}
