package org.galerna.link.shm.attachment;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.WeakHashMap;
import org.galerna.link.OwnLog;
import org.galerna.link.Wireup;
import org.galerna.link.shm.board.Board;
import org.galerna.link.shm.board.ShmFence;
import org.galerna.link.shm.file.AllocationLayout;
import org.galerna.link.shm.file.HostAddress;
import org.galerna.link.shm.file.JobFolder;
import org.galerna.link.shm.file.PairFile;
import org.galerna.link.shm.file.RingSize;
import org.galerna.link.shm.file.SharedFile;
import org.galerna.nativeaccess.PosixFiles;

/**
 * One rank's place among the files of its job. A rank may attach again after it has closed; its n-th attachment meets the
 * n-th ones of the others.
 */
public final class Attachment implements AutoCloseable {
    private static final Logger LOGGER = OwnLog.of(Attachment.class.getName());

    private static final Map<Wireup, Integer> NUMBERS = new WeakHashMap<>(); // guarded by itself

    private final int rank;
    private final int number;
    private final Admission.Place place;
    private final JobFolder folder;
    private final Board board;
    private final HostAddress address;
    private final int[] rings; // opened so far, by peer; guarded by this
    private boolean closed; // guarded by this

    private Attachment(int rank, int number, Admission.Place place) throws IOException {
        this.rank = rank;
        this.number = number;
        this.place = place;
        this.folder = place.folder();
        this.board = place.board();
        this.address = HostAddress.of(folder);
        this.rings = new int[board.ranks()];
    }

    /** Attaches a rank for the first or the next time; removes what dead jobs have left. */
    public static Attachment of(Wireup wireup) throws IOException {
        int number;
        synchronized (NUMBERS) {
            number = NUMBERS.merge(wireup, 1, Integer::sum) - 1;
        }
        int rank = wireup.rank();
        Admission.Place place = Admission.enter(wireup.job(), number, rank, wireup.size());
        try {
            place.board().enter(rank, ShmFence.hasBarriers());
            return new Attachment(rank, number, place);
        } catch (IOException | RuntimeException failed) {
            Admission.leave(place, number, rank);
            throw failed;
        }
    }

    JobFolder folder() {
        return folder;
    }

    public Board board() {
        return board;
    }

    public HostAddress address() {
        return address;
    }

    /** Under what the address is published. */
    public String key() {
        return "galerna.shm." + number;
    }

    public synchronized PairFile createFrames(int peer, RingSize size, boolean concurrent) throws IOException {
        requireOpen();
        String name = JobFolder.ring(number, rank, peer, rings[peer]);
        PairFile file = PairFile.createFrames(folder, name, rank, peer, size, concurrent);
        rings[peer]++;
        return file;
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
        try {
            Admission.leave(place, number, rank);
        } catch (IOException leftToTheNextStart) {
            LOGGER.log(Level.DEBUG, "rank {0} leaves its files: {1}", rank, leftToTheNextStart.getMessage());
        }
    }
}
