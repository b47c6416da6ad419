package org.galerna.launch.rank;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * What {@code System.in} is while jobs run: the stream of the rank that the calling thread works for, or the original
 * one if it works for none.
 */
final class ForwardingInputStream extends InputStream {
    private final InputStream original;

    ForwardingInputStream(InputStream original) {
        this.original = original;
    }

    /** The stream of the rank that the calling thread works for, else the original. */
    InputStream here() {
        RankContext rank = RankContext.current();
        return rank == null ? original : rank.in();
    }

    @Override
    public int read() throws IOException {
        return here().read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        return here().read(bytes, offset, length);
    }

    @Override
    public byte[] readAllBytes() throws IOException {
        return here().readAllBytes();
    }

    @Override
    public int readNBytes(byte[] bytes, int offset, int length) throws IOException {
        return here().readNBytes(bytes, offset, length);
    }

    @Override
    public byte[] readNBytes(int length) throws IOException {
        return here().readNBytes(length);
    }

    @Override
    public long skip(long count) throws IOException {
        return here().skip(count);
    }

    @Override
    public int available() throws IOException {
        return here().available();
    }

    @Override
    public void mark(int limit) {
        here().mark(limit);
    }

    @Override
    public void reset() throws IOException {
        here().reset();
    }

    @Override
    public boolean markSupported() {
        return here().markSupported();
    }

    @Override
    public long transferTo(OutputStream sink) throws IOException {
        return here().transferTo(sink);
    }

    @Override
    public void close() throws IOException {
        here().close();
    }
}
