package org.galerna.device.ucx;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.galerna.device.Compound;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.device.Waited;
import org.galerna.device.support.Arguments;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.Descriptions;
import org.galerna.device.support.DeviceMonitor;
import org.galerna.device.support.Explaining;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.Senders;
import org.galerna.link.Wireup;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.Buffers;
import org.galerna.memory.idle.IdleStrategy;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxTransports;
import org.jspecify.annotations.Nullable;

/** Tagged messages by UCX; see the package. */
final class UcxDevice implements Device {
    private static final long ALIGNMENT = 64;

    /** How long a rank that leaves waits for peers that do not answer. */
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    private final String name;
    private final Engine engine;
    private final Membership membership;
    private final Hosts hosts;
    private final DeviceLimits limits;
    private final Arguments arguments;
    private final UcxLoop progress;
    private final ProgressThread progressThread;

    private UcxDevice(String name, Engine engine, Membership membership, BlockedCalls blocked, Hosts hosts) {
        this.name = name;
        this.engine = engine;
        this.membership = membership;
        this.hosts = hosts;
        this.limits = new DeviceLimits(Tags.LARGEST_TAG, engine.tags().largestContext(), Long.MAX_VALUE, false);
        this.arguments = new Arguments(membership, limits);
        int rank = membership.rank();
        IdleStrategy waiting = IdleStrategy.adaptive(hosts.ranksBeside(rank), hosts.processorsBeside(rank));
        this.progress = new UcxLoop(engine, membership, waiting, blocked);
        engine.begin(progress);
        this.progressThread = new ProgressThread(engine, progress);
    }

    /** Joins the job of this rank, as all of its ranks do. */
    static UcxDevice join(String name, Wireup wireup, DeviceOptions options) {
        Membership membership = new Membership(wireup);
        BlockedCalls blocked = new BlockedCalls();
        AtomicReference<@Nullable UcxDevice> joined = new AtomicReference<>();
        DeviceMonitor monitor = new DeviceMonitor(membership, blocked, () -> {
            UcxDevice device = joined.get();
            if (device != null) {
                device.abandon();
            }
        });
        wireup.observe(monitor);
        Engine engine;
        try {
            engine = new Engine(
                    wireup,
                    membership,
                    options.eagerLimit(),
                    options.creditFor(wireup.size()),
                    new OtherThreads(blocked));
            engine.publish();
        } catch (UcxException failed) {
            throw new DeviceException(
                    ErrorClass.OTHER,
                    "rank " + wireup.rank() + ": device " + name + " cannot be used: " + failed.getMessage(),
                    failed);
        }
        Hosts.publish(wireup, false);
        Compensation.during(wireup::fence);
        UcxDevice device = new UcxDevice(name, engine, membership, blocked, Hosts.of(wireup));
        joined.set(device);
        monitor.show(engine::moves);
        Explaining.say(() -> explanation(wireup));
        return device;
    }

    private static List<String> explanation(Wireup wireup) {
        if (wireup.size() == 1) {
            return List.of();
        }
        try {
            return List.of("rank " + wireup.rank() + " reaches all other ranks by UCX "
                    + UcxLibrary.open().version() + ", which may use " + UcxTransports.inWords());
        } catch (UcxException failed) {
            return List.of("rank " + wireup.rank() + " reaches all other ranks by UCX, which does not say how: "
                    + failed.getMessage());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceLimits limits() {
        return limits;
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
        return engine.eagerLimit();
    }

    private Request send(
            Object buffer, long offset, long length, int destination, int tag, int context, boolean synchronous) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        return engine.outbound().send(buffer, offset, length, destination, tag, context, synchronous);
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return send(buffer, offset, length, destination, tag, context, false);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return send(buffer, offset, length, destination, tag, context, true);
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        finish(send(buffer, offset, length, destination, tag, context, false));
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        finish(send(buffer, offset, length, destination, tag, context, true));
    }

    private static void finish(Request request) {
        request.await();
        request.release();
    }

    @Override
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        engine.lock();
        try {
            ReceiveRequest receive = engine.inbound().take();
            receive.start(buffer, offset, length, source, tag, context);
            engine.inbound().post(receive);
            return receive;
        } finally {
            engine.unlock();
        }
    }

    @Override
    public Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        Request receive = irecv(buffer, offset, length, source, tag, context);
        receive.await();
        return receive;
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        progress.make();
        engine.lock();
        try {
            return found(source, tag, context) == null ? null : irecv(buffer, offset, length, source, tag, context);
        } finally {
            engine.unlock();
        }
    }

    @Override
    public @Nullable Status iprobe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        progress.make();
        return found(source, tag, context);
    }

    /** The message that is there; fails if none can come any more and a rank that could have sent one has died. */
    private @Nullable Status found(int source, int tag, int context) {
        boolean dead = !membership.isComplete() && engine.senders().left(source, context) == Senders.Left.DEAD;
        Status status = find(source, tag, context);
        if (status == null && dead) {
            throw engine.senders()
                    .unreachable(Descriptions.receive("probe for a message", source, tag), source, context);
        }
        return status;
    }

    private @Nullable Status find(int source, int tag, int context) {
        engine.lock();
        try {
            return engine.inbound().unexpected().probe(source, tag, context);
        } finally {
            engine.unlock();
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
            if (engine.nobodySends(source, context, true) && !isDone()) {
                failure = engine.senders().unreachable(operation(), source, context);
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
        engine.senders().define(context, ranks);
    }

    @Override
    public void forgetSenders(int context) {
        if (!engine.inbound().hasReceives(context)) {
            engine.senders().forget(context);
        }
    }

    @Override
    public void converse(int context, Conversation conversation) {
        engine.conversations().begin(context, conversation);
    }

    @Override
    public void endConversation(int context) {
        engine.conversations().end(context);
    }

    @Override
    public @Nullable String outOfStep(int context, int tag, int peer) {
        return null;
    }

    @Override
    public boolean isIdle(int context) {
        progress.make();
        return engine.inbound().isIdle(context);
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
        return arena.allocate(bytes, ALIGNMENT);
    }

    /** This rank receives no more, and leaves when all that it has sent is where it belongs. */
    @Override
    public void close() {
        if (membership.isClosed()) {
            return;
        }
        engine.departures().tellAll(Control.LEAVING);
        engine.outbound().leave();
        progress.await(new LastSends());
        if (membership.isClosed()) {
            return;
        }
        membership.close();
        engine.departures().tellAll(Control.GONE);
        Compensation.during(() -> {
            engine.awaitFarewell(FAREWELL_NANOS);
            progressThread.close();
            engine.close();
        });
    }

    /** The rank has ended without closing the device; its process goes on. */
    private void abandon() {
        if (!membership.isClosed()) {
            membership.close();
            engine.departures().tellAll(Control.LEAVING);
            engine.departures().tellAll(Control.GONE);
        }
    }

    /** What was accepted for sending leaves before this rank does. */
    private final class LastSends implements Waited {
        @Override
        public boolean isDone() {
            return engine.outbound().isQuiet();
        }

        @Override
        public String operation() {
            return "end, with messages that have not been received";
        }

        @Override
        public int awaitedPeer() {
            return ANY_SOURCE;
        }
    }
}
