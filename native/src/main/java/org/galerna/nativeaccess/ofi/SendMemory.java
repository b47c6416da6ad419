package org.galerna.nativeaccess.ofi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.IntSupplier;
import org.galerna.nativeaccess.memory.LockedMemoryLimit;
import org.jspecify.annotations.Nullable;

/**
 * Holds as much locked memory as {@code ofi_rxm} locks over adapters when the first operation of an endpoint starts. Where it may not
 * lock that, it says for ever that there is no room at the moment; so too small a limit is found out as the endpoint is opened, and
 * nothing else of this process gets what the endpoint will need. Guarded as the endpoint is.
 */
final class SendMemory {
    private static final String LAYER = ";ofi_rxm";

    /** Buffers that are made at once. */
    private static final int BUFFERS = 1024;

    /** Bytes that a buffer has for a message, and for all else, which is somewhat less. */
    private static final String MESSAGE_BYTES = "FI_OFI_RXM_BUFFER_SIZE";

    private static final int USUAL_MESSAGE_BYTES = 16 * 1024;
    private static final int OTHER_BYTES = 1024;

    private static final int PAGE_BYTES = 4096;

    /** After a trial, how many times as long as it took none is made: the library refuses operations as long as it connects, too. */
    private static final int PAUSE = 10;

    private final OfiEndpoint endpoint;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(bytes(System.getenv(MESSAGE_BYTES)), PAGE_BYTES);
    private @Nullable OfiMemory locked;
    private long next = System.nanoTime(); // trial

    private SendMemory(OfiEndpoint endpoint) {
        this.endpoint = endpoint;
    }

    /** Whether endpoints of a provider lock memory, and the system may refuse it. */
    static boolean isLimited(OfiProvider provider, OfiLimits limits) {
        return provider.name().endsWith(LAYER)
                && limits.has(OfiLayout.MR_MODE_LOCAL)
                && LockedMemoryLimit.bytes().orElse(LockedMemoryLimit.NONE) != LockedMemoryLimit.NONE;
    }

    /**
     * Holds memory for an endpoint.
     *
     * @throws OfiException if so much may not be locked
     */
    static SendMemory hold(OfiEndpoint endpoint) throws OfiException {
        SendMemory made = new SendMemory(endpoint);
        boolean complete = false;
        try {
            made.lock();
            complete = true;
            return made;
        } finally {
            if (!complete) {
                made.end();
            }
        }
    }

    private void lock() throws OfiException {
        locked = endpoint.register(
                "locking " + memory.byteSize() + " bytes for sends", memory.address(), memory.byteSize());
    }

    private void unlock() {
        if (locked != null) {
            locked.close();
            locked = null;
        }
    }

    /** Lets the memory go, for good. */
    void end() {
        unlock();
        arena.close();
    }

    /**
     * Starts an operation that was refused again without this memory, unless that has just been tried.
     *
     * @return the status of the operation
     */
    int startAgain(IntSupplier operation) {
        long start = System.nanoTime();
        if (start - next < 0) {
            return -OfiLayout.AGAIN;
        }
        unlock();
        int status = operation.getAsInt();
        try {
            if (status != 0) {
                lock();
            }
        } catch (OfiException lockedByOthers) {
            status = -OfiLayout.NO_MEMORY;
        }
        long end = System.nanoTime();
        next = end + PAUSE * (end - start);
        return status;
    }

    /** What an endpoint locks, by what the environment says of messages. */
    static long bytes(@Nullable String messageBytes) {
        return BUFFERS * (messageBytes(messageBytes) + OTHER_BYTES);
    }

    private static long messageBytes(@Nullable String variable) {
        try {
            int bytes = variable == null ? 0 : Integer.parseInt(variable.strip());
            return bytes > 0 ? bytes : USUAL_MESSAGE_BYTES;
        } catch (NumberFormatException noNumber) {
            return USUAL_MESSAGE_BYTES;
        }
    }
}
