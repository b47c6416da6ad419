package org.galerna.sockets.channel;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Channels#newInputStream} and {@link Channels#newOutputStream} make of a channel of Galerna: streams that one
 * thread may read from while another one writes, as those of the platform's own channels. The platform makes streams of all
 * other channels that hold the lock of the channel while they wait.
 *
 * <p>Channels that do not wait have no streams, and the time limit of the channel's socket is none of theirs.
 */
public final class ChannelStreams {
    private ChannelStreams() {}

    /** A stream to read from; null if the platform is to make it. */
    public static @Nullable InputStream input(Object channel) {
        return channel instanceof FastSocketChannel fast ? new Input(fast) : null;
    }

    /** A stream to write to; null if the platform is to make it. */
    public static @Nullable OutputStream output(Object channel) {
        return channel instanceof FastSocketChannel fast ? new Output(fast) : null;
    }

    private static void checkMayWait(FastSocketChannel channel) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    private static final class Input extends InputStream {
        private final FastSocketChannel channel;
        private final InputStream plain;

        Input(FastSocketChannel channel) {
            this.channel = channel;
            this.plain = Channels.newInputStream(channel.tcp());
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (channel.connection() == null) {
                try {
                    return plain.read(target, offset, length);
                } finally {
                    channel.closeIfTcpIs(); // as an interrupt has done
                }
            }
            Objects.checkFromIndexSize(offset, length, target.length);
            if (length == 0) {
                return 0;
            }
            int count;
            do {
                checkMayWait(channel);
                count = channel.read(ByteBuffer.wrap(target, offset, length));
            } while (count == 0); // somebody has changed whether the channel waits
            return count;
        }

        @Override
        public int available() throws IOException {
            ChannelConnection connection = channel.connection();
            return connection == null ? plain.available() : connection.available();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    private static final class Output extends OutputStream {
        private final FastSocketChannel channel;
        private final OutputStream plain;

        Output(FastSocketChannel channel) {
            this.channel = channel;
            this.plain = Channels.newOutputStream(channel.tcp());
        }

        @Override
        public void write(int value) throws IOException {
            write(new byte[] {(byte) value}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            if (channel.connection() == null) {
                try {
                    plain.write(source, offset, length);
                    return;
                } finally {
                    channel.closeIfTcpIs();
                }
            }
            ByteBuffer left = ByteBuffer.wrap(source, offset, length);
            while (left.hasRemaining()) {
                checkMayWait(channel);
                int count = channel.write(left);
                if (count == 0 && !channel.isBlocking()) {
                    throw new IllegalBlockingModeException();
                }
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
