package org.galerna.link.counters;

import static org.galerna.link.counters.CountersLayout.INTS;
import static org.galerna.link.counters.CountersLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has counted, at some moment; or a node of messages, or the fast sockets of a process, of which the number of ranks is
 * 0, the device says what it is, and the peers are other nodes.
 *
 * @param process number of its process
 * @param isAlive whether the process is there
 * @param rank its number, or that of the node
 * @param ranks number of ranks of the job
 * @param isRunning whether it has joined the others
 * @param device name of its device; empty until it has joined
 * @param job full name of its job
 * @param command what it runs
 * @param startMillis when it began, by {@link System#currentTimeMillis}
 * @param upNanos for how long it has been there
 * @param mostUnexpected most messages that were there at once without a receive
 * @param heapOperations operations over a common heap
 * @param waits the calls that have waited, of each kind
 * @param waiting the calls that wait now
 * @param peers what has been sent to each peer and come from it, in the order of the first use
 * @param figures what has happened beside, by its name
 */
public record RankReport(
        long process,
        boolean isAlive,
        int rank,
        int ranks,
        boolean isRunning,
        String device,
        String job,
        String command,
        long startMillis,
        long upNanos,
        long mostUnexpected,
        long heapOperations,
        List<Waits> waits,
        List<Waiting> waiting,
        List<Peer> peers,
        Map<String, Long> figures) {
    /** The peer of a row that counts for all peers without one of their own. */
    public static final int OTHERS = -1;

    private static final int MOST_ATTEMPTS = 1000;

    /** A report with the lists copied. */
    public RankReport {
        waits = List.copyOf(waits);
        waiting = List.copyOf(waiting);
        peers = List.copyOf(peers);
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }

    /** Whether it is no rank. */
    public boolean isService() {
        return ranks == 0;
    }

    /**
     * Calls of one kind that have waited.
     *
     * @param number how many
     * @param nanos for how long altogether
     */
    public record Waits(WaitKind kind, long number, long nanos) {}

    /**
     * A call that waits.
     *
     * @param peer the rank that it waits for; below 0 for any
     * @param nanos for how long
     * @param thread the number of the thread that calls
     * @param text what it waits for, in words; empty in the first moment
     */
    public record Waiting(WaitKind kind, int peer, long nanos, long thread, String text) {}

    /**
     * Messages of all kinds.
     *
     * @param messages how many, by the kinds of {@link MessageKind}
     * @param bytes how long they were
     */
    public record Flow(List<Long> messages, List<Long> bytes) {
        /** A flow with the lists copied. */
        public Flow {
            messages = List.copyOf(messages);
            bytes = List.copyOf(bytes);
        }

        /** Messages of all kinds. */
        public long allMessages() {
            return messages.stream().mapToLong(Long::longValue).sum();
        }

        /** Their bytes. */
        public long allBytes() {
            return bytes.stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * Messages to a peer and from it.
     *
     * @param peer its rank, or {@link #OTHERS}
     * @param announced messages sent by rendezvous
     * @param stalls messages that were not sent eagerly for lack of credit
     * @param receivedAnnounced messages received by rendezvous
     * @param unexpected messages that came before their receive
     */
    public record Peer(
            int peer,
            Flow sent,
            Flow received,
            long announced,
            long announcedBytes,
            long stalls,
            long receivedAnnounced,
            long receivedAnnouncedBytes,
            long unexpected) {}

    /** Messages sent to all peers. */
    public long sentMessages() {
        return peers.stream().mapToLong(peer -> peer.sent().allMessages()).sum();
    }

    /** Their bytes. */
    public long sentBytes() {
        return peers.stream().mapToLong(peer -> peer.sent().allBytes()).sum();
    }

    /** Messages received from all peers. */
    public long receivedMessages() {
        return peers.stream().mapToLong(peer -> peer.received().allMessages()).sum();
    }

    /** Their bytes. */
    public long receivedBytes() {
        return peers.stream().mapToLong(peer -> peer.received().allBytes()).sum();
    }

    /** Nanoseconds that calls have waited, those that still wait among them. */
    public long waitedNanos() {
        return waits.stream().mapToLong(Waits::nanos).sum()
                + waiting.stream().mapToLong(Waiting::nanos).max().orElse(0);
    }

    // ---- reading

    /** What is in a file; null if it is none of counters. */
    static @Nullable RankReport read(Path file) throws IOException {
        try (Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            long size = channel.size();
            if (size < CountersLayout.FIRST_ROW) {
                return null;
            }
            return read(channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena));
        }
    }

    private static @Nullable RankReport read(MemorySegment page) {
        if (getLong(page, CountersLayout.MAGIC_AT) != CountersLayout.MAGIC) {
            return null;
        }
        long process = getLong(page, CountersLayout.PROCESS);
        long now = System.nanoTime();
        List<Waits> waits = new ArrayList<>();
        for (WaitKind kind : WaitKind.values()) {
            long at = CountersLayout.WAITS + (long) kind.place() * CountersLayout.WAIT_BYTES;
            waits.add(new Waits(kind, getLong(page, at), getLong(page, at + Long.BYTES)));
        }
        List<Waiting> waiting = new ArrayList<>();
        for (int entry = 0; entry < CountersLayout.NUMBER_OF_ENTRIES; entry++) {
            Waiting found = waiting(page, entry, now);
            if (found != null) {
                waiting.add(found);
            }
        }
        return new RankReport(
                process,
                OwnProcess.isAlive(process, getLong(page, CountersLayout.PROCESS_START)),
                getInt(page, CountersLayout.RANK),
                getInt(page, CountersLayout.RANKS),
                getInt(page, CountersLayout.STATE) == CountersLayout.RUNNING,
                text(page, CountersLayout.DEVICE),
                text(page, CountersLayout.JOB),
                text(page, CountersLayout.COMMAND),
                getLong(page, CountersLayout.START_MILLIS),
                Math.max(0, now - getLong(page, CountersLayout.START_NANOS)),
                getLong(page, CountersLayout.MOST_UNEXPECTED),
                getLong(page, CountersLayout.HEAP_OPERATIONS),
                waits,
                waiting,
                peers(page),
                figures(page));
    }

    private static Map<String, Long> figures(MemorySegment page) {
        Map<String, Long> figures = new LinkedHashMap<>();
        for (MemorySegment row : rows(page)) {
            if (getInt(row, CountersLayout.PEER) < 0) {
                figures.put(text(row, CountersLayout.FIGURE_NAME), getLong(row, CountersLayout.FIGURE));
            }
        }
        return figures;
    }

    private static List<MemorySegment> rows(MemorySegment page) {
        List<MemorySegment> found = new ArrayList<>();
        int rows = (int) INTS.getAcquire(page, (long) CountersLayout.ROWS);
        for (int row = 0; row < rows && CountersLayout.bytes(row + 1) <= page.byteSize(); row++) {
            found.add(page.asSlice(CountersLayout.bytes(row), CountersLayout.ROW_BYTES));
        }
        return found;
    }

    private static List<Peer> peers(MemorySegment page) {
        List<Peer> peers = new ArrayList<>();
        for (MemorySegment row : rows(page)) {
            if (getInt(row, CountersLayout.PEER) > 0) {
                peers.add(peer(row, getInt(row, CountersLayout.PEER) - 1));
            }
        }
        Peer others = peer(page.asSlice(CountersLayout.OTHERS, CountersLayout.ROW_BYTES), OTHERS);
        if (others.sent().allMessages() + others.received().allMessages() > 0) {
            peers.add(others);
        }
        return peers;
    }

    private static Peer peer(MemorySegment row, int peer) {
        return new Peer(
                peer,
                flow(row, CountersLayout.SENT, CountersLayout.SENT_BEFORE, CountersLayout.SENT_CARRIES),
                flow(row, CountersLayout.RECEIVED, CountersLayout.RECEIVED_BEFORE, CountersLayout.RECEIVED_CARRIES),
                getLong(row, CountersLayout.ANNOUNCED),
                getLong(row, CountersLayout.ANNOUNCED + CountersLayout.BYTES),
                getLong(row, CountersLayout.STALLS),
                getLong(row, CountersLayout.RECEIVED_ANNOUNCED),
                getLong(row, CountersLayout.RECEIVED_ANNOUNCED + CountersLayout.BYTES),
                getLong(row, CountersLayout.UNEXPECTED));
    }

    /** Reads again if something was carried over meanwhile, which happens once in many million messages. */
    private static Flow flow(MemorySegment row, int words, int before, int carries) {
        for (int attempt = 0; ; attempt++) {
            int number = (int) INTS.getAcquire(row, (long) carries);
            Flow flow = flow(row, words, before);
            VarHandle.loadLoadFence();
            if (((number & 1) == 0 && number == getInt(row, carries)) || attempt == MOST_ATTEMPTS) {
                return flow;
            }
        }
    }

    private static Flow flow(MemorySegment row, int words, int before) {
        List<Long> messages = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        for (MessageKind kind : MessageKind.values()) {
            long word = getLong(row, (long) words + CountersLayout.wordOf(kind.place()));
            long figures = (long) before + CountersLayout.beforeOf(kind.place());
            messages.add(getLong(row, figures) + (word >>> CountersLayout.BYTES_BITS));
            bytes.add(getLong(row, figures + CountersLayout.BYTES) + (word & (CountersLayout.ONE_MESSAGE - 1)));
        }
        return new Flow(messages, bytes);
    }

    /** Null if there is none. One that is written all the time is left out, too: it does not wait for long. */
    private static @Nullable Waiting waiting(MemorySegment page, int entry, long now) {
        long at = CountersLayout.ENTRIES + (long) entry * CountersLayout.ENTRY_BYTES;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            long before = (long) LONGS.getAcquire(page, at + CountersLayout.VERSION);
            long since = getLong(page, at + CountersLayout.SINCE);
            int peer = getInt(page, at + CountersLayout.ENTRY_PEER);
            int kind = getInt(page, at + CountersLayout.ENTRY_KIND);
            long thread = getLong(page, at + CountersLayout.ENTRY_THREAD);
            String text = text(page, at + CountersLayout.ENTRY_TEXT);
            VarHandle.loadLoadFence();
            if ((before & 1) == 0 && before == getLong(page, at + CountersLayout.VERSION)) {
                return since == 0 ? null : new Waiting(WaitKind.at(kind), peer, Math.max(0, now - since), thread, text);
            }
        }
        return null;
    }

    private static long getLong(MemorySegment memory, long at) {
        return (long) LONGS.getOpaque(memory, at);
    }

    private static int getInt(MemorySegment memory, long at) {
        return (int) INTS.getOpaque(memory, at);
    }

    private static String text(MemorySegment page, long at) {
        int length = (int) Math.clamp(getInt(page, at), 0, page.byteSize() - at - Integer.BYTES);
        byte[] bytes = page.asSlice(at + Integer.BYTES, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
