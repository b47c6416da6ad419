package org.galerna.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.galerna.link.wireup.Hosts;
import org.jspecify.annotations.Nullable;

/**
 * A device that hands every call on to another one: to be extended by what counts, records or delays messages. Requests are
 * those of the other device.
 */
public abstract class ForwardingDevice implements Device {
    private final Device device;

    /**
     * Stands before a device.
     *
     * @param device what does the work; {@link #close} closes it
     */
    protected ForwardingDevice(Device device) {
        this.device = device;
    }

    /** What does the work. */
    protected final Device device() {
        return device;
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public String nameAmong(RankList ranks) {
        return device.nameAmong(ranks);
    }

    @Override
    public DeviceLimits limits() {
        return device.limits();
    }

    @Override
    public int rank() {
        return device.rank();
    }

    @Override
    public int size() {
        return device.size();
    }

    @Override
    public Hosts hosts() {
        return device.hosts();
    }

    @Override
    public int eagerLimit(int destination) {
        return device.eagerLimit(destination);
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return device.isend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        return device.issend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        return device.irecv(buffer, offset, length, source, tag, context);
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        device.send(buffer, offset, length, destination, tag, context);
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        device.ssend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request recv(Object buffer, long offset, long length, int source, int tag, int context) {
        return device.recv(buffer, offset, length, source, tag, context);
    }

    @Override
    public @Nullable Request peek(Object buffer, long offset, long length, int source, int tag, int context) {
        return device.peek(buffer, offset, length, source, tag, context);
    }

    @Override
    public Status probe(int source, int tag, int context) {
        return device.probe(source, tag, context);
    }

    @Override
    public @Nullable Status iprobe(int source, int tag, int context) {
        return device.iprobe(source, tag, context);
    }

    @Override
    public void senders(int context, RankList ranks) {
        device.senders(context, ranks);
    }

    @Override
    public void converse(int context, Conversation conversation) {
        device.converse(context, conversation);
    }

    @Override
    public @Nullable String outOfStep(int context, int tag, int peer) {
        return device.outOfStep(context, tag, peer);
    }

    @Override
    public void endConversation(int context) {
        device.endConversation(context);
    }

    @Override
    public void forgetSenders(int context) {
        device.forgetSenders(context);
    }

    @Override
    public boolean isIdle(int context) {
        return device.isIdle(context);
    }

    @Override
    public int awaitAny(@Nullable Request[] requests) {
        return device.awaitAny(requests);
    }

    @Override
    public Request start(Compound compound) {
        return device.start(compound);
    }

    @Override
    public MemorySegment allocate(long bytes, Arena arena) {
        return device.allocate(bytes, arena);
    }

    @Override
    public @Nullable SharedHeap sharedHeap() {
        return device.sharedHeap();
    }

    @Override
    public @Nullable SharedHeap sharedHeap(RankList ranks) {
        return device.sharedHeap(ranks);
    }

    @Override
    public void close() {
        device.close();
    }
}
