package org.galerna.link.shm.memory;

import static org.galerna.link.shm.file.ControlPageLayout.INTS;
import static org.galerna.link.shm.file.ControlPageLayout.LONG;
import static org.galerna.link.shm.file.ControlPageLayout.LONGS;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.galerna.link.CommunicationException;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.file.AllocationLayout;
import org.jspecify.annotations.Nullable;

/** The memory that peers have allocated for messages, as far as this rank has mapped it. */
public final class PeerMemory {
    private final int rank;
    private final Attachment attachment;
    private final Map<Place, MemorySegment> mapped = new ConcurrentHashMap<>();

    private record Place(int peer, int file) {}

    public PeerMemory(int rank, Attachment attachment) {
        this.rank = rank;
        this.attachment = attachment;
    }

    /** Copies out of or into a peer's region. Returns why that is impossible; null if it is done. */
    @Nullable
    public CommunicationException copy(boolean inward, int peer, long key, long offset, MemorySegment local) {
        long length = local.byteSize();
        MemorySegment region = find(peer, key);
        if (region == null || offset < 0 || offset > region.byteSize() - length) {
            return new CommunicationException("rank " + peer + " has no registered memory of " + length
                    + " bytes at offset " + offset + " under key " + key);
        }
        try {
            if (inward) {
                MemorySegment.copy(region, offset, local, 0, length);
            } else {
                MemorySegment.copy(local, 0, region, offset, length);
            }
            return null;
        } catch (RuntimeException failure) { // memory that is freed, read-only, or another thread's alone
            return new CommunicationException(
                    "rank " + rank + " could not copy " + length + " bytes between its memory and that of rank " + peer
                            + ": " + failure.getMessage(),
                    failure);
        }
    }

    private @Nullable MemorySegment find(int peer, long key) {
        MemorySegment file = map(new Place(peer, AllocationLayout.file(key)));
        int place = AllocationLayout.place(key);
        if (file == null || place >= AllocationLayout.PLACES) {
            return null;
        }
        long at = AllocationLayout.place(place);
        long use = AllocationLayout.use(key);
        if (use == 0 || (long) LONGS.getAcquire(file, at + AllocationLayout.USE) != use) {
            return null;
        }
        long offset = file.get(LONG, at + AllocationLayout.OFFSET);
        long length = file.get(LONG, at + AllocationLayout.LENGTH);
        long room = file.byteSize() - AllocationLayout.HEADER_BYTES;
        if (offset < 0 || length < 0 || offset > room - length) {
            return null;
        }
        return file.asSlice(AllocationLayout.HEADER_BYTES + offset, length);
    }

    private @Nullable MemorySegment map(Place place) {
        MemorySegment known = mapped.get(place);
        if (known != null) {
            return known;
        }
        mapped.values().removeIf(each -> (int) INTS.getAcquire(each, AllocationLayout.FREED) != 0);
        try {
            MemorySegment file = attachment.openMemory(place.peer, place.file);
            if ((long) LONGS.getAcquire(file, AllocationLayout.MAGIC_OFFSET) != AllocationLayout.MAGIC) {
                return null;
            }
            mapped.put(place, file);
            return file;
        } catch (IOException noneOrNoneOfOurs) {
            return null;
        }
    }

    /** Lets go of the memory of a peer that is gone. */
    public void lose(int peer) {
        mapped.keySet().removeIf(place -> place.peer == peer);
    }
}
