package org.galerna.device.ucx;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;
import org.galerna.device.DeviceOptions;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.device.Waited;
import org.galerna.device.support.BlockedCalls;
import org.galerna.device.support.Compensation;
import org.galerna.device.support.DeviceMonitor;
import org.galerna.device.support.Explaining;
import org.galerna.device.support.Membership;
import org.galerna.device.support.OtherThreads;
import org.galerna.device.support.SelfMatchingDevice;
import org.galerna.link.CommunicationException;
import org.galerna.link.Wireup;
import org.galerna.link.counters.WaitKind;
import org.galerna.link.wireup.Hosts;
import org.galerna.nativeaccess.ucx.UcxException;
import org.galerna.nativeaccess.ucx.UcxLibrary;
import org.galerna.nativeaccess.ucx.UcxTransports;
import org.jspecify.annotations.Nullable;

/** Tagged messages by UCX; see the package. */
final class UcxDevice extends SelfMatchingDevice {
    /** How long a rank that leaves waits for peers that do not answer. */
    private static final long FAREWELL_NANOS = 10_000_000_000L;

    private static final long LAST_WORDS_NANOS = 3_000_000_000L;

    private final Engine engine;
    private final UcxLoop progress;
    private final ProgressThread progressThread;
    private final Presence presence;

    private UcxDevice(
            String name, Engine engine, Presence presence, Membership membership, BlockedCalls blocked, Hosts hosts) {
        super(
                name,
                new DeviceLimits(Tags.LARGEST_TAG, engine.tags().largestContext(), Long.MAX_VALUE, false),
                membership,
                hosts,
                engine.senders(),
                engine.conversations());
        this.engine = engine;
        this.presence = presence;
        engine.onMet(presence::met);
        this.progress = new UcxLoop(engine, membership, idleStrategy(hosts, membership.rank()), blocked);
        engine.begin(progress);
        this.progressThread = new ProgressThread(engine, progress, presence);
    }

    /** Joins the job of this rank, as all of its ranks do. */
    static UcxDevice join(String name, Wireup wireup, DeviceOptions options) {
        Membership membership = new Membership(wireup);
        BlockedCalls blocked = new BlockedCalls(membership);
        AtomicReference<@Nullable UcxDevice> joined = new AtomicReference<>();
        DeviceMonitor monitor = new DeviceMonitor(membership, blocked, () -> {
            UcxDevice device = joined.get();
            if (device != null) {
                device.abandon();
            }
        });
        wireup.observe(monitor);
        UcxDevice device = open(name, wireup, membership, blocked, options);
        joined.set(device);
        monitor.show(device.engine::moves);
        membership.joined(name);
        Explaining.say(wireup.rank(), () -> explanation(wireup));
        return device;
    }

    /** Meets the other ranks; what has been opened is closed again if that fails. */
    private static UcxDevice open(
            String name, Wireup wireup, Membership membership, BlockedCalls blocked, DeviceOptions options) {
        Deque<AutoCloseable> opened = new ArrayDeque<>();
        try {
            Engine engine;
            Presence presence;
            try {
                engine = new Engine(
                        wireup,
                        membership,
                        options.eagerLimit(),
                        options.creditFor(wireup.size()),
                        new OtherThreads(blocked));
                opened.push(engine);
                engine.publish();
                presence = new Presence(wireup, engine.departures());
                opened.push(presence);
            } catch (UcxException | CommunicationException failed) {
                throw new DeviceException(
                        ErrorClass.OTHER,
                        "rank " + wireup.rank() + ": device " + name + " cannot be used: " + failed.getMessage(),
                        failed);
            }
            Hosts.publish(wireup, false);
            Compensation.during(wireup::fence);
            presence.begin((wireup.rank() + 1) % wireup.size());
            UcxDevice device = new UcxDevice(name, engine, presence, membership, blocked, Hosts.of(wireup));
            opened.clear();
            return device;
        } finally {
            opened.forEach(UcxDevice::close);
        }
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception alreadyFailing) {
            // what has failed before is reported
        }
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
    public int eagerLimit(int destination) {
        arguments.checkRank(destination);
        return engine.eagerLimit();
    }

    @Override
    protected UcxLoop progress() {
        return progress;
    }

    @Override
    protected Request startSend(
            Object buffer, long offset, long length, int destination, int tag, int context, boolean synchronous) {
        return engine.outbound().send(buffer, offset, length, destination, tag, context, synchronous);
    }

    @Override
    protected Request startReceive(Object buffer, long offset, long length, int source, int tag, int context) {
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
    protected @Nullable Status find(int source, int tag, int context) {
        engine.lock();
        try {
            return engine.inbound().unexpected().probe(source, tag, context);
        } finally {
            engine.unlock();
        }
    }

    @Override
    protected <T> T whileNobodyMatches(Supplier<T> action) {
        engine.lock();
        try {
            return action.get();
        } finally {
            engine.unlock();
        }
    }

    @Override
    protected boolean nobodySends(int source, int context, boolean alone) {
        return engine.nobodySends(source, context, alone);
    }

    @Override
    protected boolean hasReceives(int context) {
        return engine.inbound().hasReceives(context);
    }

    @Override
    protected boolean isQuiet(int context) {
        return engine.inbound().isIdle(context);
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
            engine.awaitLastWords(presence::look, LAST_WORDS_NANOS);
            engine.close();
            presence.close();
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
        public WaitKind waitKind() {
            return WaitKind.LEAVE;
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
