package org.galerna.sockets.host;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.galerna.nativeaccess.file.DescriptorPassing;
import org.galerna.nativeaccess.file.EventCounter;
import org.galerna.sockets.connection.UpgradableConnection;
import org.galerna.sockets.pipe.HostFolder;
import org.galerna.sockets.pipe.Pipe;
import org.galerna.sockets.pipe.PipeLayout;
import org.galerna.sockets.pipe.PipeMemory;
import org.galerna.sockets.pipe.PipeTransport;
import org.galerna.sockets.pipe.WakeupFd;
import org.galerna.sockets.platform.PlatformChannels;
import org.galerna.sockets.report.Counters;
import org.jspecify.annotations.Nullable;

/**
 * A UNIX-domain connection between two processes, over which pipes are offered, the bells of selectors are handed over, and
 * virtual threads are woken. It ends when one of the processes does, however it does, which is how the other one learns of
 * that.
 *
 * <p>Messages have {@value #MESSAGE_BYTES} bytes: a kind, the number of a pipe, and three more numbers.
 */
public final class HostConnection implements PipeTransport, WakeupFd.Ringer {
    public static final int MESSAGE_BYTES = 32;

    private static final int HELLO = 1;
    private static final int OFFER = 2;
    private static final int WITHDRAW = 3;
    private static final int UNPARK = 4;
    private static final int BELL = 5;
    private static final int BELL_GONE = 6;

    private static final long MAGIC = 0x47616c65726e6102L;

    /** Bells of one process that another one keeps; those beyond are rung by messages. */
    private static final int MOST_BELLS = 256;

    /** Beyond this the other process does not look after its messages. */
    private static final int MOST_WAITING = 1 << 20;

    private final HostControl control;
    private final SocketChannel channel;
    private final boolean incoming;
    private final Map<Integer, Pipe> pipes = new ConcurrentHashMap<>();
    private final AtomicInteger nextId = new AtomicInteger();
    private final Map<Integer, EventCounter> bells = new ConcurrentHashMap<>(); // of the other process
    private final Set<Integer> announced = new HashSet<>(); // bells of this process; guarded by this
    private final DescriptorPassing passing;
    private final ByteBuffer in = ByteBuffer.allocateDirect(64 * MESSAGE_BYTES); // of the control thread
    private ByteBuffer out = ByteBuffer.allocate(64 * MESSAGE_BYTES); // guarded by this, ready to be written to
    private @Nullable SelectionKey key; // guarded by this
    private boolean greeted; // of the control thread
    private volatile boolean ended;

    public HostConnection(HostControl control, SocketChannel channel, boolean incoming) {
        this.control = control;
        this.channel = channel;
        this.incoming = incoming;
        this.passing = new DescriptorPassing(PlatformChannels.descriptor(channel));
        if (!incoming) {
            send(HELLO, 0, MAGIC, 0, 0);
        }
    }

    public SocketChannel channel() {
        return channel;
    }

    @Override
    public boolean hasEnded() {
        return ended;
    }

    public synchronized void registered(SelectionKey registered) {
        key = registered;
        if (out.position() > 0) {
            registered.interestOpsOr(SelectionKey.OP_WRITE);
        }
    }

    /**
     * Offers a pipe to the owner of the socket with this cookie. The connection has its end of it before, so that it knows
     * of the pipe when the other end turns to it.
     */
    public void offer(PipeMemory memory, long cookie, long high, long low, UpgradableConnection connection) {
        int id = nextId.getAndIncrement();
        Pipe pipe = new Pipe(memory, PipeLayout.FORTH, this, id, null);
        pipes.put(id, pipe);
        if (ended) {
            pipe.peerHasGone();
        }
        if (connection.attach(pipe)) {
            send(OFFER, id, cookie, high, low);
        } else {
            pipe.abandon();
        }
    }

    @Override
    public void withdraw(int id) {
        send(WITHDRAW, id, 0, 0, 0);
    }

    @Override
    public void unpark(int id, int direction) {
        send(UNPARK, id, direction, 0, 0);
    }

    /** Lets the other process ring a bell of this one; false if that has to be tried again, and messages go meanwhile. */
    @Override
    public synchronized boolean announce(WakeupFd bell) {
        if (ended || announced.contains(bell.number())) {
            return true;
        }
        if (out.position() > 0) {
            return false; // it would come before messages that wait
        }
        ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
        message.putInt(BELL)
                .putInt(bell.number())
                .putLong(0)
                .putLong(0)
                .putLong(0)
                .flip();
        try {
            if (passing.send(MemorySegment.ofBuffer(message), bell.descriptor())) {
                announced.add(bell.number());
                bell.known(this);
                return true;
            }
        } catch (IOException broken) {
            control.execute(this::end);
        }
        return false;
    }

    /** A bell of this process is rung no more. */
    @Override
    public synchronized void withdraw(WakeupFd bell) {
        if (announced.remove(bell.number())) {
            send(BELL_GONE, bell.number(), 0, 0, 0);
        }
    }

    @Override
    public boolean ring(int number) {
        EventCounter bell = bells.get(number);
        if (bell != null) {
            bell.ring();
        }
        return bell != null;
    }

    /** A pipe that this process was offered and has mapped. */
    public Pipe accept(PipeMemory memory, int id) {
        Pipe pipe = new Pipe(memory, PipeLayout.BACK, this, id, null);
        pipes.put(id, pipe);
        if (ended) {
            pipe.peerHasGone();
        }
        return pipe;
    }

    @Override
    public void forget(Pipe pipe, PipeMemory memory) {
        pipes.remove(pipe.id(), pipe);
        Counters.INSTANCE.left();
        // not before the control thread has done with what it does for the pipe at present
        control.execute(memory::free);
    }

    private synchronized void send(int kind, int id, long first, long second, long third) {
        if (ended) {
            return;
        }
        if (out.remaining() < MESSAGE_BYTES) {
            if (out.capacity() >= MOST_WAITING) {
                control.execute(this::end);
                return;
            }
            out = ByteBuffer.allocate(2 * out.capacity()).put(out.flip());
        }
        out.putInt(kind).putInt(id).putLong(first).putLong(second).putLong(third);
        flush();
    }

    /** Writes what the system takes now; the control thread sees to the rest. */
    private synchronized void flush() {
        out.flip();
        try {
            channel.write(out);
        } catch (IOException broken) {
            control.execute(this::end);
            out.position(out.limit());
        }
        boolean rest = out.hasRemaining();
        out.compact();
        if (key != null && key.isValid()) {
            if (rest) {
                key.interestOpsOr(SelectionKey.OP_WRITE);
                key.selector().wakeup();
            } else {
                key.interestOpsAnd(SelectionKey.OP_READ);
            }
        }
    }

    /** Does what the selected key says; on the control thread. */
    public void handle(SelectionKey selected) {
        if (selected.isValid() && selected.isWritable()) {
            flush();
        }
        if (selected.isValid() && selected.isReadable()) {
            receive();
        }
    }

    private void receive() {
        try {
            int count = passing.receive(in);
            in.flip();
            while (in.remaining() >= MESSAGE_BYTES) {
                take(in.getInt(), in.getInt(), in.getLong(), in.getLong(), in.getLong());
            }
            in.compact();
            if (count < 0) {
                end();
            }
        } catch (IOException broken) {
            end();
        }
    }

    private void take(int kind, int id, long first, long second, long third) throws IOException {
        if (incoming && !greeted && kind != HELLO) {
            throw new IOException("not a peer of this version");
        }
        switch (kind) {
            case HELLO -> {
                if (!incoming || first != MAGIC) {
                    throw new IOException("not a peer of this version");
                }
                greeted = true;
            }
            case OFFER -> {
                if (!incoming || pipes.containsKey(id)) {
                    throw new IOException("an offer that cannot be");
                }
                control.registry()
                        .offered(
                                new MemoryOffer(this, id, HostFolder.pipeName(second, third), control.folder()), first);
            }
            case WITHDRAW -> control.registry().withdrawn(this, id);
            case UNPARK -> {
                Pipe pipe = pipes.get(id);
                if (pipe != null) {
                    pipe.unpark((int) first);
                }
            }
            case BELL -> take(id);
            case BELL_GONE -> {
                EventCounter bell = bells.remove(id);
                if (bell != null) {
                    bell.close();
                }
            }
            default -> throw new IOException("a message of an unknown kind");
        }
    }

    /** Takes the bell that has come with the message. */
    private void take(int number) {
        int descriptor = passing.takeReceived();
        if (descriptor != DescriptorPassing.NONE) {
            EventCounter bell = EventCounter.of(descriptor);
            if (bells.size() >= MOST_BELLS || bells.putIfAbsent(number, bell) != null) {
                bell.close();
            }
        }
    }

    /** The other process has gone, or does not keep to the rules; on the control thread. */
    public void end() {
        if (ended) {
            return;
        }
        synchronized (this) { // a thread that sends by the number of the descriptor has done, and none begins
            ended = true;
            try {
                channel.close();
            } catch (IOException isGoneAllTheSame) {
                // nobody is there to be told
            }
        }
        passing.drop();
        bells.values().forEach(EventCounter::close);
        control.registry().ended(this);
        for (Pipe pipe : pipes.values()) {
            pipe.peerHasGone();
        }
    }
}
