package org.galerna.messaging;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.galerna.messaging.serialization.Exporter;
import org.galerna.messaging.serialization.Serializer;
import org.jspecify.annotations.Nullable;

/** What one thread needs to send. */
final class SendScratch {
    private static final ThreadLocal<SendScratch> OF_THREAD = ThreadLocal.withInitial(SendScratch::new);

    private static final int MEASURE_BYTES = 4096;

    /** Thrown through serializers when an object is longer than what was claimed for it. */
    static final class Full extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Full() {
            super("longer than the space that was claimed", null, false, false);
        }
    }

    /** The one that is thrown on this thread: it has no trace, and need not be made each time. */
    final Full full = new Full();

    /** Writes into one frame, and throws {@link Full} at its end. */
    final Exporter frame = new Exporter(_ -> {
        throw full;
    });

    private MemorySegment rubbish = MemorySegment.NULL;
    private long measured;
    private final Exporter measure = new Exporter(this::count);
    private boolean busy;
    private final Map<Outbound, Streak> streaks = new HashMap<>();
    private @Nullable Streak last;

    private SendScratch() {}

    /** That of the calling thread. */
    static SendScratch ofThread() {
        return OF_THREAD.get();
    }

    /** That of this thread with a connection. */
    Streak streak(Outbound outbound) {
        Streak streak = last;
        if (streak == null || streak.outbound != outbound) {
            streak = streaks.get(outbound);
            if (streak == null) {
                streaks.keySet().removeIf(Outbound::isClosed);
                streak = new Streak(outbound);
                streaks.put(outbound, streak);
            }
            last = streak;
        }
        return streak;
    }

    /** Fails if a serializer of this thread is at work. */
    void checkIdle() {
        if (busy) {
            throw new IllegalStateException("a serializer must not send");
        }
    }

    /** A serializer begins to write. */
    void enter() {
        checkIdle();
        busy = true;
    }

    /** The serializer has ended. */
    void leave() {
        busy = false;
    }

    private void count(Exporter exporter) {
        measured += exporter.written();
        exporter.begin(rubbish, 0, MEASURE_BYTES);
    }

    /** Bytes that an object takes. */
    <T> long measure(T message, Serializer<T> serializer) {
        if (rubbish.byteSize() == 0) {
            rubbish = Arena.ofAuto().allocate(MEASURE_BYTES);
        }
        enter();
        measured = 0;
        measure.begin(rubbish, 0, MEASURE_BYTES);
        try {
            serializer.write(message, measure);
            return measured + measure.written();
        } finally {
            measure.end();
            leave();
        }
    }
}
