package org.galerna.launch.output;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Gathers what the ranks write to one stream. Complete lines are passed on at once and in one piece, so that lines of
 * different ranks do not mix. The beginning of a line (a prompt, the dots of a progress bar) waits a little for its
 * rest, until {@link #passOnPartialLines}, a flush, or the end. A line stays together up to {@link #LONGEST_LINE}.
 *
 * <p>With labels, every line begins with its rank: {@code [3] }. A line that had to be passed on without its end is
 * ended before another rank's begins. Any thread may call any method.
 */
public final class OutputChannel {
    /**
     * The longest line that stays together, in bytes. What is longer without an end is passed on: the memory for a rank
     * that never ends its line is bounded.
     */
    public static final int LONGEST_LINE = 4 << 20;

    /** What is longer is no prompt, and waits for its end as long as it grows. In bytes. */
    private static final int LONGEST_PROMPT = 8192;

    /** What is no prompt waits so many times as long: its rank may get no processor for a while. */
    private static final int TIMES_OF_LONG_LINES = 20;

    private static final int NOBODY = -1;

    private final OutputStream sink;
    private final int first;
    private final boolean labelled;
    private final Charset charset;
    private final ReentrantLock lock = new ReentrantLock();
    // guarded by lock
    private final Buffer[] buffers;
    private int unfinishedLineOf = NOBODY;
    private boolean closed;

    /** What a rank has written of a line that is not complete. */
    private static final class Buffer extends ByteArrayOutputStream {
        /** When the line has begun, or grown to more than a prompt. */
        private long since;

        byte[] bytes() {
            return buf;
        }

        void add(byte[] bytes, int offset, int length) {
            if (count == 0 || count + length > LONGEST_PROMPT) {
                since = System.nanoTime();
            }
            write(bytes, offset, length);
        }

        /** Whether it has waited for its end at least so long, or that many times as long if it is no prompt. */
        boolean hasWaited(Duration age) {
            int times = count > LONGEST_PROMPT ? TIMES_OF_LONG_LINES : 1;
            return count > 0 && System.nanoTime() - since >= age.toNanos() * times;
        }

        /** Empties it; the memory of a long line is not kept. */
        void clear() {
            reset();
            if (buf.length > 2 * LONGEST_PROMPT) {
                buf = new byte[LONGEST_PROMPT];
            }
        }
    }

    /**
     * A channel for the ranks 0 to {@code ranks - 1}.
     *
     * @param sink where everything goes; flushed after every write, never closed
     * @param charset the encoding of what the ranks write
     */
    public OutputChannel(OutputStream sink, int ranks, boolean labelled, Charset charset) {
        this(sink, 0, ranks, labelled, charset);
    }

    /** As {@link #OutputChannel(OutputStream, int, boolean, Charset)}, for ranks from {@code first} on. */
    public OutputChannel(OutputStream sink, int first, int ranks, boolean labelled, Charset charset) {
        this.sink = sink;
        this.first = first;
        this.labelled = labelled;
        this.charset = charset;
        this.buffers = new Buffer[ranks];
        Arrays.setAll(buffers, rank -> new Buffer());
    }

    /**
     * The stream of a rank. It never flushes by itself, since complete lines need no flush: each flush is one that
     * the program has asked for.
     */
    public PrintStream of(int rank) {
        return new PrintStream(new RankOutputStream(rank - first), false, charset);
    }

    /**
     * Passes on the beginnings of lines that have waited for their end at least as long as {@code age}; those of more than
     * {@value #LONGEST_PROMPT} bytes wait {@value #TIMES_OF_LONG_LINES} times as long since they grew.
     */
    public void passOnPartialLines(Duration age) {
        // whoever holds the lock may be stuck in a pipe that nobody reads
        if (!lock.tryLock()) {
            return;
        }
        try {
            for (int rank = 0; rank < buffers.length; rank++) {
                if (buffers[rank].hasWaited(age)) {
                    passOn(rank);
                }
            }
        } catch (IOException sinkIsGone) {
            closed = true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Passes on what is left and takes nothing more: later output of the ranks disappears.
     *
     * @param patience how long to wait for a writer that is stuck
     */
    public void close(Duration patience) {
        try {
            if (!lock.tryLock(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return;
        }
        try {
            for (int rank = 0; rank < buffers.length && !closed; rank++) {
                if (buffers[rank].size() > 0) {
                    passOn(rank);
                }
            }
            if (labelled && unfinishedLineOf != NOBODY && !closed) {
                sink.write('\n');
                sink.flush();
            }
        } catch (IOException sinkIsGone) {
            // nobody reads it any more, and nobody is left to tell
            return;
        } finally {
            closed = true;
            lock.unlock();
        }
    }

    private void write(int rank, byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            int lines = length;
            while (lines > 0 && bytes[offset + lines - 1] != '\n') {
                lines--;
            }
            Buffer buffer = buffers[rank];
            if (lines > 0) {
                buffer.write(bytes, offset, lines);
                passOn(rank);
            }
            if (lines < length) {
                buffer.add(bytes, offset + lines, length - lines);
                if (buffer.size() > LONGEST_LINE) {
                    passOn(rank);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private void flush(int rank) throws IOException {
        lock.lock();
        try {
            if (!closed && buffers[rank].size() > 0) {
                passOn(rank);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Writes what is in the buffer of a rank, whole lines or not. */
    private void passOn(int rank) throws IOException {
        Buffer buffer = buffers[rank];
        byte[] bytes = buffer.bytes();
        int length = buffer.size();
        if (labelled) {
            ByteArrayOutputStream text = label(rank, bytes, length);
            text.writeTo(sink);
        } else {
            sink.write(bytes, 0, length);
        }
        unfinishedLineOf = bytes[length - 1] == '\n' ? NOBODY : rank;
        buffer.clear();
        sink.flush();
    }

    private ByteArrayOutputStream label(int rank, byte[] bytes, int length) {
        byte[] prefix = ("[" + (first + rank) + "] ").getBytes(StandardCharsets.US_ASCII);
        ByteArrayOutputStream text = new ByteArrayOutputStream(length + 64);
        boolean atStart = unfinishedLineOf != rank;
        if (atStart && unfinishedLineOf != NOBODY) {
            text.write('\n');
        }
        for (int index = 0; index < length; index++) {
            if (atStart) {
                text.writeBytes(prefix);
            }
            text.write(bytes[index]);
            atStart = bytes[index] == '\n';
        }
        return text;
    }

    /** Where the print stream of a rank writes to. */
    private final class RankOutputStream extends OutputStream {
        private final int rank;

        RankOutputStream(int rank) {
            this.rank = rank;
        }

        @Override
        public void write(int b) throws IOException {
            OutputChannel.this.write(rank, new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            OutputChannel.this.write(rank, bytes, offset, length);
        }

        @Override
        public void flush() throws IOException {
            OutputChannel.this.flush(rank);
        }
    }
}
