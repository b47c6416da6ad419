package org.galerna.link.tcp.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.util.Optional;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.galerna.nativeaccess.socket.SystemAnswers;
import org.jspecify.annotations.Nullable;

/**
 * A wire through TLS over another wire. Until the handshake of TLS is complete, whatever is read or written goes on with
 * that and moves nothing; one thread does that. Afterwards one thread may read and one write at a time.
 *
 * <p>Locks: {@code in} guards what comes, {@code out} what goes; who has {@code in} may take {@code out}, because what comes
 * may want an answer of TLS' own (a change of keys). The engine itself allows one thread for each direction.
 *
 * <p>Records are decrypted to memory of this wire and copied, never straight to memory of others: that may be freed in the
 * middle, and the record would be lost for whoever reads on.
 */
public final class TlsWire implements Wire {
    /** RFC 9266: what both ends of a session know, and nobody else does. */
    private static final String BINDING_LABEL = "EXPORTER-Channel-Binding";

    private static final int BINDING_BYTES = 32;

    private static final String FAILS = "TLS with it fails: ";

    /** Records that one call of the system writes at most; one of TLS' own may come between them. */
    private static final int RECORDS_AT_ONCE = 4;

    /** Most bytes of a record before it is encrypted: RFC 8446, 5.1. */
    private static final int RECORD_BYTES = 16 * 1024;

    /** Of a record on the wire: type (1), version (2), length (2). */
    private static final int RECORD_HEADER = 5;

    private static final int RECORD_LENGTH = 3;

    private final SSLEngine engine;
    private final Object in = new Object();
    private final Object out = new Object();
    private final int packetBytes;
    private volatile Wire socket;
    private volatile byte @Nullable [] binding;

    // guarded by both
    private boolean begun;

    // guarded by in
    private final ByteBuffer received; // from position to limit: not decrypted yet
    private final ByteBuffer plain; // from position to limit: not taken yet
    private boolean ended;

    // guarded by out
    private final ByteBuffer clear = ByteBuffer.allocate(RECORD_BYTES);
    private final ByteBuffer encrypted; // from position to limit: not written yet

    /** Nothing is said yet. */
    TlsWire(SSLEngine engine, Wire socket) {
        this.engine = engine;
        this.socket = socket;
        this.packetBytes = engine.getSession().getPacketBufferSize();
        this.received = ByteBuffer.allocate(2 * packetBytes).flip();
        this.plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .flip();
        this.encrypted =
                ByteBuffer.allocate((RECORDS_AT_ONCE + 1) * packetBytes).flip();
    }

    @Override
    public byte[] binding() {
        byte[] known = binding;
        if (known == null) {
            throw new IllegalStateException("the handshake of TLS is not complete");
        }
        return known.clone();
    }

    /** Bytes that were read before stay in this wire. */
    @Override
    public Wire continueOn(Wire other) {
        socket = other;
        return this;
    }

    // ---- the handshake

    /** Goes on with the handshake; true once it is complete. */
    private boolean isShaken() throws IOException {
        if (binding != null) {
            return true;
        }
        synchronized (in) {
            synchronized (out) {
                try {
                    return shake();
                } catch (SSLException failed) {
                    sayWhy();
                    String reason = FAILS + failed.getMessage();
                    throw failed instanceof SSLHandshakeException
                            ? new TlsRefusedException(reason)
                            : new ProtocolException(reason);
                }
            }
        }
    }

    private boolean shake() throws IOException {
        if (!begun) {
            begun = true;
            engine.beginHandshake();
        }
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!flush()) {
                        return false;
                    }
                    encrypt(ByteBuffer.allocate(0));
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!flush()) {
                        return false;
                    }
                    if (decrypt().getStatus() == Status.BUFFER_UNDERFLOW && !receive()) {
                        if (ended) {
                            throw new EOFException("the connection has ended during the handshake of TLS");
                        }
                        return false;
                    }
                    if (engine.isInboundDone()) {
                        throw new EOFException("it has ended the handshake of TLS");
                    }
                }
                case NOT_HANDSHAKING, FINISHED -> {
                    ExtendedSSLSession session = (ExtendedSSLSession) engine.getSession();
                    binding = session.exportKeyingMaterialData(BINDING_LABEL, new byte[0], BINDING_BYTES);
                    return true;
                }
            }
        }
    }

    private void runTasks() {
        Runnable task;
        while ((task = engine.getDelegatedTask()) != null) {
            task.run();
        }
    }

    /** Lets the other side know in TLS' own words why nothing will come of it. */
    private void sayWhy() {
        try {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP && flush()) {
                if (encrypt(ByteBuffer.allocate(0)).bytesProduced() == 0) {
                    break;
                }
            }
            flush();
        } catch (IOException gone) {
            // nobody is left to be told
        }
    }

    // ---- reading

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!isShaken()) {
            return 0;
        }
        synchronized (in) {
            int before = target.remaining();
            try {
                while (take(target) && (decryptNext() || receive())) {
                    // more may fit
                }
            } catch (SSLHandshakeException refused) {
                // a server of TLS 1.3 looks at the client's certificate when the handshake is complete for the client
                throw new TlsRefusedException(FAILS + refused.getMessage() + "; its log says why");
            } catch (SSLException wrong) {
                throw new ProtocolException("its bytes are not TLS as agreed upon: " + wrong.getMessage());
            }
            int count = before - target.remaining();
            return count == 0 && ended ? -1 : count;
        }
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
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
    public boolean hasBuffered() {
        synchronized (in) {
            return plain.hasRemaining() || hasRecord();
        }
    }

    private boolean hasRecord() {
        return received.remaining() >= RECORD_HEADER
                && received.remaining() - RECORD_HEADER
                        >= Short.toUnsignedInt(received.getShort(received.position() + RECORD_LENGTH));
    }

    /** Copies what is there; true if there is room for more. */
    private boolean take(ByteBuffer target) {
        int count = Math.min(plain.remaining(), target.remaining());
        if (count > 0) {
            target.put(plain.slice(plain.position(), count));
            plain.position(plain.position() + count);
        }
        return target.hasRemaining();
    }

    /** Decrypts a record, all bytes of the last one being taken; false if there is none in full. */
    private boolean decryptNext() throws IOException {
        if (ended) {
            return false;
        }
        SSLEngineResult result = decrypt();
        if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            runTasks();
        }
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            answer();
        }
        if (result.getStatus() == Status.CLOSED) {
            ended = true;
        }
        return result.getStatus() == Status.OK;
    }

    private SSLEngineResult decrypt() throws SSLException {
        plain.clear();
        try {
            SSLEngineResult result = engine.unwrap(received, plain);
            if (result.getStatus() == Status.BUFFER_OVERFLOW) {
                throw new SSLException("a record is longer than any may be");
            }
            return result;
        } finally {
            plain.flip();
        }
    }

    /** Reads from the socket; false if nothing has come. */
    private boolean receive() throws IOException {
        if (ended) {
            return false;
        }
        received.compact();
        try {
            int count = socket.read(received);
            ended = count < 0;
            return count > 0;
        } finally {
            received.flip();
        }
    }

    /** Writes what TLS itself has to say; where there is no room, the next write does. */
    private void answer() throws IOException {
        synchronized (out) {
            if (flush()) {
                encrypt(ByteBuffer.allocate(0));
                flush();
            }
        }
    }

    // ---- writing

    @Override
    public int write(ByteBuffer source) throws IOException {
        return (int) write(new ByteBuffer[] {source}, 0, 1);
    }

    /** {@inheritDoc} Bytes count as written once they are encrypted; what of them the socket has no room for, flush writes. */
    @Override
    public long write(ByteBuffer[] sources, int offset, int count) throws IOException {
        if (!isShaken()) {
            return 0;
        }
        synchronized (out) {
            long taken = 0;
            int each = offset;
            while (flush()) {
                do {
                    clear.clear();
                    try {
                        each = gather(sources, each, offset + count);
                    } finally { // if a source is not accessible, what was taken of others counts as written
                        taken += clear.flip().remaining();
                        encryptAll();
                    }
                } while (each < offset + count && encrypted.capacity() - encrypted.limit() >= 2 * packetBytes);
                if (!encrypted.hasRemaining()) {
                    break;
                }
            }
            return taken;
        }
    }

    /** Fills a record; the first source that has something left. */
    private int gather(ByteBuffer[] sources, int from, int end) {
        int each = from;
        while (each < end && clear.hasRemaining()) {
            ByteBuffer source = sources[each];
            int part = Math.min(source.remaining(), clear.remaining());
            clear.put(source.slice(source.position(), part));
            source.position(source.position() + part);
            if (!source.hasRemaining()) {
                each++;
            }
        }
        return each;
    }

    private void encryptAll() throws IOException {
        while (clear.hasRemaining()) {
            SSLEngineResult result = encrypt(clear);
            if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
                runTasks();
            } else if (result.bytesConsumed() + result.bytesProduced() == 0) {
                throw new IOException("TLS has ended: " + result.getStatus());
            }
        }
    }

    /** Adds a record to what is encrypted; there has to be room. */
    private SSLEngineResult encrypt(ByteBuffer source) throws IOException {
        int start = encrypted.position();
        encrypted.position(encrypted.limit()).limit(encrypted.capacity());
        try {
            return engine.wrap(source, encrypted);
        } finally {
            encrypted.limit(encrypted.position()).position(start);
        }
    }

    @Override
    public boolean flush() throws IOException {
        synchronized (out) {
            while (encrypted.hasRemaining()) {
                if (socket.write(encrypted) == 0) {
                    return false;
                }
            }
            encrypted.clear().flip();
            return socket.flush();
        }
    }

    @Override
    public long underWay() {
        synchronized (out) {
            return encrypted.remaining() + socket.underWay();
        }
    }

    @Override
    public boolean isWithinHost() {
        return socket.isWithinHost();
    }

    @Override
    public Optional<SystemAnswers> answers() {
        return socket.answers();
    }

    // ---- waiting

    @Override
    public void select(Selector selector, Object attachment, boolean reading, boolean writing) throws IOException {
        boolean waitsForRoom;
        synchronized (out) {
            waitsForRoom = encrypted.hasRemaining();
        }
        // during the handshake of TLS what is to be written waits for what has to come, not for room
        socket.select(selector, attachment, reading, waitsForRoom || (writing && binding != null));
    }

    @Override
    public boolean isSelectable() {
        return socket.isSelectable();
    }

    /** {@inheritDoc} All records are with the socket by then: nothing is written behind the last frame. */
    @Override
    public void closeBehindLast() {
        socket.closeBehindLast();
    }

    @Override
    public void close() {
        socket.close();
    }
}
