package org.galerna.link.shm.attachment;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.galerna.link.shm.board.ControlPage;
import org.galerna.link.shm.file.ControlPageLayout;
import org.galerna.link.shm.file.JobFolder;
import org.galerna.link.shm.file.UserFolder;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.file.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * How ranks come to the files of their job and go, without a lock at which they would have to take turns: processes that
 * start at once wait for none of the others, however slowly those run.
 *
 * <p>Each rank locks the byte of its number in the board as long as it is there; <em>the whole lock</em> is a lock of all
 * bytes at once, which the system gives if and only if nobody else has locked any. The rules:
 *
 * <ol>
 *   <li>Whoever makes a board makes it under a name of its own, locks its byte, and only then gives it the common name,
 *       by a hard link, which fails if that name is taken.
 *   <li>Whoever finds a board locks its byte in it, and looks <em>afterwards</em> whether the name still leads to that
 *       file; otherwise it begins again.
 *   <li>Whoever removes a board has the whole lock, has seen under it that the name leads to that file, and removes the
 *       name after all other files of that attachment, still under the lock.
 *   <li>Folders are removed by a call that fails unless they are empty. Whoever finds that its folder is gone begins
 *       again with making it.
 * </ol>
 *
 * <p><b>All ranks of an attachment have the same board.</b> A name is taken away under the whole lock of its file alone
 * (3), and nobody has that while a rank has its byte. So what a rank has seen by rule 2, or has made by rule 1, stays as
 * long as it is there: the name leads to its board, and everybody who comes meanwhile finds that one.
 *
 * <p><b>What is in use is not removed.</b> A board has been locked before it had its name (1), and files of an attachment
 * are made by ranks that are in it. A file that somebody is still making may be removed before he has locked it; then his
 * link fails, and he begins again.
 *
 * <p><b>What is not in use is removed</b> by the last who goes: each gives back its byte and tries for the whole lock
 * afterwards, so the one whose try comes after all bytes were given back gets it, or finds that another remover has it.
 * A process that is killed leaves its locks to the system; then the launcher of the job has the whole lock, or the next start of this user.
 *
 * <p><b>It comes to an end.</b> A rank begins again only because another one has finished a removal meanwhile, or is about
 * to, and each process removes once when it comes and once when it goes.
 */
public final class Admission {
    /** Only a process that has been stopped in the middle of a removal makes others wait as long as this. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

    private static final long FIRST_PAUSE_NANOS = 100_000;
    private static final long LAST_PAUSE_NANOS = 10_000_000;

    private final String job;
    private final int attachment;
    private final int rank;
    private final int ranks;

    private Admission(String job, int attachment, int rank, int ranks) {
        this.job = job;
        this.attachment = attachment;
        this.rank = rank;
        this.ranks = ranks;
    }

    /** What a rank has when it is in: both are open, and the byte of the rank is locked. */
    public record Place(JobFolder folder, ControlPage board) {}

    /**
     * Gets a rank in; removes what dead jobs have left.
     *
     * @throws IOException if the files cannot be made, are not what a rank of this version makes, or the rank is in or has
     *     been in already
     */
    public static Place enter(String job, int attachment, int rank, int ranks) throws IOException {
        try (UserFolder user = UserFolder.open()) {
            JobFolder.removeDead(user, JobFolder.folderName(job));
        }
        return new Admission(job, attachment, rank, ranks).enter();
    }

    private Place enter() throws IOException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        for (long pause = FIRST_PAUSE_NANOS; ; pause = Math.min(2 * pause, LAST_PAUSE_NANOS)) {
            Place place = tryOnce();
            if (place != null) {
                return place;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("rank " + rank + " has tried for "
                        + TimeUnit.NANOSECONDS.toSeconds(PATIENCE_NANOS) + " s to enter " + job
                        + ", while another process removes its files: is that one stopped?");
            }
            LockSupport.parkNanos(pause);
        }
    }

    /** Null if somebody has removed, or is removing, what this rank has found or made. */
    private @Nullable Place tryOnce() throws IOException {
        JobFolder folder = null;
        ControlPage board = null;
        try (UserFolder user = UserFolder.open()) {
            folder = JobFolder.openOrMake(user, job);
            board = tryOnce(user, folder);
            return board == null ? null : new Place(folder, board);
        } catch (SystemCallException failed) {
            if (failed.errno() == SystemCallException.ENOENT) {
                return null;
            }
            throw failed;
        } finally {
            if (board == null && folder != null) {
                folder.close();
            }
        }
    }

    private @Nullable ControlPage tryOnce(UserFolder user, JobFolder folder) throws IOException {
        String name = JobFolder.board(attachment);
        int file;
        try {
            file = folder.files().open(folder.descriptor(), name);
        } catch (SystemCallException missing) {
            if (missing.errno() != SystemCallException.ENOENT) {
                throw missing;
            }
            return ControlPage.create(folder, name, rank, ranks);
        }
        ControlPage board = null;
        try {
            board = tryExisting(user, folder, name, file);
            return board;
        } finally {
            if (board == null) {
                release(folder, file);
            }
        }
    }

    /** Gives the locks back too, which would otherwise stay as long as the memory is mapped. */
    private static void release(JobFolder folder, int file) throws IOException {
        try {
            folder.files().unlockAll(file);
        } finally {
            folder.files().close(file);
        }
    }

    private @Nullable ControlPage tryExisting(UserFolder user, JobFolder folder, String name, int file)
            throws IOException {
        PosixFiles files = folder.files();
        if (files.tryLockAll(file)) {
            if (folder.leadsTo(name, file)) {
                folder.removeAttachment(user, attachment); // of a job of this name that is dead
            }
            return null;
        }
        if (!files.tryLock(file, rank)) {
            // in the order of a look at the lock and one at the name: who removes has the whole lock from before to
            // after
            if (files.isLockedAloneByOthers(file, rank) && folder.leadsTo(name, file)) {
                throw taken();
            }
            return null;
        }
        if (!folder.leadsTo(name, file)) {
            return null;
        }
        ControlPage board = ControlPage.open(folder, name, file, ranks);
        if (board.state(rank) != ControlPageLayout.ABSENT) {
            throw taken();
        }
        return board;
    }

    private IOException taken() {
        return new IOException("a process of " + job + " has been rank " + rank + " already");
    }

    /** Leaves, and removes the files if nobody else is in; closes both. */
    public static void leave(Place place, int attachment, int rank) throws IOException {
        PosixFiles files = place.folder().files();
        int file = place.board().descriptor();
        try (UserFolder user = UserFolder.open()) {
            files.unlock(file, rank);
            if (files.tryLockAll(file) && place.folder().leadsTo(JobFolder.board(attachment), file)) {
                place.folder().removeAttachment(user, attachment);
            }
        } finally {
            release(place.folder(), file);
            place.folder().close();
        }
    }
}
