package org.galerna.testkit.memdev;

import java.lang.invoke.VarHandle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.galerna.device.Device;
import org.galerna.memory.Buffers;
import org.jspecify.annotations.Nullable;

/**
 * Where the messages for one rank lie. Others put them in; the rank takes them out, and brings them and its receives together.
 *
 * <p>No lost wake-up: a thread of the rank announces its sleep, then looks once more. Another thread does what that one waits for,
 * passes a full fence, then looks for sleepers. One of them sees the other.
 */
final class Mailbox {
    /** Longest message that is copied, in bytes. */
    static final int EAGER_LIMIT = 1024;

    /** Bytes of copies in a mailbox at most; further messages stay with their senders. */
    private static final long MOST_HELD = 4 << 20;

    private final Queue<Message> arrived = new Queue<>();
    private final Queue<Message> unexpected = new Queue<>();
    private final Queue<ReceiveRequest> posted = new Queue<>();
    private final Queue<Message> free = new Queue<>();
    private final Set<Thread> sleepers = ConcurrentHashMap.newKeySet();
    private @Nullable MemoryDevice owner;
    private long held;
    private boolean closed;
    private volatile boolean news; // written under the lock

    static boolean matches(Message message, int source, int tag, int context) {
        return message.context == context
                && (source == Device.ANY_SOURCE || message.source == source)
                && (tag == Device.ANY_TAG || message.tag == tag);
    }

    // ---- by other ranks

    /** Puts a copy of a message in; false if it is too long or there is no room, or nobody is there. */
    synchronized boolean putCopy(int source, Object buffer, long offset, long length, int tag, int context) {
        if (length > EAGER_LIMIT || held + EAGER_LIMIT > MOST_HELD || closed) {
            return false;
        }
        Message message = take();
        message.start(source, tag, context, length);
        try {
            Buffers.copy(buffer, offset, message.copy(), 0, length);
        } catch (RuntimeException inaccessible) {
            free.add(message);
            throw inaccessible;
        }
        held += EAGER_LIMIT;
        add(message);
        return true;
    }

    /** Puts a message in whose bytes stay where they are; false if nobody is there. */
    synchronized boolean put(int source, SendRequest send) {
        if (closed) {
            return false;
        }
        Message message = take();
        message.start(source, send.tag, send.context, send.length);
        message.send = send;
        add(message);
        return true;
    }

    /** Puts the word in that a rank has left, behind all that it has sent. */
    synchronized void putLeaving(int source) {
        Message message = take();
        message.start(source, 0, 0, 0);
        message.leaving = true;
        add(message);
    }

    private Message take() {
        Message message = free.poll();
        return message == null ? new Message() : message;
    }

    private void add(Message message) {
        arrived.add(message);
        news = true;
    }

    /**
     * Lets the rank of a send be done with it: brings together what there is, and drops the message if no receive has taken it.
     * One that a probe has found stays, as a copy.
     */
    synchronized void letGo(SendRequest send) {
        process();
        letGo(arrived, send); // of a rank that has left
        letGo(unexpected, send);
    }

    private static void letGo(Queue<Message> queue, SendRequest send) {
        for (Message each = queue.first(); each != null; each = queue.after(each)) {
            if (each.send == send) {
                if (each.probed) {
                    each.keep();
                    send.device.ended(send);
                } else {
                    queue.remove(each);
                    send.device.cancelled(send);
                }
                return;
            }
        }
    }

    // ---- by the rank

    /** Whether something has come that nobody has looked at; a cheap look. */
    boolean hasNews() {
        return news;
    }

    /** Says whose mailbox it is, before anything is put in. */
    synchronized void belongTo(MemoryDevice device) {
        owner = device;
    }

    /** Brings together what there is, on any thread. Returns the number of messages looked at. */
    synchronized int process() {
        MemoryDevice device = owner;
        if (device == null || closed) {
            return 0;
        }
        int moved = 0;
        Message message;
        while ((message = arrived.poll()) != null) {
            moved++;
            if (message.leaving) {
                device.hasLeft(message.source);
                free.add(message);
                continue;
            }
            ReceiveRequest receive = posted.first();
            while (receive != null && !receive.matches(message)) {
                receive = posted.after(receive);
            }
            if (receive == null) {
                unexpected.add(message);
            } else {
                posted.remove(receive);
                deliver(receive, message);
            }
        }
        news = false;
        return moved;
    }

    /** Gives a receive the oldest message that is there for it, or lets it wait for one. */
    synchronized void post(ReceiveRequest receive) {
        process();
        for (Message each = unexpected.first(); each != null; each = unexpected.after(each)) {
            if (receive.matches(each)) {
                unexpected.remove(each);
                deliver(receive, each);
                return;
            }
        }
        posted.add(receive);
    }

    private void deliver(ReceiveRequest receive, Message message) {
        if (owner != null) {
            owner.received(message);
        }
        receive.deliver(message);
        SendRequest send = message.send;
        if (send != null) {
            message.send = null;
            send.device.ended(send);
        } else if (!message.isKept()) {
            held -= EAGER_LIMIT;
        }
        free.add(message);
    }

    /** The oldest message that is there for such a receive, left where it is. */
    synchronized @Nullable Message find(int source, int tag, int context) {
        process();
        for (Message each = unexpected.first(); each != null; each = unexpected.after(each)) {
            if (matches(each, source, tag, context)) {
                each.probed = true;
                return each;
            }
        }
        return null;
    }

    synchronized boolean isPosted(ReceiveRequest receive) {
        return posted.has(receive);
    }

    /** Takes a receive back that has no message; false if it is too late. */
    synchronized boolean withdraw(ReceiveRequest receive) {
        return posted.remove(receive);
    }

    synchronized boolean isIdle(int context) {
        for (Message each = unexpected.first(); each != null; each = unexpected.after(each)) {
            if (each.context == context) {
                return false;
            }
        }
        return !hasReceives(context);
    }

    synchronized boolean hasReceives(int context) {
        for (ReceiveRequest each = posted.first(); each != null; each = posted.after(each)) {
            if (each.context == context) {
                return true;
            }
        }
        return false;
    }

    /** From now on nobody can put messages in; false if that was so before. */
    synchronized boolean close() {
        boolean open = !closed;
        closed = true;
        return open;
    }

    // ---- sleeping

    void announceSleep() {
        sleepers.add(Thread.currentThread());
    }

    void retractSleep() {
        sleepers.remove(Thread.currentThread());
    }

    void sleep(long nanos) {
        LockSupport.parkNanos(this, nanos);
        retractSleep();
    }

    void wakeUp() {
        VarHandle.fullFence(); // between what has been done and the look for those who sleep for it
        if (!sleepers.isEmpty()) {
            sleepers.forEach(LockSupport::unpark);
        }
    }
}
