package org.galerna.nativeaccess.verbs;

/** Where the fields of {@code rdma/rdma_cma.h} lie, in bytes, and its constants; see {@link VerbsLayout}. */
final class RdmaCmLayout {
    // struct rdma_event_channel
    static final int CHANNEL_BYTES = 4;

    // struct rdma_cm_id
    static final int ID_BYTES = 416;
    static final int ID_VERBS = 0;

    // struct rdma_conn_param
    static final int PARAMETERS_BYTES = 24;
    static final int PARAMETERS_PRIVATE_DATA = 0;
    static final int PARAMETERS_PRIVATE_LENGTH = 8;
    static final int PARAMETERS_TARGET_READS = 9; // responder_resources
    static final int PARAMETERS_INITIATOR_READS = 10; // initiator_depth
    static final int PARAMETERS_FLOW_CONTROL = 11;
    static final int PARAMETERS_RETRIES = 12;
    static final int PARAMETERS_RNR_RETRIES = 13;
    static final int PARAMETERS_SHARED_RECEIVES = 14;
    static final int PARAMETERS_QP = 16;

    // struct rdma_cm_event
    static final int EVENT_BYTES = 80;
    static final int EVENT_ID = 0;
    static final int EVENT_LISTENER = 8;
    static final int EVENT_TYPE = 16;
    static final int EVENT_STATUS = 20;
    static final int EVENT_PARAMETERS = 24;
    static final int EVENT_TYPES = 16;

    static final int PORT_SPACE_TCP = 0x106;
    static final int OPTION_LEVEL_ID = 0;
    static final int OPTION_TYPE_OF_SERVICE = 0;
    static final int OPTION_ACK_TIMEOUT = 3;

    private RdmaCmLayout() {}
}
