package org.galerna.nativeaccess.verbs;

import java.util.List;

/**
 * Something that has happened to a connection.
 *
 * @param number how many its {@linkplain ConnectionEvents source} has brought, this one included
 * @param kind what it was
 * @param id whose it is: {@link ConnectionId#handle}; for a request the new one
 * @param listener for a request, the listening one's; otherwise 0
 * @param status 0, a negative errno, or the reason of a rejection
 * @param privateData what the other side has said with it; may be padded with zeros
 * @param description the library's words
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record ConnectionEvent(
        long number, Kind kind, long id, long listener, int status, byte[] privateData, String description) {
    /** What may happen, in the order of {@code enum rdma_cm_event_type}. */
    public enum Kind {
        /** The other side's address leads through an adapter. */
        ADDRESS_RESOLVED,
        /** It leads nowhere. */
        ADDRESS_ERROR,
        /** The way to it is known. */
        ROUTE_RESOLVED,
        /** There is none. */
        ROUTE_ERROR,
        /** Somebody wants to connect. */
        REQUEST,
        /** The other side has accepted; this one is to {@linkplain ConnectionId#establish confirm}. */
        RESPONSE,
        /** Connecting has failed. */
        CONNECT_ERROR,
        /** The other side does not answer. */
        UNREACHABLE,
        /** The other side does not want to. */
        REJECTED,
        /** The connection is there. */
        ESTABLISHED,
        /** The connection is over. */
        DISCONNECTED,
        /** The adapter is gone. */
        DEVICE_REMOVAL,
        /** Of multicast. */
        MULTICAST_JOIN,
        /** Of multicast. */
        MULTICAST_ERROR,
        /** The address has moved. */
        ADDRESS_CHANGE,
        /** Its queue pair's number may be used again. */
        TIMEWAIT_EXIT;

        private static final List<Kind> BY_NUMBER = List.of(values());

        static Kind of(int number) {
            return BY_NUMBER.get(number);
        }
    }
}
