package org.galerna.link.shm.memory;

import static org.galerna.link.shm.file.ControlPageLayout.INTS;
import static org.galerna.link.shm.file.ControlPageLayout.LONG;
import static org.galerna.link.shm.file.ControlPageLayout.LONGS;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.galerna.link.Region;
import org.galerna.link.process.OwnLog;
import org.galerna.link.shm.attachment.Attachment;
import org.galerna.link.shm.file.AllocationLayout;
import org.galerna.link.support.KeyedRegion;
import org.galerna.nativeaccess.file.PosixFiles;
import org.jspecify.annotations.Nullable;

/** The memory that one rank has allocated for messages, each piece a file of its own, and the regions in it. */
public final class OwnMemory {
    private static final Logger LOGGER = OwnLog.of(OwnMemory.class.getName());

    private final Attachment attachment;
    private final AtomicInteger files = new AtomicInteger();
    private final AtomicLong uses = new AtomicLong();
    private final ConcurrentSkipListMap<Long, Piece> pieces = new ConcurrentSkipListMap<>();

    public OwnMemory(Attachment attachment) {
        this.attachment = attachment;
    }

    /** One file; knows where its memory is mapped, but does not hold it. */
    private static final class Piece {
        final int file;
        final long address;
        final long bytes;
        final MemorySegment header;
        final Deque<Integer> free = new ArrayDeque<>(); // guarded by itself

        Piece(int file, long address, long bytes, MemorySegment header) {
            this.file = file;
            this.address = address;
            this.bytes = bytes;
            this.header = header;
            for (int place = 0; place < AllocationLayout.PLACES; place++) {
                free.add(place);
            }
        }

        @Nullable
        Integer takePlace() {
            synchronized (free) {
                return free.poll();
            }
        }

        void givePlace(int place) {
            synchronized (free) {
                free.push(place);
            }
        }
    }

    /** New memory, until the arena is closed or collected; empty if there is no room. */
    public Optional<MemorySegment> allocate(long bytes, Arena arena) {
        int file = files.incrementAndGet();
        if (file >= AllocationLayout.MOST_FILES) {
            return Optional.empty();
        }
        try {
            return Optional.of(attachment.createMemory(
                    file, bytes, (posix, descriptor, number, size) -> map(posix, descriptor, number, size, arena)));
        } catch (IOException noRoom) {
            LOGGER.log(Level.DEBUG, "no shared memory for messages: {0}", noRoom.getMessage());
            return Optional.empty();
        }
    }

    private MemorySegment map(PosixFiles posix, int descriptor, int file, long bytes, Arena arena) throws IOException {
        MemorySegment header = posix.map(descriptor, AllocationLayout.HEADER_BYTES, Arena.ofAuto());
        AtomicLong address = new AtomicLong();
        MemorySegment memory =
                posix.map(descriptor, AllocationLayout.HEADER_BYTES, bytes, arena, () -> free(file, address));
        address.set(memory.address());
        LONGS.setRelease(header, AllocationLayout.MAGIC_OFFSET, AllocationLayout.MAGIC);
        pieces.put(memory.address(), new Piece(file, memory.address(), bytes, header));
        return memory;
    }

    /** Nobody holds the memory any more. */
    private void free(int file, AtomicLong address) {
        Piece piece = pieces.get(address.get());
        if (piece != null && piece.file == file && pieces.remove(address.get(), piece)) {
            INTS.setRelease(piece.header, AllocationLayout.FREED, 1);
        }
        attachment.removeMemory(file);
    }

    /** Makes a part of such memory reachable; null if it is other memory, or has too many regions. */
    @Nullable
    public Region register(MemorySegment memory) {
        if (pieces.isEmpty() || !memory.isNative()) {
            return null;
        }
        Map.Entry<Long, Piece> below = pieces.floorEntry(memory.address());
        Piece piece = below == null ? null : below.getValue();
        if (piece == null || memory.address() - piece.address > piece.bytes - memory.byteSize()) {
            return null;
        }
        Integer place = piece.takePlace();
        return place == null ? null : new SharedRegion(piece, place, memory, uses.incrementAndGet());
    }

    private static final class SharedRegion implements KeyedRegion {
        private final Piece piece;
        private final int place;
        private final long key;
        private boolean closed;

        SharedRegion(Piece piece, int place, MemorySegment memory, long use) {
            this.piece = piece;
            this.place = place;
            this.key = AllocationLayout.key(piece.file, place, use);
            long at = AllocationLayout.place(place);
            piece.header.set(LONG, at + AllocationLayout.OFFSET, memory.address() - piece.address);
            piece.header.set(LONG, at + AllocationLayout.LENGTH, memory.byteSize());
            // release: pairs with the acquire of PeerMemory
            LONGS.setRelease(piece.header, at + AllocationLayout.USE, AllocationLayout.use(key));
        }

        @Override
        public long key() {
            return key;
        }

        @Override
        public synchronized void close() {
            if (!closed) {
                closed = true;
                LONGS.setRelease(piece.header, AllocationLayout.place(place) + AllocationLayout.USE, 0L);
                piece.givePlace(place);
            }
        }
    }
}
