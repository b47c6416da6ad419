package org.galerna.collectives;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.galerna.device.Device;
import org.galerna.device.ForwardingDevice;
import org.galerna.device.Request;

/** A real device that counts the messages it sends to each rank. */
final class CountingDevice extends ForwardingDevice {
    private final AtomicLongArray messages;
    private final AtomicLong bytes = new AtomicLong();

    CountingDevice(Device device) {
        super(device);
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
    public Request isend(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        return super.isend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public Request issend(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        return super.issend(buffer, offset, length, destination, tag, context);
    }

    @Override
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        super.send(buffer, offset, length, destination, tag, context);
    }

    @Override
    public void ssend(Object buffer, long offset, long length, int destination, int tag, int context) {
        count(destination, length);
        super.ssend(buffer, offset, length, destination, tag, context);
    }
}
