package org.galerna.sockets.selector;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelectionKey;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.galerna.sockets.channel.FastServerSocketChannel;
import org.galerna.sockets.channel.FastSocketChannel;
import org.galerna.sockets.platform.PlatformChannels;
import org.jspecify.annotations.Nullable;

/**
 * A selector of channels whose bytes come through pipes, of those that are plain, and of the platform's own: the sets of
 * keys, and what happens to them. {@link SelectorWait} waits.
 */
public final class FastSelector extends AbstractSelector {
    private final SelectorWait wait = new SelectorWait(this::refresh);
    private final AtomicInteger serial = new AtomicInteger();
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> allKeys = Collections.unmodifiableSet(keys);
    private final Set<SelectionKey> selected = new HashSet<>(); // guarded by the next one, as programs see it
    private final Set<SelectionKey> selectedKeys = new UngrowableSet<>(selected);
    private final Queue<FastSelectionKey> updates = new ConcurrentLinkedQueue<>();
    private boolean selecting; // guarded by this

    public FastSelector(SelectorProvider provider) throws IOException {
        super(provider);
    }

    private void checkOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        checkOpen();
        return allKeys;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        checkOpen();
        return selectedKeys;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int operations, @Nullable Object attachment) {
        if (!(channel instanceof FastSocketChannel)
                && !(channel instanceof FastServerSocketChannel)
                && !PlatformChannels.isSelectable(channel)) {
            throw new IllegalSelectorException();
        }
        checkOpen();
        FastSelectionKey key = new FastSelectionKey(this, channel, serial.incrementAndGet(), operations);
        key.attach(attachment);
        if (channel instanceof FastSocketChannel fast) {
            fast.registered(key);
        } else if (channel instanceof FastServerSocketChannel listener) {
            listener.registered(key);
        }
        keys.add(key); // from here on others may cancel it
        update(key);
        if (!isOpen()) {
            keys.remove(key);
            key.cancel();
            throw new ClosedSelectorException();
        }
        return key;
    }

    /** Has the next selection wait for what a key is interested in then; any thread. */
    public void update(FastSelectionKey key) {
        updates.add(key);
    }

    /** Has a selection that is under way look again; any thread. */
    public void ring() {
        wait.lookAgain();
    }

    /** The system is asked about one socket more; by the thread that selects. */
    public void added() {
        wait.count(1);
    }

    /** The system is asked about a socket no more; any thread. */
    public void remove(int descriptor) {
        wait.remove(descriptor);
    }

    @Override
    public int selectNow() throws IOException {
        return select(0, null);
    }

    @Override
    public int select() throws IOException {
        return select(-1, null);
    }

    @Override
    public int select(long timeout) throws IOException {
        return select(limit(timeout), null);
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return select(0, Objects.requireNonNull(action));
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return select(-1, Objects.requireNonNull(action));
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        Objects.requireNonNull(action);
        return select(limit(timeout), action);
    }

    private static long limit(long timeout) {
        if (timeout < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeout == 0 ? -1 : timeout;
    }

    /** Selects; {@code millis} is 0 not to wait, negative to wait for ever. */
    private int select(long millis, @Nullable Consumer<SelectionKey> action) throws IOException {
        synchronized (this) {
            checkOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selectedKeys) {
                    return selectLocked(millis, action);
                }
            } finally {
                selecting = false;
            }
        }
    }

    private int selectLocked(long millis, @Nullable Consumer<SelectionKey> action) throws IOException {
        List<FastSelectionKey> found = found(millis);
        forgetCancelled();
        int count = 0;
        try {
            for (FastSelectionKey key : found) {
                count += tell(key, key.takeFound(), action) ? 1 : 0;
            }
        } finally {
            found.clear();
        }
        return count;
    }

    private List<FastSelectionKey> found(long millis) throws IOException {
        try {
            wait.begin();
            refresh();
            if (millis == 0) {
                return wait.await(0);
            }
            begin();
            try {
                return wait.await(millis);
            } finally {
                end();
            }
        } catch (UncheckedIOException cannot) {
            throw cannot.getCause();
        }
    }

    private boolean tell(FastSelectionKey key, int operations, @Nullable Consumer<SelectionKey> action) {
        if (operations == 0 || !key.isValid()) {
            return false;
        }
        if (action != null) {
            key.setReady(operations, false);
            action.accept(key);
            checkOpen();
            return true;
        }
        if (selected.add(key)) {
            key.setReady(operations, false);
            return true;
        }
        return key.setReady(operations, true);
    }

    /** Takes what has happened to keys since into account. */
    private void refresh() {
        forgetCancelled();
        FastSelectionKey key;
        while ((key = updates.poll()) != null) {
            if (key.isValid()) {
                try {
                    wait.update(key);
                } catch (IOException cannot) {
                    if (key.channel().isOpen()) { // otherwise it is about to be cancelled
                        throw new UncheckedIOException(cannot);
                    }
                }
            }
        }
    }

    private void forgetCancelled() {
        List<SelectionKey> cancelled;
        synchronized (cancelledKeys()) { // not longer: a thread that closes a channel has locks of it when it cancels
            if (cancelledKeys().isEmpty()) {
                return;
            }
            cancelled = new ArrayList<>(cancelledKeys());
            cancelledKeys().clear();
        }
        cancelled.forEach(this::forget);
    }

    private void forget(SelectionKey cancelled) {
        FastSelectionKey key = (FastSelectionKey) cancelled;
        wait.forget(key);
        keys.remove(key);
        selected.remove(key);
        deregister((AbstractSelectionKey) cancelled);
        key.release();
    }

    @Override
    public Selector wakeup() {
        wait.wakeUp();
        return this;
    }

    @Override
    protected void implCloseSelector() {
        wakeup();
        synchronized (this) {
            synchronized (selectedKeys) {
                forgetCancelled();
                for (SelectionKey key : List.copyOf(keys)) {
                    key.cancel();
                    forget(key);
                }
                selected.clear();
                wait.close();
            }
        }
    }
}
