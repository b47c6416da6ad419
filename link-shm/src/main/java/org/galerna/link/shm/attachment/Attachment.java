package org.galerna.link.shm.attachment;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.WeakHashMap;
import org.galerna.link.Wireup;
import org.galerna.link.process.OwnLog;
import org.galerna.link.shm.board.ControlPage;
import org.galerna.link.shm.board.ShmFence;
import org.galerna.link.shm.file.AllocationLayout;
import org.galerna.link.shm.file.HostAddress;
import org.galerna.link.shm.file.JobFolder;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.shm.file.QueueFile;
import org.galerna.link.shm.file.RingSize;
import org.galerna.link.shm.file.SharedFile;
import org.galerna.nativeaccess.file.PosixFiles;
import org.jspecify.annotations.Nullable;

/**
 * One rank's place among the files of its job. A rank may attach again after it has closed; its n-th attachment meets the
 * n-th ones of the others.
 */
public final class Attachment implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(Attachment.class.getName());

    /** Files that an attachment has open: its folder, and the board, in which a byte is locked. */
    public static final int OPEN_FILES = 2;

    private static final Map<Wireup, Integer> NUMBERS = new WeakHashMap<>(); // guarded by itself

    private final int rank;
    private final int number;
    private final Admission.Place place;
    private final JobFolder folder;
    private final ControlPage board;
    private final HostAddress address;
    private final @Nullable QueueFile queue;
    private final int[] rings; // opened so far, by peer; guarded by this
    private boolean closed; // guarded by this

    private Attachment(int rank, int number, Admission.Place place, @Nullable QueueFile queue) throws IOException {
        this.rank = rank;
        this.number = number;
        this.place = place;
        this.folder = place.folder();
        this.board = place.board();
        this.address = HostAddress.of(folder);
        this.queue = queue;
        this.rings = new int[board.ranks()];
    }

    /**
     * Attaches a rank for the first or the next time; removes what dead jobs have left.
     *
     * @param queue that is made for it; null if it has none
     */
    public static Attachment of(Wireup wireup, QueueFile.@Nullable Size queue) throws IOException {
        int number;
        synchronized (NUMBERS) {
            number = NUMBERS.merge(wireup, 1, Integer::sum) - 1;
        }
        int rank = wireup.rank();
        Admission.Place place = Admission.enter(wireup.job(), number, rank, wireup.size());
        try {
            QueueFile own = queue == null
                    ? null
                    : QueueFile.create(place.folder(), JobFolder.queue(number, rank), rank, wireup.size(), queue);
            Attachment attachment = new Attachment(rank, number, place, own);
            place.board().enter(rank, ShmFence.usesBarriers(wireup));
            return attachment;
        } catch (IOException | RuntimeException failed) {
            Admission.leave(place, number, rank);
            throw failed;
        }
    }

    public ControlPage board() {
        return board;
    }

    public HostAddress address() {
        return address;
    }

    /** Under what the address is published. */
    public String key() {
        return "galerna.shm." + number;
    }

    /** The receive queue of this rank, if it has one. */
    public Optional<QueueFile> queue() {
        return Optional.ofNullable(queue);
    }

    public synchronized QueueFile openQueue(int peer) throws IOException {
        requireOpen();
        return QueueFile.open(folder, JobFolder.queue(number, peer), peer, board.ranks());
    }

    /** A ring to a peer that this rank has made, and the number by which that one finds it. */
    public record MadeFrames(PairFile file, int number) {}

    public synchronized MadeFrames createFrames(int peer, RingSize size, boolean concurrent) throws IOException {
        requireOpen();
        String name = JobFolder.ring(number, rank, peer, rings[peer]);
        return new MadeFrames(PairFile.createFrames(folder, name, rank, peer, size, concurrent), rings[peer]++);
    }

    public synchronized PairFile openFrames(int peer, int count) throws IOException {
        requireOpen();
        return PairFile.open(folder, JobFolder.ring(number, peer, rank, count), PairFile.FRAMES, peer, rank);
    }

    public synchronized PairFile createTransfers(int owner) throws IOException {
        requireOpen();
        String name = JobFolder.transfers(number, rank, owner);
        return PairFile.createTransfers(
                folder, name, rank, owner, RingSize.ofRequests(board.ranks()), RingSize.ofAnswers(board.ranks()));
    }

    public synchronized PairFile openTransfers(int requester) throws IOException {
        requireOpen();
        return PairFile.open(folder, JobFolder.transfers(number, requester, rank), PairFile.TRANSFERS, requester, rank);
    }

    /** Maps new memory for messages. */
    @FunctionalInterface
    public interface Mapping {
        MemorySegment map(PosixFiles files, int descriptor, int file, long bytes) throws IOException;
    }

    /** Makes a file of memory for messages, which keeps its name until {@link #removeMemory}. */
    public synchronized MemorySegment createMemory(int file, long bytes, Mapping mapping) throws IOException {
        requireOpen();
        PosixFiles files = folder.files();
        String name = JobFolder.memory(number, rank, file);
        int descriptor = files.create(folder.descriptor(), name);
        try {
            files.reserve(descriptor, AllocationLayout.HEADER_BYTES + bytes);
            return mapping.map(files, descriptor, file, bytes);
        } catch (IOException | RuntimeException failed) {
            folder.remove(name);
            throw failed;
        } finally {
            files.close(descriptor);
        }
    }

    public synchronized MemorySegment openMemory(int peer, int file) throws IOException {
        requireOpen();
        SharedFile shared =
                SharedFile.open(folder, JobFolder.memory(number, peer, file), AllocationLayout.HEADER_BYTES);
        shared.close();
        return shared.memory();
    }

    public synchronized void removeMemory(int file) {
        if (!closed) {
            folder.remove(JobFolder.memory(number, rank, file));
        }
    }

    /** Whether the process of a rank lives; true if nobody can tell. */
    synchronized boolean isAlive(int peer) {
        try {
            return closed || folder.files().isLockedByOthers(board.descriptor(), peer, 1);
        } catch (IOException unknown) {
            return true;
        }
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("this rank has left the job");
        }
    }

    /** Leaves, and removes what is left if nobody else is there; idempotent. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (queue != null) {
            folder.remove(JobFolder.queue(number, rank)); // the others keep what they have mapped
        }
        try {
            Admission.leave(place, number, rank);
        } catch (IOException leftToTheNextStart) {
            LOGGER.log(Level.DEBUG, "rank {0} leaves its files: {1}", rank, leftToTheNextStart.getMessage());
        }
    }
}
