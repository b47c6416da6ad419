package org.galerna.testkit.memdev;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.galerna.device.DeviceLimits;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.Conversations;
import org.galerna.device.support.DeviceMonitor;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.ProgressLoop;
import org.galerna.device.support.SelfMatchingDevice;
import org.galerna.device.support.Senders;
import org.galerna.link.FrameHandler;
import org.galerna.link.Wireup;
import org.galerna.link.counters.PeerCounters;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.idle.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that are threads of one process put messages into each other's {@link Mailbox}. There is no link below: short messages
 * are copied into the mailbox, the receiver copies longer ones out of the sender's buffer.
 */
final class MemoryDevice extends SelfMatchingDevice {
    private static final DeviceLimits LIMITS =
            new DeviceLimits(Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Long.MAX_VALUE, false);

    private static final String KEY = "galerna.testkit.memory";
    private static final long SLEEP_NANOS = 100_000_000;

    /** The mailboxes of jobs whose ranks are joining. */
    private static final Map<String, Mailbox[]> JOINING = new ConcurrentHashMap<>();

    private final Mailbox[] mailboxes;
    private final Mailbox mailbox;
    private final PeerCounters[] counters; // guarded by itself
    private final Loop progress;
    private final Senders senders;
    private final OtherThreads otherThreads;
    private final Conversations conversations;
    private final Set<SendRequest> sends = ConcurrentHashMap.newKeySet();
    private final Deque<ReceiveRequest> released = new ArrayDeque<>(); // guarded by itself
    private long moves; // racy: only tells the launcher that something moves

    private MemoryDevice(
            Mailbox[] mailboxes, Membership membership, BlockedCalls blocked, Hosts hosts, Senders senders) {
        this(mailboxes, membership, blocked, hosts, senders, new Conversations());
    }

    private MemoryDevice(
            Mailbox[] mailboxes,
            Membership membership,
            BlockedCalls blocked,
            Hosts hosts,
            Senders senders,
            Conversations conversations) {
        super(MemoryDeviceProvider.NAME, LIMITS, membership, hosts, senders, conversations);
        this.mailboxes = mailboxes;
        this.counters = IntStream.range(0, mailboxes.length)
                .mapToObj(membership.counters()::of)
                .toArray(PeerCounters[]::new);
        this.mailbox = mailboxes[membership.rank()];
        this.senders = senders;
        this.conversations = conversations;
        this.otherThreads = new OtherThreads(blocked);
        this.progress = new Loop(idleStrategy(hosts, membership.rank()), blocked);
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
        BlockedCalls blocked = new BlockedCalls(membership);
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
        MemoryDevice device =
                new MemoryDevice(mailboxes, membership, blocked, Hosts.of(wireup), new Senders(membership));
        device.mailbox.belongTo(device);
        joined.set(device);
        monitor.show(() -> device.moves);
        membership.joined(MemoryDeviceProvider.NAME);
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

    /** A message and its receive have met; inside the mailbox. */
    void received(Message message) {
        synchronized (counters) {
            if (message.send != null || message.isKept()) {
                counters[message.source].receivedAnnouncement(message.context, message.length);
            } else {
                counters[message.source].received(message.context, 1, message.length);
            }
        }
    }

    @Override
    protected ProgressLoop progress() {
        return progress;
    }

    Conversations conversations() {
        return conversations;
    }

    Senders senders() {
        return senders;
    }

    @Override
    protected boolean nobodySends(int source, int context, boolean alone) {
        return senders.nobodySends(source, context, alone, otherThreads, progress);
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
    public int eagerLimit(int destination) {
        arguments.checkRank(destination);
        return Mailbox.EAGER_LIMIT;
    }

    @Override
    protected Request startSend(
            Object buffer, long offset, long length, int destination, int tag, int context, boolean synchronous) {
        return !synchronous && sendCopy(buffer, offset, length, destination, tag, context)
                ? Request.COMPLETED_SEND
                : offer(buffer, offset, length, destination, tag, context);
    }

    private boolean sendCopy(Object buffer, long offset, long length, int destination, int tag, int context) {
        Mailbox to = mailboxes[destination];
        if (!to.putCopy(rank(), buffer, offset, length, tag, context)) {
            return false;
        }
        moves++;
        synchronized (counters) {
            counters[destination].sent(context, length);
        }
        to.wakeUp();
        return true;
    }

    private Request offer(Object buffer, long offset, long length, int destination, int tag, int context) {
        SendRequest send = new SendRequest(this, buffer, offset, length, destination, tag, context);
        sends.add(send);
        if (!membership.isThere(destination) || !mailboxes[destination].put(rank(), send)) {
            sends.remove(send);
            throw membership.lost(send.operation(), destination);
        }
        moves++;
        synchronized (counters) {
            counters[destination].announced(context, length);
        }
        mailboxes[destination].wakeUp();
        return send;
    }

    @Override
    protected Request startReceive(Object buffer, long offset, long length, int source, int tag, int context) {
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
    protected @Nullable Status find(int source, int tag, int context) {
        synchronized (mailbox) {
            Message message = mailbox.find(source, tag, context);
            return message == null ? null : new Status(message.source, message.tag, message.length);
        }
    }

    @Override
    protected <T> T whileNobodyMatches(Supplier<T> action) {
        synchronized (mailbox) {
            return action.get();
        }
    }

    @Override
    protected boolean hasReceives(int context) {
        return mailbox.hasReceives(context);
    }

    @Override
    protected boolean isQuiet(int context) {
        return mailbox.isIdle(context);
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
