package mpi;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Statuses of blocking receives, handed out again when the next message has the same envelope, so that receiving in a
 * loop allocates nothing. (Escape analysis would remove most of them, but only where the whole receive is inlined into
 * its caller, which depends on what was compiled first.) A status whose public fields the program has changed does not
 * compare equal any more and is left alone.
 *
 * <p>Any number of threads may use one cache: an entry is published with release and read with acquire, and nobody but
 * the program changes it afterwards.
 */
final class StatusCache {
    private static final int ENTRIES = 16;

    private final AtomicReferenceArray<@Nullable Status> entries = new AtomicReferenceArray<>(ENTRIES);

    Status of(int source, int tag, long bytes) {
        int place = (source * 31 + tag) & (ENTRIES - 1);
        Status known = entries.getAcquire(place);
        if (known != null && known.isEnvelope(source, tag, bytes)) {
            return known;
        }
        Status status = new Status(source, tag, bytes);
        entries.setRelease(place, status);
        return status;
    }
}
