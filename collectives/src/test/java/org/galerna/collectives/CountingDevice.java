package org.galerna.collectives;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.galerna.device.Compound;
import org.galerna.device.Conversation;
import org.galerna.device.Device;
import org.galerna.device.Request;
import org.galerna.device.SharedHeap;
import org.galerna.device.Status;
import org.galerna.link.Hosts;
import org.jspecify.annotations.Nullable;

/** A real device that counts the messages it sends to each rank. */
final class CountingDevice implements Device {
    private final Device device;
    private final AtomicLongArray messages;
    private final AtomicLong bytes = new AtomicLong();

    CountingDevice(Device device) {
        this.device = device;
        messages = new AtomicLongArray(device.size());
    }

    long messagesTo(int destination) {
        return messages.get(destination);
    }

    long messages() {
        long sum = 0;
        for (int destination = 0; destination < messages.length(); destination++) {
            sum += messages.get(destination);
        }
        return sum;
    }

    long bytes() {
        return bytes.get();
    }

    private void count(int destination, long length) {
        messages.incrementAndGet(destination);
        bytes.addAndGet(length);
    }

    @Override
    public Request start(Compound compound) {
        return device.start(compound);
    }

    @Override
    public MemorySegment allocate(long size, Arena arena) {
        return device.allocate(size, arena);
    }

    @Override
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        return device.isend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        return device.issend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        device.send(buffer, offset, length, destination, tag, context);
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        device.ssend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public String name() {
        return device.name();
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
    public Request irecv(Object buffer, long offset, long length, int source, int tag, int context) {
        return device.irecv(buffer, offset, length, source, tag, context);
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
    public void senders(int context, int[] ranks) {
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
    public @Nullable SharedHeap sharedHeap() {
        return device.sharedHeap();
    }

    @Override
    public void close() {
        device.close();
    }
}
