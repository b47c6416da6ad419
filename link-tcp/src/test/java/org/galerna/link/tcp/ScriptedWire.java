package org.galerna.link.tcp;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.galerna.link.tcp.wire.Wire;
import org.jspecify.annotations.Nullable;

/** A wire that gives the bytes that a test has put there, cut where the test wants, and keeps what is written. */
public final class ScriptedWire implements Wire {
    private final Deque<ByteBuffer> chunks = new ArrayDeque<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private @Nullable Random cuts;
    private boolean ended;
    private boolean reachesArrays;
    private Runnable meanwhile = () -> {};
    private int room = Integer.MAX_VALUE;
    private Runnable onSelect = () -> {};

    /** From here on reads and writes move as many bytes as the random numbers say. */
    public ScriptedWire cutBy(Random random) {
        cuts = random;
        return this;
    }

    /** From here on it reaches arrays. */
    public ScriptedWire reachingArrays() {
        reachesArrays = true;
        return this;
    }

    /** Does something while bytes of an array are sent. */
    public ScriptedWire meanwhile(Runnable task) {
        meanwhile = task;
        return this;
    }

    /** From here on it takes nothing. */
    public ScriptedWire full() {
        return room(0);
    }

    /** It takes so many bytes more. */
    public ScriptedWire room(int bytes) {
        room = bytes;
        return this;
    }

    /** Does something when a thread is about to wait for it. */
    public ScriptedWire onSelect(Runnable task) {
        onSelect = task;
        return this;
    }

    /** Adds bytes that no read takes together with others. */
    public ScriptedWire add(byte[] bytes) {
        if (bytes.length > 0) {
            chunks.add(ByteBuffer.wrap(bytes));
        }
        return this;
    }

    /** After the bytes the stream is over. */
    public ScriptedWire end() {
        ended = true;
        return this;
    }

    public byte[] written() {
        return written.toByteArray();
    }

    public byte[] takeWritten() {
        byte[] bytes = written.toByteArray();
        written.reset();
        return bytes;
    }

    private int most(int bytes) {
        Random random = cuts;
        if (random == null || bytes == 0) {
            return bytes;
        }
        return random.nextBoolean() ? random.nextInt(Math.min(bytes, 20) + 1) : random.nextInt(bytes + 1);
    }

    @Override
    public int read(ByteBuffer target) {
        ByteBuffer chunk = chunks.peek();
        if (chunk == null) {
            return ended ? -1 : 0;
        }
        int count = most(Math.min(chunk.remaining(), target.remaining()));
        target.put(chunk.slice(chunk.position(), count));
        chunk.position(chunk.position() + count);
        if (!chunk.hasRemaining()) {
            chunks.remove();
        }
        return count;
    }

    @Override
    public long read(ByteBuffer[] targets) {
        long total = 0;
        for (ByteBuffer each : targets) {
            int count = each.hasRemaining() ? read(each) : 0;
            if (count < 0) {
                return total == 0 ? count : total;
            }
            total += count;
            if (each.hasRemaining()) {
                break;
            }
        }
        return total;
    }

    @Override
    public int write(ByteBuffer source) {
        int count = Math.min(room, most(source.remaining()));
        byte[] bytes = new byte[count];
        source.get(bytes);
        written.writeBytes(bytes);
        room -= count;
        return count;
    }

    /** As a socket does, writes nothing at all if one of the sources is not accessible. */
    @Override
    public long write(ByteBuffer[] sources, int offset, int count) {
        for (int each = offset; each < offset + count; each++) {
            byte[] accessible = new byte[Math.min(1, sources[each].remaining())];
            sources[each].get(sources[each].position(), accessible);
        }
        long total = 0;
        for (int each = offset; each < offset + count; each++) {
            total += write(sources[each]);
            if (sources[each].hasRemaining()) {
                break;
            }
        }
        return total;
    }

    @Override
    public boolean reachesArrays() {
        return reachesArrays;
    }

    @Override
    public int receive(MemorySegment target, long offset, long length) {
        ByteBuffer bytes = ByteBuffer.allocate((int) length);
        int count = read(bytes);
        MemorySegment.copy(MemorySegment.ofArray(bytes.array()), 0, target, offset, Math.max(0, count));
        return count;
    }

    @Override
    public int send(MemorySegment source, long offset, long length, boolean more) {
        meanwhile.run();
        byte[] bytes = new byte[most((int) length)];
        MemorySegment.copy(source, offset, MemorySegment.ofArray(bytes), 0, bytes.length);
        written.writeBytes(bytes);
        return bytes.length;
    }

    @Override
    public void select(Selector selector, Object attachment, boolean reading, boolean writing) {
        onSelect.run(); // tests look themselves
    }

    @Override
    public boolean isSelectable() {
        return false;
    }

    @Override
    public void close() {
        ended = true;
    }
}
