package org.galerna.nativeaccess.verbs;

/**
 * Something that has happened to an adapter beside its work.
 *
 * @param type as in {@code enum ibv_event_type}
 * @param element address of what it has happened to, or its number for a port
 * @param description the library's words
 */
public record AsyncEvent(int type, long element, String description) {
    /** Whether one queue pair does not work any more: {@link #element} is its {@link QueuePair#address}. */
    public boolean isQueuePairError() {
        return type == VerbsLayout.EVENT_QP_FATAL
                || type == VerbsLayout.EVENT_QP_REQUEST_ERROR
                || type == VerbsLayout.EVENT_QP_ACCESS_ERROR;
    }

    /** Whether nothing works any more that this process has on the adapter. */
    public boolean isFatal() {
        return type == VerbsLayout.EVENT_CQ_ERROR
                || type == VerbsLayout.EVENT_DEVICE_FATAL
                || type == VerbsLayout.EVENT_SRQ_ERROR;
    }
}
