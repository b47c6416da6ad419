package org.galerna.device.support;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.galerna.device.Compound;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.DeviceLimits;
import org.galerna.device.RankList;
import org.galerna.device.Request;
import org.galerna.device.Status;
import org.galerna.device.Waited;
import org.galerna.link.counters.WaitKind;
import org.galerna.link.wireup.Hosts;
import org.galerna.memory.Buffers;
import org.galerna.memory.idle.IdleStrategy;
import org.jspecify.annotations.Nullable;

/**
 * A device over something that matches messages by itself. It checks arguments, and makes the calls that block out of those that
 * do not; the class below starts sends and receives, and looks for messages that are there.
 */
public abstract class SelfMatchingDevice implements Device {
    private static final long ALIGNMENT = 64;

    private final String name;
    private final DeviceLimits limits;
    private final Hosts hosts;
    private final Senders senders;
    private final Conversations conversations;

    protected final Membership membership;
    protected final Arguments arguments;

    protected SelfMatchingDevice(
            String name,
            DeviceLimits limits,
            Membership membership,
            Hosts hosts,
            Senders senders,
            Conversations conversations) {
        this.name = name;
        this.limits = limits;
        this.membership = membership;
        this.hosts = hosts;
        this.senders = senders;
        this.conversations = conversations;
        this.arguments = new Arguments(membership, limits);
    }

    /** How the threads of a rank wait. */
    protected static IdleStrategy idleStrategy(Hosts hosts, int rank) {
        return IdleStrategy.adaptive(hosts.ranksBeside(rank), hosts.processorsBeside(rank));
    }

    // ---- what the class below does

    /** Makes progress for the threads that wait. */
    protected abstract ProgressLoop progress();

    /** Starts a send, whose arguments are checked. */
    protected abstract Request startSend(
            Object buffer, long offset, long length, int destination, int tag, int context, boolean synchronous);

    /** Starts a receive, whose arguments are checked. */
    protected abstract Request startReceive(Object buffer, long offset, long length, int source, int tag, int context);

    /** The first message that has arrived and matches; null if there is none. */
    protected abstract @Nullable Status find(int source, int tag, int context);

    /** Does something while nobody else matches messages of this rank. */
    protected abstract <T> T whileNobodyMatches(Supplier<T> action);

    /** Whether no message can come from there any more; of this rank itself, only if it is about to sleep. */
    protected abstract boolean nobodySends(int source, int context, boolean alone);

    /** Whether receives of a context wait. */
    protected abstract boolean hasReceives(int context);

    /** Whether nothing of a context is under way here. */
    protected abstract boolean isQuiet(int context);

    // ---- the face

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final DeviceLimits limits() {
        return limits;
    }

    @Override
    public final int rank() {
        return membership.rank();
    }

    @Override
    public final int size() {
        return membership.size();
    }

    @Override
    public final Hosts hosts() {
        return hosts;
    }

    private Request checkedSend(
            Object buffer, long offset, long length, int destination, int tag, int context, boolean synchronous) {
        arguments.checkSend(destination, tag, context);
        Buffers.check(buffer, offset, length);
        return startSend(buffer, offset, length, destination, tag, context, synchronous);
    }

    @Override
    public final Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return checkedSend(buffer, offset, length, destination, tag, context, false);
    }

    @Override
    public final Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return checkedSend(buffer, offset, length, destination, tag, context, true);
    }

    @Override
    public final void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        finish(checkedSend(buffer, offset, length, destination, tag, context, false));
    }

    @Override
    public final void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        finish(checkedSend(buffer, offset, length, destination, tag, context, true));
    }

    private static void finish(Request request) {
        request.await();
        request.release();
    }

    @Override
    public final Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        return startReceive(buffer, offset, length, source, tag, context);
    }

    @Override
    public final Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        Request receive = irecv(buffer, offset, length, source, tag, context);
        receive.await();
        return receive;
    }

    @Override
    public final @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Buffers.check(buffer, offset, length);
        progress().make();
        return whileNobodyMatches(() -> found(source, tag, context) == null
                ? null
                : startReceive(buffer, offset, length, source, tag, context));
    }

    @Override
    public final @Nullable Status iprobe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        progress().make();
        return found(source, tag, context);
    }

    /** The message that is there; fails if none can come any more and a rank that could have sent one has died. */
    private @Nullable Status found(int source, int tag, int context) {
        boolean dead = !membership.isComplete() && senders.left(source, context) == Senders.Left.DEAD;
        Status status = find(source, tag, context);
        if (status == null && dead) {
            throw senders.unreachable(Descriptions.receive("probe for a message", source, tag), source, context);
        }
        return status;
    }

    @Override
    public final Status probe(int source, int tag, int context) {
        arguments.checkReceive(source, tag, context);
        Probe probe = new Probe(source, tag, context);
        progress().await(probe);
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
        public WaitKind waitKind() {
            return WaitKind.PROBE;
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
    public final int awaitAny(@Nullable Request[] requests) {
        return progress().awaitAny(requests);
    }

    @Override
    public final Request start(Compound compound) {
        membership.checkOpen();
        return progress().start(compound);
    }

    @Override
    public final void senders(int context, RankList ranks) {
        senders.define(context, ranks);
    }

    @Override
    public final void forgetSenders(int context) {
        if (!hasReceives(context)) {
            senders.forget(context);
        }
    }

    @Override
    public final void converse(int context, Conversation conversation) {
        conversations.begin(context, conversation);
    }

    @Override
    public final void endConversation(int context) {
        conversations.end(context);
    }

    @Override
    public final @Nullable String outOfStep(int context, int tag, int peer) {
        return null;
    }

    @Override
    public final boolean isIdle(int context) {
        progress().make();
        return isQuiet(context);
    }

    @Override
    public final MemorySegment allocate(long bytes, Arena arena) {
        return arena.allocate(bytes, ALIGNMENT);
    }
}
