package org.galerna.launch.council;

import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.galerna.launch.rendezvous.FieldReader;
import org.galerna.launch.rendezvous.Kind;
import org.galerna.launch.rendezvous.Message;

/**
 * What a rank leaves, by its name, and how it hears which ranks stay: the process that decides knows. Methods for any thread are
 * marked; the others are for the thread of the {@link Council}.
 */
public final class LeavingRank {
    /** How long one who leaves is likely to be followed by others. */
    private static final long LONGEST_NANOS = Duration.ofSeconds(2).toNanos();

    private final int rank;
    private final Map<String, Consumer<BitSet>> left = new ConcurrentHashMap<>(); // until no rank stays
    private final Queue<Message> unsaid = new ConcurrentLinkedQueue<>();
    private volatile long moved = System.nanoTime() - LONGEST_NANOS;

    LeavingRank(int rank) {
        this.rank = rank;
    }

    /**
     * This rank leaves. For any thread, which then wakes that of the council.
     *
     * @param staying is told which ranks stay: none, once that is so, and otherwise at each {@link #ask}
     */
    public void leave(String name, Consumer<BitSet> staying) {
        left.put(name, staying);
        unsaid.add(Message.of(Kind.LEAVES, rank, 0, name));
        moves();
    }

    /** Asks which ranks stay. For any thread, which then wakes that of the council. */
    public void ask(String name) {
        unsaid.add(Message.of(Kind.LEAVES, rank, 1, name));
        moves();
    }

    /** A rank leaves, this one or another. */
    void moves() {
        moved = System.nanoTime();
    }

    /** Whether a rank has left or asked a moment ago. */
    boolean isUnderWay() {
        return System.nanoTime() - moved < LONGEST_NANOS;
    }

    /** Says what is to be said, as long as that can be done and somebody waits for the answer. */
    void say(Predicate<Message> process) {
        if (!isUnderWay()) {
            unsaid.clear();
        }
        for (Message next = unsaid.peek(); next != null && process.test(next); next = unsaid.peek()) {
            unsaid.remove();
        }
    }

    /** The process that has been told is not there any more. */
    void sayAgain() {
        left.keySet().forEach(name -> unsaid.add(Message.of(Kind.LEAVES, rank, 0, name)));
    }

    /** {@link Kind#LEFT}. */
    void hear(Message message) {
        FieldReader fields = message.fields();
        String name = fields.text();
        BitSet staying = BitSet.valueOf(fields.bytes());
        Consumer<BitSet> told = staying.isEmpty() ? left.remove(name) : left.get(name);
        if (told != null) {
            told.accept(staying);
        }
    }
}
