package org.galerna.link.shm.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.galerna.nativeaccess.file.PosixFiles;
import org.galerna.nativeaccess.file.SystemCallException;
import org.jspecify.annotations.Nullable;

/**
 * A mapped file of a job. It is made under another name and gets its own when it is complete, so that who finds it finds
 * all of it. The memory stays mapped until it is collected: another thread may be looking at it.
 */
public final class SharedFile {
    /** Longest file that is mapped: whatever is larger was not made by a rank. */
    private static final long LONGEST = 1L << 40;

    /** Memory is given in units of so many bytes, on most processors. */
    private static final long PAGE_BYTES = 4096;

    private final MemorySegment memory;
    private final int descriptor;

    private SharedFile(MemorySegment memory, int descriptor) {
        this.memory = memory;
        this.descriptor = descriptor;
    }

    /** What a file of so many bytes takes. */
    public static long pages(long bytes) {
        return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /**
     * Makes a file, with its space reserved.
     *
     * @param layout writes what peers will find; the memory is zeroed
     * @throws IOException if there is no room, or anything of that name is there already
     */
    static SharedFile create(JobFolder folder, String name, long bytes, Consumer<MemorySegment> layout)
            throws IOException {
        PosixFiles files = folder.files();
        String unfinished = name + "~";
        int descriptor = files.create(folder.descriptor(), unfinished);
        try {
            reserve(folder, name, descriptor, bytes);
            MemorySegment memory = files.map(descriptor, bytes, Arena.ofAuto());
            layout.accept(memory);
            files.rename(folder.descriptor(), unfinished, name);
            return new SharedFile(memory, descriptor);
        } catch (IOException | RuntimeException failed) {
            files.close(descriptor);
            files.remove(folder.descriptor(), unfinished);
            throw failed;
        }
    }

    /**
     * Makes a file that several may make at once, of which one succeeds. It has a byte locked before it has its name.
     *
     * @return null if somebody else was faster, or has removed it before it was complete
     */
    public static @Nullable SharedFile createLocked(
            JobFolder folder, String name, long lockedByte, long bytes, Consumer<MemorySegment> layout)
            throws IOException {
        PosixFiles files = folder.files();
        String unfinished = JobFolder.unfinished(name);
        int descriptor = files.create(folder.descriptor(), unfinished);
        boolean made = false;
        try {
            if (!files.tryLock(descriptor, lockedByte)) {
                return null; // somebody who cleans up has got it in between
            }
            reserve(folder, name, descriptor, bytes);
            MemorySegment memory = files.map(descriptor, bytes, Arena.ofAuto());
            layout.accept(memory);
            files.link(folder.descriptor(), unfinished, name);
            made = true;
            return new SharedFile(memory, descriptor);
        } catch (SystemCallException failed) {
            if (failed.errno() == SystemCallException.EEXIST || failed.errno() == SystemCallException.ENOENT) {
                return null;
            }
            throw failed;
        } finally {
            files.remove(folder.descriptor(), unfinished);
            if (!made) {
                files.close(descriptor);
            }
        }
    }

    private static void reserve(JobFolder folder, String name, int descriptor, long bytes) throws IOException {
        try {
            folder.files().reserve(descriptor, bytes);
        } catch (SystemCallException failed) {
            if (failed.errno() == SystemCallException.ENOSPC) {
                throw new IOException(
                        "there is no room for the " + bytes + " bytes of " + folder.describe(name)
                                + ": free some, or name another folder with -D" + UserFolder.BASE + "=<folder>",
                        failed);
            }
            throw failed;
        }
    }

    /**
     * Maps a file that a rank of this job has made.
     *
     * @param least bytes that it must have
     * @throws SystemCallException if there is none
     * @throws IOException if it is not what a rank of this user makes
     */
    public static SharedFile open(JobFolder folder, String name, long least) throws IOException {
        PosixFiles files = folder.files();
        int descriptor = files.open(folder.descriptor(), name);
        try {
            return map(folder, name, descriptor, least);
        } catch (IOException | RuntimeException failed) {
            files.close(descriptor);
            throw failed;
        }
    }

    /** As {@link #open}, for a file that is open; the caller closes it if this fails. */
    public static SharedFile map(JobFolder folder, String name, int descriptor, long least) throws IOException {
        PosixFiles files = folder.files();
        PosixFiles.Status status = files.status(descriptor);
        if (!status.regular() || status.user() != files.user()) {
            throw new IOException(folder.describe(name) + " is no file of this user");
        }
        if (status.bytes() < least || status.bytes() > LONGEST) {
            throw new IOException(
                    folder.describe(name) + " has " + status.bytes() + " bytes, but needs " + least + " or more");
        }
        return new SharedFile(files.map(descriptor, status.bytes(), Arena.ofAuto()), descriptor);
    }

    public MemorySegment memory() {
        return memory;
    }

    /** The descriptor, for one who closes it himself. */
    public int keepOpen() {
        return descriptor;
    }

    /** Closes the file; the memory stays. */
    public void close() {
        PosixFiles.instance().orElseThrow().close(descriptor);
    }
}
