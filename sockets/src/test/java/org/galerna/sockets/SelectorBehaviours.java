package org.galerna.sockets;

import static org.galerna.sockets.ChannelPair.bytes;
import static org.galerna.sockets.ChannelPair.read;
import static org.galerna.sockets.SocketPair.blocked;
import static org.galerna.sockets.SocketPair.outcome;
import static org.galerna.sockets.SocketPair.outcomeOf;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.sockets.SocketPair.Blocked;

/** What is done with a selector and two connected channels; as {@link ChannelBehaviours}. */
final class SelectorBehaviours {
    private final Map<String, ChannelBehaviours.Behaviour> all = new LinkedHashMap<>();

    /** One that gets a selector, and the server's end registered with it, interested in nothing. */
    private interface Selecting {
        String of(ChannelPair pair, Selector selector, SelectionKey key) throws Exception;
    }

    SelectorBehaviours() {
        finding();
        waking(false, "platform thread");
        waking(true, "virtual thread");
        keys();
        mixing();
    }

    Map<String, ChannelBehaviours.Behaviour> all() {
        return all;
    }

    private void put(String name, Selecting behaviour) {
        all.put(name, pair -> {
            try (Selector selector = pair.provider().openSelector()) {
                pair.server().configureBlocking(false);
                return behaviour.of(pair, selector, pair.server().register(selector, 0));
            }
        });
    }

    /** What a selection finds; the selected keys are taken. */
    private static String found(int count, Selector selector) {
        TreeSet<String> found = new TreeSet<>();
        selector.selectedKeys().forEach(key -> found.add(key.attachment() + ":" + key.readyOps()));
        selector.selectedKeys().clear();
        return count + found.toString();
    }

    private void finding() {
        put("finds bytes, room, and both", (pair, selector, key) -> {
            String shown = found(selector.selectNow(), selector);
            key.interestOps(SelectionKey.OP_READ);
            shown += found(selector.selectNow(), selector);
            pair.client().write(bytes(1, 2));
            shown += found(selector.select(), selector) + found(selector.select(1000), selector);
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            shown += found(selector.select(), selector);
            read(pair.server(), 2);
            shown += found(selector.select(), selector);
            key.interestOps(0);
            return shown + found(selector.select(5), selector);
        });
        put("keeps what is selected until it is taken", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_WRITE);
            String shown = "" + selector.select() + selector.selectNow()
                    + selector.selectedKeys().size();
            pair.client().write(bytes(1));
            key.interestOps(SelectionKey.OP_READ);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            return shown
                    + selector.select()
                    + key.readyOps()
                    + selector.selectNow()
                    + found(selector.selectNow(), selector);
        });
        put("finds the end", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            pair.client().close();
            return found(selector.select(), selector)
                    + pair.server().read(ByteBuffer.allocate(1))
                    + found(selector.select(), selector);
        });
        put("finds that its own input was shut", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            Blocked select = blocked(false, () -> found(selector.select(), selector));
            pair.server().shutdownInput();
            return select.outcome();
        });
        put("finds that nobody reads any more", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_WRITE);
            ByteBuffer much = ByteBuffer.allocate(1 << 20);
            for (int zeros = 0; zeros < 20; ) {
                zeros = pair.server().write(much.clear()) == 0 ? zeros + 1 : 0;
                LockSupport.parkNanos(100_000);
            }
            String shown = found(selector.selectNow(), selector);
            Blocked select = blocked(false, () -> found(selector.select(), selector));
            pair.client().close();
            return shown + select.outcome();
        });
        put("finds room that there is again", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_WRITE);
            ByteBuffer much = ByteBuffer.allocate(1 << 20);
            for (int zeros = 0; zeros < 20; ) {
                zeros = pair.server().write(much.clear()) == 0 ? zeros + 1 : 0;
                LockSupport.parkNanos(100_000);
            }
            String shown = found(selector.selectNow(), selector);
            Blocked select = blocked(true, () -> found(selector.select(), selector));
            Blocked reader = blocked(false, () -> {
                while (pair.client().read(much.clear()) >= 0) {
                    Thread.onSpinWait();
                }
                return "read";
            });
            shown += select.outcome();
            pair.server().shutdownOutput();
            return shown + reader.outcome();
        });
        put("does not return for nothing", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            String shown = found(selector.selectNow(), selector);
            pair.server().shutdownOutput(); // which concerns no key that waits for bytes
            long start = System.nanoTime();
            shown += found(selector.select(40), selector);
            return shown + (System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(39));
        });
        put("has actions instead of selected keys", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_WRITE);
            List<Integer> ready = new ArrayList<>();
            int count = selector.select(each -> ready.add(each.readyOps()));
            count += selector.select(each -> ready.add(each.readyOps()), 100);
            count += selector.selectNow(each -> ready.add(each.readyOps()));
            return count
                    + ready.toString()
                    + selector.selectedKeys()
                    + outcome(() -> selector.select(each -> {
                        throw new IllegalStateException("thrown");
                    }));
        });
    }

    private void waking(boolean virtual, String kind) {
        put("a " + kind + " that selects finds what comes later", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            Blocked select = blocked(virtual, () -> found(selector.select(), selector));
            pair.client().write(bytes(1));
            return select.outcome();
        });
        put("a " + kind + " that selects is woken", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            Blocked select = blocked(virtual, () -> found(selector.select(), selector));
            selector.wakeup();
            String shown = select.outcome();
            selector.wakeup().wakeup();
            shown += found(selector.select(), selector);
            long start = System.nanoTime();
            shown += found(selector.select(40), selector);
            return shown + (System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(39));
        });
        put("a " + kind + " that selects is interrupted", (pair, selector, key) -> {
            Blocked select = blocked(
                    virtual,
                    () -> selector.select() + "" + Thread.currentThread().isInterrupted());
            select.thread().interrupt();
            return select.outcome() + selector.isOpen() + pair.server().isOpen();
        });
        put("a " + kind + "'s selector is closed", (pair, selector, key) -> {
            Blocked select = blocked(virtual, selector::select);
            selector.close();
            return select.outcome()
                    + key.isValid()
                    + outcome(selector::select)
                    + outcome(selector::keys)
                    + outcome(selector::wakeup).contains("Exception")
                    + outcome(() -> pair.server().register(selector, 0))
                    + pair.server().isRegistered();
        });
        put("a " + kind + "'s channel is closed", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            // long enough to be still under way at the time of closing, however busy the machine is
            Blocked select = blocked(virtual, () -> selector.select(600));
            pair.server().close();
            return select.outcome()
                    + key.isValid()
                    + selector.keys().size()
                    + pair.client().read(ByteBuffer.allocate(1));
        });
    }

    private void keys() {
        put("cancels", (pair, selector, key) -> {
            key.cancel();
            String shown = outcome(key::interestOps)
                    + outcome(key::readyOps)
                    + outcome(() -> key.interestOps(1))
                    + selector.keys().size()
                    + outcome(() -> pair.server().register(selector, 1));
            shown += selector.selectNow() + "" + selector.keys().size()
                    + (pair.server().keyFor(selector) == null);
            SelectionKey again = pair.server().register(selector, SelectionKey.OP_READ);
            pair.client().write(bytes(1));
            shown += found(selector.select(), selector);
            again.cancel();
            pair.server().configureBlocking(true);
            return shown + read(pair.server(), 1);
        });
        put(
                "refuses what is wrong",
                (pair, selector, key) -> outcomeOf(() -> pair.server().configureBlocking(true))
                        + outcome(() -> pair.client().register(selector, 1))
                        + outcome(() -> key.interestOps(SelectionKey.OP_ACCEPT))
                        + outcome(() -> selector.select(-1))
                        + outcome(() -> selector.select(null, 5))
                        + outcome(() -> selector.keys().add(key))
                        + outcome(() -> selector.selectedKeys().add(key))
                        + (key.selector() == selector)
                        + (key.channel() == pair.server())
                        + (selector.provider() == pair.provider()));
        put("changes the interest of a key", (pair, selector, key) -> {
            SelectionKey same = pair.server().register(selector, SelectionKey.OP_WRITE, "attached");
            return (same == key)
                    + found(selector.select(), selector)
                    + key.interestOpsOr(SelectionKey.OP_READ)
                    + key.interestOpsAnd(SelectionKey.OP_READ)
                    + key.interestOps()
                    + found(selector.selectNow(), selector);
        });
        put("two selectors look at one channel", (pair, selector, key) -> {
            try (Selector other = pair.provider().openSelector()) {
                pair.server().register(other, SelectionKey.OP_READ, "second");
                key.interestOps(SelectionKey.OP_READ);
                Blocked first = blocked(false, () -> found(selector.select(), selector));
                Blocked second = blocked(true, () -> found(other.select(), other));
                pair.client().write(bytes(1));
                return first.outcome() + second.outcome();
            }
        });
        put("selects what nobody reads again and again", (pair, selector, key) -> {
            key.interestOps(SelectionKey.OP_READ);
            pair.client().write(bytes(1));
            StringBuilder shown = new StringBuilder();
            for (int time = 0; time < 3; time++) {
                shown.append(found(selector.select(), selector));
            }
            return shown.toString();
        });
    }

    @SuppressWarnings("try") // what is closed early is what is shown
    private void mixing() {
        put("selects other channels too", (pair, selector, key) -> {
            Pipe pipe = pair.provider().openPipe();
            try (DatagramChannel datagrams = pair.provider().openDatagramChannel();
                    Pipe.SinkChannel sink = pipe.sink();
                    Pipe.SourceChannel source = pipe.source()) {
                InetAddress here = InetAddress.getLoopbackAddress();
                datagrams.bind(new InetSocketAddress(here, 0)).configureBlocking(false);
                source.configureBlocking(false);
                source.register(selector, SelectionKey.OP_READ, "pipe");
                datagrams.register(selector, SelectionKey.OP_READ, "datagrams");
                key.attach("connection");
                key.interestOps(SelectionKey.OP_READ);
                String shown = found(selector.selectNow(), selector);
                sink.write(bytes(1));
                shown += found(selector.select(), selector);
                source.read(ByteBuffer.allocate(1));
                Blocked select = blocked(false, () -> found(selector.select(), selector));
                pair.client().write(bytes(1));
                shown += select.outcome() + read(pair.server(), 1);
                datagrams.send(bytes(1), datagrams.getLocalAddress());
                shown += found(selector.select(), selector);
                source.close();
                datagrams.close();
                selector.selectNow();
                return shown + selector.keys().size();
            }
        });
        put("accepts and connects without waiting", (pair, selector, key) -> {
            try (ServerSocketChannel listener = pair.provider().openServerSocketChannel();
                    SocketChannel channel = pair.provider().openSocketChannel()) {
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                listener.configureBlocking(false);
                String shown = "" + listener.accept() + listener.validOps();
                listener.register(selector, SelectionKey.OP_ACCEPT, "listener");
                channel.configureBlocking(false);
                boolean connected = channel.connect(listener.getLocalAddress());
                shown += found(selector.select(), selector);
                if (!connected) {
                    channel.register(selector, SelectionKey.OP_CONNECT, "channel");
                    shown += found(selector.select(), selector);
                    channel.keyFor(selector).interestOps(0);
                } else {
                    shown += "2[channel:8, listener:16]";
                }
                try (SocketChannel accepted = listener.accept()) {
                    shown += channel.finishConnect() + "" + accepted.isBlocking();
                    channel.write(bytes(4));
                    shown += read(accepted, 1);
                }
                listener.close();
                return shown + selector.selectNow() + outcome(listener::accept) + listener;
            }
        });
        put("a listener is a socket too", (pair, selector, key) -> {
            try (ServerSocketChannel listener = pair.provider().openServerSocketChannel()) {
                listener.socket().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
                listener.socket().setSoTimeout(20);
                String shown = outcome(() -> listener.socket().accept()) + listener + listener.socket();
                try (SocketChannel channel = pair.provider().openSocketChannel()) {
                    channel.socket().connect(listener.getLocalAddress(), 1000);
                    SocketChannel accepted = listener.socket().accept().getChannel();
                    channel.write(bytes(3));
                    shown += read(accepted, 1) + (accepted.provider() == pair.provider());
                    accepted.close();
                }
                Blocked acceptor = blocked(true, listener::accept);
                acceptor.thread().interrupt();
                return shown
                        + acceptor.outcome()
                        + listener.isOpen()
                        + listener.socket().isClosed();
            }
        });
    }
}
