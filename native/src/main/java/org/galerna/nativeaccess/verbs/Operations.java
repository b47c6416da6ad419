package org.galerna.nativeaccess.verbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the fast path, and those of the sleep on it, which must allocate nothing either. Most are functions of the
 * adapter's driver, which the context points to: what the library has under their names are inline functions of its headers.
 *
 * <p>Pointers are passed as numbers, which is the same to the processor, so that no segment is checked for being alive.
 * Those that only look at memory which the adapter shares with the process are called without the way into native state;
 * posting a send is not, since some drivers call the system for it.
 */
@SuppressWarnings("restricted") // the one purpose of this module
final class Operations {
    private static final Linker LINKER = Linker.nativeLinker();

    /** {@code int poll_cq(struct ibv_cq *, int entries, struct ibv_wc *)}: number of completions, or negative. */
    static final MethodHandle POLL_CQ = LINKER.downcallHandle(
            FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG), Linker.Option.critical(false));

    /** {@code int req_notify_cq(struct ibv_cq *, int solicitedOnly)}: 0 or errno. */
    static final MethodHandle REQ_NOTIFY_CQ =
            LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT));

    /** {@code int post(queue, work requests, pointer to the bad one)}: 0 or errno. */
    static final MethodHandle POST =
            LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    /** {@code int ibv_get_cq_event(channel, struct ibv_cq **, void **context)}: 0, or −1 if there is none. */
    static final MethodHandle GET_EVENT =
            LINKER.downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

    /** {@code void ibv_ack_cq_events(struct ibv_cq *, unsigned)}. */
    static final MethodHandle ACKNOWLEDGE_EVENTS =
            LINKER.downcallHandle(FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_INT));

    private Operations() {}
}
