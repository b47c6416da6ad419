package org.galerna.nativeaccess.ucx;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.galerna.nativeaccess.memory.RawMemory;

/**
 * Active messages of a worker: what one side sends, the other side's {@link Receiver} gets while it makes progress. Used by the
 * thread that uses the worker. UCX may deliver messages in another order than they were sent in.
 */
public final class UcxMessages implements AutoCloseable {
    private static final int IDENTIFIER = 0;
    private static final int NO_HEADER = 0;
    private static final MethodHandle ARRIVED;

    static {
        try {
            ARRIVED = MethodHandles.lookup()
                    .findVirtual(
                            UcxMessages.class,
                            "arrived",
                            MethodType.methodType(
                                    byte.class,
                                    long.class,
                                    long.class,
                                    long.class,
                                    long.class,
                                    long.class,
                                    long.class));
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private final UcxWorker worker;
    private final UcxLibrary library;
    private final Receiver receiver;
    private final Arena arena = Arena.ofShared();
    private final long parameters;

    /** Takes messages. Called while the worker makes progress, so it must return soon, throw nothing, and call nothing of UCX. */
    @FunctionalInterface
    public interface Receiver {
        /**
         * A message has come.
         *
         * @param mayKeep whether the memory may be kept until {@link #release}; else it is UCX's again on return
         * @return whether it is kept
         */
        boolean arrived(long address, long length, boolean mayKeep);
    }

    /**
     * Receives active messages.
     *
     * @throws UcxException if UCX refuses
     */
    public UcxMessages(UcxWorker worker, Receiver receiver) throws UcxException {
        this.worker = worker;
        this.library = worker.library();
        this.receiver = receiver;
        MemorySegment sending = arena.allocate(UcxLayout.ROOM, 8);
        sending.set(JAVA_INT, UcxLayout.REQUEST_MASK, UcxLayout.REQUEST_FIELD_FLAGS);
        sending.set(JAVA_INT, UcxLayout.REQUEST_FLAGS, UcxLayout.SEND_EAGERLY);
        this.parameters = sending.address();
        MemorySegment wanted = arena.allocate(UcxLayout.ROOM, 8);
        wanted.set(
                JAVA_LONG,
                UcxLayout.HANDLER_MASK,
                UcxLayout.HANDLER_FIELD_IDENTIFIER
                        | UcxLayout.HANDLER_FIELD_FLAGS
                        | UcxLayout.HANDLER_FIELD_FUNCTION); // the identifier is 0, as what was allocated
        wanted.set(JAVA_INT, UcxLayout.HANDLER_FLAGS, UcxLayout.HANDLER_WHOLE_MESSAGES);
        wanted.set(JAVA_LONG, UcxLayout.HANDLER_FUNCTION, handler());
        library.check(
                "ucp_worker_set_am_recv_handler", library.setMessageHandler.call(worker.worker(), wanted.address()));
    }

    @SuppressWarnings("restricted") // the one purpose of this module
    private long handler() {
        return Linker.nativeLinker()
                .upcallStub(
                        ARRIVED.bindTo(this),
                        FunctionDescriptor.of(
                                JAVA_BYTE, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
                        arena)
                .address();
    }

    /** Called by UCX. What escaped from here would end the process. */
    @SuppressWarnings("unused") // through ARRIVED
    private byte arrived(long argument, long header, long headerLength, long data, long length, long description) {
        try {
            long flags = RawMemory.ALL.get(JAVA_LONG, description + UcxLayout.ARRIVAL_FLAGS);
            if ((flags & UcxLayout.ARRIVAL_IS_ANNOUNCED) != 0) {
                return UcxLayout.OK; // nobody sends such ones; UCX drops it
            }
            boolean kept = receiver.arrived(data, length, (flags & UcxLayout.ARRIVAL_MAY_BE_KEPT) != 0);
            return (byte) (kept ? UcxLayout.IN_PROGRESS : UcxLayout.OK);
        } catch (Throwable dropped) {
            return UcxLayout.OK;
        }
    }

    /** Starts to send memory that stays as it is until that is complete; what it returns is as for {@link UcxWorker#send}. */
    public long send(long endpoint, long address, long bytes) {
        return library.sendMessage.call(endpoint, IDENTIFIER, NO_HEADER, NO_HEADER, address, bytes, parameters);
    }

    /** Gives the memory of a message back that was kept. */
    public void release(long address) {
        library.releaseMessage.call(worker.worker(), address);
    }

    /** Frees what belongs to this; after the worker has been closed. */
    @Override
    public void close() {
        arena.close();
    }
}
