package org.galerna.sockets;

import static org.galerna.sockets.ChannelPair.bytes;
import static org.galerna.sockets.ChannelPair.read;
import static org.galerna.sockets.SocketPair.blocked;
import static org.galerna.sockets.SocketPair.outcome;
import static org.galerna.sockets.SocketPair.outcomeOf;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.SocketPair.Blocked;

/** What is done with two connected channels, each with what it shows in words, which must be the same for all channels. */
final class ChannelBehaviours {
    private final Map<String, Behaviour> all = new LinkedHashMap<>();

    /** One of them. */
    interface Behaviour {
        String of(ChannelPair pair) throws Exception;
    }

    ChannelBehaviours() {
        moving();
        ending();
        closing();
        threads(false, "platform thread");
        threads(true, "virtual thread");
        sockets();
        options();
    }

    Map<String, Behaviour> all() {
        return all;
    }

    private void moving() {
        all.put("reads what is there into any buffer", pair -> {
            pair.client().write(bytes(1, 2, 3, 4, 5, 6));
            ByteBuffer heap =
                    ByteBuffer.allocate(6).position(1).slice().position(1).limit(3);
            ByteBuffer direct = ByteBuffer.allocateDirect(8).position(3).limit(5);
            return pair.server().read(heap)
                    + Arrays.toString(heap.array())
                    + pair.server().read(direct)
                    + direct.get(3)
                    + direct.get(4)
                    + direct
                    + read(pair.server(), 2);
        });
        all.put("writes what is in any buffer", pair -> {
            ByteBuffer direct = ByteBuffer.allocateDirect(4).put(1, (byte) 9).position(1);
            int first = pair.client().write(direct);
            int second = pair.client().write(bytes(1, 2).asReadOnlyBuffer());
            return first + " " + second + direct + read(pair.server(), 5);
        });
        all.put(
                "takes and gives nothing",
                pair -> pair.client().write(ByteBuffer.allocate(0))
                        + outcome(() -> pair.server().read(ByteBuffer.allocate(0)))
                        + outcome(() -> pair.server().read(bytes(1).asReadOnlyBuffer()))
                        + outcome(() -> pair.client().write((ByteBuffer) null))
                        + outcome(() -> pair.client().write(new ByteBuffer[2], 1, 2)));
        all.put("gathers and scatters", pair -> {
            ByteBuffer[] sources = {bytes(0), bytes(1, 2), ByteBuffer.allocate(0), bytes(3, 4, 5), bytes(6)};
            long written = pair.client().write(sources, 1, 3);
            ByteBuffer[] targets = {
                ByteBuffer.allocate(1), ByteBuffer.allocate(0), ByteBuffer.allocateDirect(2), ByteBuffer.allocate(4)
            };
            long count = 0;
            while (count < 5) {
                count += pair.server().read(targets);
            }
            return written + " " + count + targets[0].get(0) + targets[2].get(1) + Arrays.toString(targets[3].array());
        });
        all.put("does not wait for bytes", pair -> {
            pair.server().configureBlocking(false);
            int none = pair.server().read(ByteBuffer.allocate(5));
            long noneScattered = pair.server().read(new ByteBuffer[] {ByteBuffer.allocate(5)});
            pair.client().write(bytes(4));
            return none + " " + noneScattered + read(pair.server(), 1);
        });
        all.put("does not wait for room", pair -> {
            pair.client().configureBlocking(false);
            ByteBuffer source = ByteBuffer.allocate(100_000);
            long sent = 0;
            int zeros = 0;
            while (zeros < 20) { // TCP moves bytes from one buffer to the other meanwhile
                int count = pair.client().write(source.clear());
                sent += count;
                zeros = count == 0 ? zeros + 1 : 0;
                LockSupport.parkNanos(100_000);
            }
            Blocked reader = blocked(false, () -> pair.drain(pair.server(), 1).replaceAll(",.*", ""));
            pair.client().shutdownOutput();
            return (sent > 100_000) + " " + reader.outcome().equals(sent + " bytes");
        });
        all.put("carries much both ways at once", pair -> {
            Blocked there = blocked(false, () -> pair.drain(pair.server(), 3));
            Blocked sender = blocked(true, () -> pair.pour(pair.client(), 1));
            return there.outcome() + sender.outcome();
        });
        all.put("carries much while it waits", pair -> {
            ByteBuffer much = ByteBuffer.allocate(3_000_000);
            Blocked there = blocked(true, () -> pair.server().write(much) + " " + much);
            return read(pair.client(), 3_000_000).length() + there.outcome();
        });
    }

    private void ending() {
        all.put("ends one direction, and the other one goes on", pair -> {
            pair.client().write(bytes(1, 2));
            pair.client().shutdownOutput().shutdownOutput();
            String rest = read(pair.server(), 5);
            pair.server().write(bytes(9));
            return rest
                    + pair.server().read(ByteBuffer.allocate(1))
                    + pair.server().read(new ByteBuffer[] {ByteBuffer.allocate(1)})
                    + read(pair.client(), 1)
                    + outcome(() -> pair.client().write(bytes(1)))
                    + outcome(() -> pair.client().write(new ByteBuffer[] {bytes(1)}))
                    + pair.client().configureBlocking(false).isBlocking()
                    + outcome(() -> pair.client().write(bytes(1)));
        });
        all.put("reads after shutting input", pair -> {
            pair.server().shutdownInput();
            return "" + pair.server().read(ByteBuffer.allocate(1))
                    + outcome(() -> pair.server().shutdownInput() == pair.server());
        });
    }

    private void closing() {
        all.put("reads what was sent before closing", pair -> {
            pair.client().write(bytes(1, 2, 3));
            pair.client().close();
            return read(pair.server(), 5) + pair.server().read(ByteBuffer.allocate(5));
        });
        all.put("is reset if bytes are left unread", pair -> {
            pair.client().write(bytes(1, 2, 3));
            pair.server().write(bytes(4));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            pair.server().close();
            return read(pair.client(), 1) + outcome(() -> pair.client().read(ByteBuffer.allocate(1)));
        });
        all.put("is reset by who does not linger", pair -> {
            pair.server().setOption(StandardSocketOptions.SO_LINGER, 0);
            pair.server().close();
            return outcome(() -> pair.client().read(ByteBuffer.allocate(1)))
                    + outcome(() -> pair.client().read(ByteBuffer.allocate(1)));
        });
        all.put("writes to who has closed", pair -> {
            pair.server().close();
            String last = "none";
            for (int trial = 0; trial < 100 && !last.contains("Exception"); trial++) {
                last = outcome(() -> pair.client().write(ByteBuffer.allocate(100)));
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
            return last;
        });
        all.put("uses what is closed", pair -> {
            pair.client().close();
            pair.client().close();
            return outcome(() -> pair.client().read(ByteBuffer.allocate(1)))
                    + outcome(() -> pair.client().write(bytes(1)))
                    + outcome(() -> pair.client().write(new ByteBuffer[] {bytes(1)}))
                    + outcome(() -> pair.client().read(new ByteBuffer[] {bytes(1)}))
                    + outcomeOf(() -> pair.client().shutdownInput())
                    + outcomeOf(() -> pair.client().shutdownOutput())
                    + outcome(() -> pair.client().getRemoteAddress())
                    + outcome(() -> pair.client().getOption(StandardSocketOptions.SO_LINGER))
                    + outcomeOf(() -> pair.client().configureBlocking(false))
                    + outcome(() -> pair.client().finishConnect())
                    + pair.client().isConnected()
                    + pair.client().isOpen()
                    + pair.client().socket().isClosed()
                    + pair.client();
        });
    }

    private void threads(boolean virtual, String kind) {
        all.put("closes while a " + kind + " reads", pair -> {
            Blocked reader = blocked(virtual, () -> pair.server().read(ByteBuffer.allocate(1)));
            pair.server().close();
            return reader.outcome();
        });
        all.put("shuts input while a " + kind + " reads", pair -> {
            Blocked reader = blocked(virtual, () -> pair.server().read(ByteBuffer.allocate(1)));
            pair.server().shutdownInput();
            return reader.outcome();
        });
        all.put("closes while a " + kind + " writes", pair -> {
            Blocked writer = blocked(virtual, () -> {
                while (true) {
                    pair.server().write(ByteBuffer.allocate(100_000));
                }
            });
            pair.server().close();
            // the platform's as well, depending on whether some bytes of the last write had gone
            return writer.outcome().replaceAll("AsynchronousCloseException|ClosedChannelException", "closed");
        });
        all.put("a " + kind + " that reads is interrupted", pair -> {
            Blocked reader = blocked(virtual, () -> {
                String read = outcome(() -> pair.server().read(ByteBuffer.allocate(1)));
                return read + Thread.currentThread().isInterrupted();
            });
            reader.thread().interrupt();
            return reader.outcome() + pair.server().isOpen();
        });
        all.put("a " + kind + " that writes is interrupted", pair -> {
            Blocked writer = blocked(virtual, () -> {
                while (true) {
                    pair.server().write(ByteBuffer.allocate(100_000));
                }
            });
            writer.thread().interrupt();
            return writer.outcome() + pair.server().isOpen();
        });
        all.put("a " + kind + " that reads a stream is interrupted", pair -> {
            Blocked reader = blocked(
                    virtual, () -> pair.server().socket().getInputStream().read());
            reader.thread().interrupt();
            return reader.outcome() + pair.server().isOpen();
        });
        all.put("a " + kind + " that was interrupted reads", pair -> {
            pair.client().write(bytes(1));
            Blocked reader = blocked(virtual, () -> {
                Thread.currentThread().interrupt();
                return pair.server().read(ByteBuffer.allocate(1));
            });
            return reader.outcome() + pair.server().isOpen();
        });
        all.put("a " + kind + " gets what comes later", pair -> {
            Blocked reader = blocked(virtual, () -> read(pair.server(), 3));
            pair.client().write(bytes(1, 2));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            pair.client().write(bytes(3));
            return reader.outcome();
        });
    }

    private void sockets() {
        all.put("is a socket too", pair -> {
            Socket client = pair.client().socket();
            Socket server = pair.server().socket();
            client.getOutputStream().write(new byte[] {1, 2, 3});
            String first = Arrays.toString(server.getInputStream().readNBytes(2));
            server.setSoTimeout(30);
            String one = "" + server.getInputStream().read();
            String late = outcome(() -> server.getInputStream().read());
            pair.client().write(bytes(5));
            server.getOutputStream().write(6);
            return first
                    + one
                    + late
                    + read(pair.server(), 1)
                    + client.getInputStream().read()
                    + (client.getChannel() == pair.client())
                    + server.getSoTimeout()
                    + client.isConnected();
        });
        all.put("is a socket that is closed", pair -> {
            Socket client = pair.client().socket();
            InputStream in = client.getInputStream();
            Blocked reader = blocked(false, () -> in.read());
            client.close();
            return reader.outcome()
                    + pair.client().isOpen()
                    + outcome(in::read)
                    + outcome(client::getInputStream)
                    + outcomeOf(() -> pair.server().socket().getOutputStream().close())
                    + pair.server().isOpen();
        });
        all.put("is a socket that ends its directions", pair -> {
            pair.client().socket().shutdownOutput();
            pair.server().socket().shutdownInput();
            return outcome(() -> pair.client().socket().getOutputStream())
                    + outcome(() -> pair.client().write(bytes(1)))
                    + outcome(() -> pair.server().socket().getInputStream())
                    + pair.server().read(ByteBuffer.allocate(1))
                    + outcomeOf(() -> pair.client().socket().shutdownOutput());
        });
        all.put("is no socket while it does not wait", pair -> {
            Socket client = pair.client().socket();
            pair.client().configureBlocking(false);
            return outcome(() -> client.getInputStream().read())
                    + outcomeOf(() -> client.getOutputStream().write(1));
        });
        all.put("is a stream", pair -> {
            Channels.newOutputStream(pair.client()).write(new byte[] {1, 2, 3});
            pair.client().socket().sendUrgentData(7);
            pair.client().close();
            return Arrays.toString(Channels.newInputStream(pair.server()).readAllBytes());
        });
    }

    private void options() {
        all.put("has the options that it is given", pair -> {
            pair.client().setOption(StandardSocketOptions.TCP_NODELAY, true);
            pair.client().socket().setKeepAlive(true);
            pair.client().socket().setSoLinger(true, 7);
            TreeSet<String> names = new TreeSet<>();
            pair.client().supportedOptions().forEach(option -> names.add(option.name()));
            return names
                    + " " + pair.client().socket().getTcpNoDelay()
                    + pair.client().getOption(StandardSocketOptions.SO_KEEPALIVE)
                    + pair.client().getOption(StandardSocketOptions.SO_LINGER)
                    + outcome(() -> pair.client().getOption(StandardSocketOptions.IP_MULTICAST_TTL));
        });
        all.put(
                "has the addresses of the two ends",
                pair -> pair.client().getLocalAddress().equals(pair.server().getRemoteAddress())
                        + pair.client().toString()
                        + pair.client().socket()
                        + pair.client().validOps());
        all.put("connects to nobody, twice, and not at all", pair -> {
            int port = ((InetSocketAddress) pair.client().getLocalAddress()).getPort();
            try (SocketChannel other = pair.provider().openSocketChannel();
                    SocketChannel third = pair.provider().openSocketChannel()) {
                third.configureBlocking(false);
                return outcome(() -> other.read(ByteBuffer.allocate(1)))
                        + outcome(() -> other.write(bytes(1)))
                        + outcome(() -> other.finishConnect())
                        + outcomeOf(() -> other.shutdownInput())
                        + outcome(() -> other.connect(InetSocketAddress.createUnresolved("nowhere", 1)))
                        + outcome(() -> other.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)))
                        + other.isOpen()
                        + outcome(() -> pair.client().connect(pair.server().getLocalAddress()))
                        + outcome(() -> third.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)))
                        + third;
            }
        });
    }
}
