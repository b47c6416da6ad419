package org.galerna.nativeaccess.ucx;

/**
 * Where the fields of {@code ucp/api/ucp.h} lie, in bytes, and what its constants are, on 64-bit systems. Structures grow at
 * their ends, and a mask in each says which fields count, so that these places are right for later versions; a test compares
 * them with the headers. What the library reads or writes gets {@link #ROOM} bytes of zeros, which is more than any version
 * has fields.
 */
final class UcxLayout {
    static final int ROOM = 512;

    // ucp_params_t
    static final int PARAMS_MASK = 0;
    static final int PARAMS_FEATURES = 8;
    static final int PARAMS_TAG_SENDER_MASK = 40;
    static final int PARAMS_ESTIMATED_ENDPOINTS = 56;
    static final int PARAMS_FIELD_FEATURES = 1;
    static final int PARAMS_FIELD_TAG_SENDER_MASK = 16;
    static final int PARAMS_FIELD_ESTIMATED_ENDPOINTS = 64;
    static final int FEATURE_TAG = 1;
    static final int FEATURE_RMA = 2;
    static final int FEATURE_WAKEUP = 16;
    static final int FEATURE_MESSAGES = 64;

    // ucp_context_attr_t
    static final int CONTEXT_MASK = 0;
    static final int CONTEXT_REQUEST_BYTES = 8;
    static final int CONTEXT_FIELD_REQUEST_BYTES = 1;

    // ucp_worker_params_t
    static final int WORKER_PARAMS_MASK = 0;
    static final int WORKER_PARAMS_THREAD_MODE = 8;
    static final int WORKER_PARAMS_EVENTS = 144;
    static final int WORKER_PARAMS_FIELD_THREAD_MODE = 1;
    static final int WORKER_PARAMS_FIELD_EVENTS = 4;
    static final int THREAD_MODE_SERIALIZED = 1;
    static final int WAKEUP_RMA = 1;
    static final int WAKEUP_TAG_SEND = 4;
    static final int WAKEUP_TAG_RECEIVE = 8;
    static final int WAKEUP_TRANSMIT = 1024;
    static final int WAKEUP_RECEIVE = 2048;

    // ucp_ep_params_t
    static final int ENDPOINT_PARAMS_MASK = 0;
    static final int ENDPOINT_PARAMS_ADDRESS = 8;
    static final int ENDPOINT_PARAMS_ERROR_MODE = 16;
    static final int ENDPOINT_PARAMS_ERROR_HANDLER = 24;
    static final int ENDPOINT_PARAMS_ERROR_ARGUMENT = 32;
    static final int ENDPOINT_PARAMS_FIELD_ADDRESS = 1;
    static final int ENDPOINT_PARAMS_FIELD_ERROR_MODE = 2;
    static final int ENDPOINT_PARAMS_FIELD_ERROR_HANDLER = 4;
    static final int ERROR_MODE_PEER = 1;

    // ucp_request_param_t
    static final int REQUEST_MASK = 0;
    static final int REQUEST_FLAGS = 4;
    static final int REQUEST_REQUEST = 8;
    static final int REQUEST_FIELD_REQUEST = 1;
    static final int REQUEST_FIELD_FLAGS = 16;
    static final int CLOSE_BY_FORCE = 1;

    static final int SEND_EAGERLY = 2;

    // ucp_am_handler_param_t
    static final int HANDLER_MASK = 0;
    static final int HANDLER_FLAGS = 12;
    static final int HANDLER_FUNCTION = 16;
    static final int HANDLER_FIELD_IDENTIFIER = 1;
    static final int HANDLER_FIELD_FLAGS = 2;
    static final int HANDLER_FIELD_FUNCTION = 4;
    static final int HANDLER_WHOLE_MESSAGES = 1;

    // ucp_am_recv_param_t
    static final int ARRIVAL_FLAGS = 0;
    static final int ARRIVAL_MAY_BE_KEPT = 1 << 16;
    static final int ARRIVAL_IS_ANNOUNCED = 1 << 17;

    // ucp_mem_map_params_t
    static final int MAP_MASK = 0;
    static final int MAP_ADDRESS = 8;
    static final int MAP_LENGTH = 16;
    static final int MAP_FIELD_ADDRESS = 1;
    static final int MAP_FIELD_LENGTH = 2;

    // ucp_tag_recv_info_t
    static final int INFO_BYTES = 16;
    static final int INFO_TAG = 0;

    // ucs_status_t, negative down to the last one: of one byte, so that the rest of a register means nothing
    static final int STATUS_BYTES = 1;
    static final int OK = 0;
    static final int IN_PROGRESS = 1;
    static final int INPUT_OUTPUT = -3;
    static final int NO_MEMORY = -4;
    static final int BUSY = -15;
    static final int CANCELLED = -16;
    static final int LAST_ERROR = -100;

    private UcxLayout() {}
}
