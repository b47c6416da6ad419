package org.galerna.mpi.session;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.galerna.device.Device;
import org.galerna.device.DeviceException;
import org.galerna.device.ErrorClass;
import org.galerna.device.Request;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * The memory that a program attaches for buffered sends. A message lives in it from the send until the device no longer
 * needs it; its space is found first-fit, in the order of addresses, which the list of messages is kept in.
 */
public final class AttachedBuffer {
    /** Bytes that a message may take beyond its own length. */
    public static final int OVERHEAD_PER_MESSAGE = 64;

    private static final int ALIGNMENT = 8;

    private final Device device;
    private @Nullable MemorySegment memory;
    private @Nullable Object attached;
    private final List<Buffered> messages = new ArrayList<>();

    AttachedBuffer(Device device) {
        this.device = device;
    }

    /** A message that is kept until its requests are done. */
    private static final class Buffered {
        final long start;
        final long end;
        final List<Request> requests = new ArrayList<>(2);

        Buffered(long start, long length) {
            this.start = start;
            this.end = start + length;
        }

        boolean isDone() {
            for (int i = requests.size() - 1; i >= 0; i--) {
                if (requests.get(i).test()) {
                    requests.remove(i).release();
                }
            }
            return requests.isEmpty();
        }
    }

    /** Attaches an array. */
    public synchronized void attach(byte[] array) {
        attach(MemorySegment.ofArray(array), array);
    }

    /** Attaches what lies between position and limit of a buffer. */
    public synchronized void attach(ByteBuffer buffer) {
        if (buffer.isReadOnly()) {
            throw new DeviceException(ErrorClass.BUFFER, "a buffer for buffered sends must be writable");
        }
        attach(MemorySegment.ofBuffer(buffer), buffer);
    }

    private void attach(MemorySegment segment, Object origin) {
        if (memory != null) {
            throw new DeviceException(
                    ErrorClass.BUFFER,
                    "a buffer of " + memory.byteSize()
                            + " bytes is attached already; detach it before attaching another");
        }
        memory = segment;
        attached = origin;
    }

    /** Whether there is memory. */
    public synchronized boolean isAttached() {
        return memory != null;
    }

    /**
     * Waits for the buffered messages and gives the memory back.
     *
     * @return what was attached; null if nothing was
     */
    public synchronized @Nullable Object detach() {
        awaitAll();
        Object origin = attached;
        memory = null;
        attached = null;
        return origin;
    }

    /** Waits until all buffered messages have left. */
    public synchronized void awaitAll() {
        DeviceException failure = null;
        for (Buffered message : messages) {
            for (Request request : message.requests) {
                try {
                    request.await();
                } catch (DeviceException failed) {
                    failure = failed;
                }
                request.release();
            }
        }
        messages.clear();
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Copies a message and starts to send it.
     *
     * @param buffer an array or segment, as a device takes it
     */
    public void send(Object buffer, long offset, long length, int destination, int tag, int context) {
        send(buffer, offset, length, destination, tag, context, 0, 0, 0);
    }

    /** As {@link #send}, with a second part of {@code restLength} bytes that follows the first in {@code buffer}. */
    public synchronized void send(
            Object buffer,
            long offset,
            long length,
            int destination,
            int tag,
            int context,
            long restLength,
            int restTag,
            int restContext) {
        Buffered message = reserve(length + restLength);
        MemorySegment space = space();
        MemorySegment.copy(segment(buffer), offset, space, message.start, length + restLength);
        message.requests.add(device.isend(space, message.start, length, destination, tag, context));
        if (restLength > 0) {
            message.requests.add(
                    device.isend(space, message.start + length, restLength, destination, restTag, restContext));
        }
        if (message.isDone()) {
            messages.remove(message);
        }
    }

    private MemorySegment space() {
        if (memory == null) {
            throw new DeviceException(ErrorClass.BUFFER, "a buffered send needs memory, but none is attached");
        }
        return memory;
    }

    private Buffered reserve(long length) {
        long size = space().byteSize();
        long needed = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        messages.removeIf(Buffered::isDone);
        long start = 0;
        int index = 0;
        while (index < messages.size() && messages.get(index).start - start < needed) {
            start = messages.get(index).end;
            index++;
        }
        if (start + length > size) {
            long used = 0;
            for (Buffered message : messages) {
                used += message.end - message.start;
            }
            throw new DeviceException(
                    ErrorClass.BUFFER,
                    "a buffered send of " + length + " bytes does not fit: the attached buffer has " + size
                            + " bytes, of which " + used + " hold " + messages.size()
                            + " messages that have not left yet; attach a larger one, or send fewer before they are received");
        }
        Buffered message = new Buffered(start, Math.min(needed, size - start));
        messages.add(index, message);
        return message;
    }

    private static MemorySegment segment(Object buffer) {
        return Buffers.segment(buffer);
    }
}
