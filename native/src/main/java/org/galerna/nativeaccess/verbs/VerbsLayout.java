package org.galerna.nativeaccess.verbs;

/**
 * Where the fields of {@code infiniband/verbs.h} lie, in bytes, and what its constants are, on 64-bit systems. They are
 * part of the library's binary interface, which has not changed since 2005; a test compares them with the headers.
 */
final class VerbsLayout {
    // struct ibv_device
    static final int DEVICE_BYTES = 664;
    static final int DEVICE_TRANSPORT = 20;
    static final int TRANSPORT_IWARP = 1;

    // struct ibv_context; the operations are pointers to functions of the driver
    static final int CONTEXT_BYTES = 328;
    static final int CONTEXT_DEVICE = 0;
    static final int CONTEXT_POLL_CQ = 96;
    static final int CONTEXT_REQ_NOTIFY_CQ = 104;
    static final int CONTEXT_POST_SRQ_RECV = 168;
    static final int CONTEXT_POST_SEND = 208;
    static final int CONTEXT_POST_RECV = 216;
    static final int CONTEXT_ASYNC_FD = 268;
    static final int CONTEXT_COMPLETION_VECTORS = 272;

    // struct ibv_device_attr
    static final int DEVICE_ATTR_BYTES = 232;
    static final int DEVICE_ATTR_FIRMWARE = 0;
    static final int DEVICE_ATTR_MAX_QP = 108;
    static final int DEVICE_ATTR_MAX_QP_WR = 112;
    static final int DEVICE_ATTR_MAX_CQE = 132;
    static final int DEVICE_ATTR_MAX_MR = 136;
    static final int DEVICE_ATTR_MAX_QP_RD_ATOM = 144;
    static final int DEVICE_ATTR_MAX_QP_INIT_RD_ATOM = 156;
    static final int DEVICE_ATTR_MAX_SRQ_WR = 216;
    static final int DEVICE_ATTR_PORTS = 227;

    // struct ibv_port_attr
    static final int PORT_ATTR_BYTES = 52;
    static final int PORT_ATTR_STATE = 0;
    static final int PORT_ATTR_ACTIVE_MTU = 8;
    static final int PORT_ATTR_GIDS = 12;
    static final int PORT_ATTR_MAX_MESSAGE = 20;
    static final int PORT_ATTR_LID = 34;
    static final int PORT_ATTR_LINK_LAYER = 46;

    // struct ibv_gid_entry
    static final int GID_ENTRY_BYTES = 32;
    static final int GID_ENTRY_INDEX = 16;
    static final int GID_ENTRY_TYPE = 24;
    static final int GID_BYTES = 16;

    // struct ibv_comp_channel
    static final int CHANNEL_BYTES = 16;
    static final int CHANNEL_FD = 8;

    // struct ibv_mr
    static final int MR_BYTES = 48;
    static final int MR_LKEY = 36;
    static final int MR_RKEY = 40;

    // struct ibv_srq_init_attr
    static final int SRQ_INIT_ATTR_BYTES = 24;
    static final int SRQ_INIT_ATTR_MAX_WR = 8;
    static final int SRQ_INIT_ATTR_MAX_SGE = 12;

    // struct ibv_qp_init_attr
    static final int QP_INIT_ATTR_BYTES = 64;
    static final int QP_INIT_ATTR_SEND_CQ = 8;
    static final int QP_INIT_ATTR_RECV_CQ = 16;
    static final int QP_INIT_ATTR_SRQ = 24;
    static final int QP_INIT_ATTR_MAX_SEND_WR = 32;
    static final int QP_INIT_ATTR_MAX_RECV_WR = 36;
    static final int QP_INIT_ATTR_MAX_SEND_SGE = 40;
    static final int QP_INIT_ATTR_MAX_RECV_SGE = 44;
    static final int QP_INIT_ATTR_MAX_INLINE = 48;
    static final int QP_INIT_ATTR_TYPE = 52;
    static final int QP_TYPE_RC = 2;

    // struct ibv_qp
    static final int QP_BYTES = 160;
    static final int QP_NUMBER = 52;

    // struct ibv_qp_attr, with struct ibv_ah_attr inside
    static final int QP_ATTR_BYTES = 144;
    static final int QP_ATTR_STATE = 0;
    static final int QP_ATTR_PATH_MTU = 8;
    static final int QP_ATTR_RQ_PSN = 20;
    static final int QP_ATTR_SQ_PSN = 24;
    static final int QP_ATTR_DEST_QP = 28;
    static final int QP_ATTR_ACCESS = 32;
    static final int QP_ATTR_AH = 56;
    static final int QP_ATTR_PKEY_INDEX = 120;
    static final int QP_ATTR_MAX_RD_ATOMIC = 126;
    static final int QP_ATTR_MAX_DEST_RD_ATOMIC = 127;
    static final int QP_ATTR_MIN_RNR_TIMER = 128;
    static final int QP_ATTR_PORT = 129;
    static final int QP_ATTR_TIMEOUT = 130;
    static final int QP_ATTR_RETRIES = 131;
    static final int QP_ATTR_RNR_RETRIES = 132;
    static final int AH_DGID = 0;
    static final int AH_SGID_INDEX = 20;
    static final int AH_HOP_LIMIT = 21;
    static final int AH_TRAFFIC_CLASS = 22;
    static final int AH_DLID = 24;
    static final int AH_IS_GLOBAL = 29;
    static final int AH_PORT = 30;

    // enum ibv_qp_state
    static final int STATE_INIT = 1;
    static final int STATE_RTR = 2;
    static final int STATE_RTS = 3;
    static final int STATE_ERROR = 6;

    // enum ibv_qp_attr_mask, as each transition needs them
    static final int MASK_STATE = 1;
    static final int MASK_ACCESS = 8;
    static final int MASK_INIT = 1 | 8 | 16 | 32;
    static final int MASK_RTR = 1 | 128 | 256 | 4096 | 32768 | 131072 | 1048576;
    static final int MASK_RTS = 1 | 512 | 1024 | 2048 | 8192 | 65536;

    // enum ibv_access_flags
    static final int ACCESS_LOCAL_WRITE = 1;
    static final int ACCESS_REMOTE_WRITE = 2;
    static final int ACCESS_REMOTE_READ = 4;

    // struct ibv_sge
    static final int SGE_BYTES = 16;
    static final int SGE_ADDRESS = 0;
    static final int SGE_LENGTH = 8;
    static final int SGE_LKEY = 12;

    // struct ibv_send_wr
    static final int SEND_BYTES = 128;
    static final int SEND_ID = 0;
    static final int SEND_NEXT = 8;
    static final int SEND_SGES = 16;
    static final int SEND_SGE_COUNT = 24;
    static final int SEND_OPCODE = 28;
    static final int SEND_FLAGS = 32;
    static final int SEND_IMMEDIATE = 36;
    static final int SEND_REMOTE_ADDRESS = 40;
    static final int SEND_RKEY = 48;
    static final int OPCODE_WRITE = 0;
    static final int OPCODE_SEND = 2;
    static final int OPCODE_SEND_WITH_IMMEDIATE = 3;
    static final int OPCODE_READ = 4;
    static final int FLAG_SIGNALED = 2;
    static final int FLAG_INLINE = 8;

    // struct ibv_recv_wr
    static final int RECV_BYTES = 32;
    static final int RECV_ID = 0;
    static final int RECV_NEXT = 8;
    static final int RECV_SGES = 16;
    static final int RECV_SGE_COUNT = 24;

    // struct ibv_wc
    static final int WC_BYTES = 48;
    static final int WC_ID = 0;
    static final int WC_STATUS = 8;
    static final int WC_OPCODE = 12;
    static final int WC_VENDOR_ERROR = 16;
    static final int WC_LENGTH = 20;
    static final int WC_IMMEDIATE = 24;
    static final int WC_QP = 28;
    static final int WC_FLAGS = 36;
    static final int WC_WITH_IMMEDIATE = 2;
    static final int WC_RECEIVED = 128;
    static final int WC_STATUS_FLUSHED = 5;

    // struct ibv_async_event
    static final int ASYNC_EVENT_BYTES = 16;
    static final int ASYNC_EVENT_ELEMENT = 0;
    static final int ASYNC_EVENT_TYPE = 8;
    static final int EVENT_CQ_ERROR = 0;
    static final int EVENT_QP_FATAL = 1;
    static final int EVENT_QP_REQUEST_ERROR = 2;
    static final int EVENT_QP_ACCESS_ERROR = 3;
    static final int EVENT_DEVICE_FATAL = 8;
    static final int EVENT_SRQ_ERROR = 14;

    private VerbsLayout() {}
}
