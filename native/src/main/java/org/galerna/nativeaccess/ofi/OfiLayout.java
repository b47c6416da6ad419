package org.galerna.nativeaccess.ofi;

/**
 * Where the fields of libfabric's headers lie, in bytes, and what its constants are, on 64-bit systems. Structures and tables of
 * functions grow at their ends, so that these places are right for later versions; a test compares them with the headers. What the
 * library reads or writes gets {@link #ROOM} bytes of zeros, which is more than any version has fields.
 */
final class OfiLayout {
    static final int ROOM = 512;

    // every object, and the table that it has for itself
    static final int OPERATIONS = 16;
    static final int CLOSE = 8;
    static final int BIND = 16;
    static final int CONTROL = 24;
    static final int CONTROL_GET_WAIT = 5;
    static final int CONTROL_ENABLE = 6;

    // fid_fabric
    static final int FABRIC_OPERATIONS = 24;
    static final int FABRIC_DOMAIN = 8;
    static final int FABRIC_TRY_WAIT = 40;

    // fid_domain
    static final int DOMAIN_OPERATIONS = 24;
    static final int DOMAIN_AV_OPEN = 8;
    static final int DOMAIN_CQ_OPEN = 16;
    static final int DOMAIN_ENDPOINT = 24;
    static final int DOMAIN_MR = 32;
    static final int DOMAIN_MR_REGISTER = 8;

    // fid_mr
    static final int MR_DESCRIPTOR = 24;
    static final int MR_KEY = 32;

    // fid_av
    static final int AV_OPERATIONS = 24;
    static final int AV_INSERT = 8;
    static final int AV_REMOVE = 32;

    // fid_cq
    static final int CQ_OPERATIONS = 24;
    static final int CQ_READ = 8;
    static final int CQ_READ_ERROR = 24;

    // fid_ep
    static final int EP_MANAGEMENT = 32;
    static final int EP_GET_NAME = 16;
    static final int EP_MESSAGES = 40;
    static final int EP_RECEIVE = 8;
    static final int EP_SEND = 32;
    static final int EP_INJECT = 56;
    static final int EP_RMA = 48;
    static final int EP_READ = 8;
    static final int EP_WRITE_MESSAGE = 48;

    // fi_info
    static final int INFO_NEXT = 0;
    static final int INFO_CAPS = 8;
    static final int INFO_MODE = 16;
    static final int INFO_ADDRESS_FORMAT = 24;
    static final int INFO_SOURCE = 48;
    static final int INFO_TX = 72;
    static final int INFO_RX = 80;
    static final int INFO_EP = 88;
    static final int INFO_DOMAIN = 96;
    static final int INFO_FABRIC = 104;
    static final int ADDRESS_IP = 1;
    static final int ADDRESS_IP4 = 2;
    static final int ADDRESS_IP6 = 3;

    // fi_tx_attr, fi_rx_attr, fi_ep_attr, fi_domain_attr, fi_fabric_attr
    static final int TX_MESSAGE_ORDER = 24;
    static final int TX_INJECT_BYTES = 40;
    static final int TX_SIZE = 48;
    static final int RX_SIZE = 48;
    static final int EP_TYPE = 0;
    static final int EP_MOST_BYTES = 16;
    static final int EP_TYPE_RELIABLE_DATAGRAM = 3;
    static final int DOMAIN_NAME = 8;
    static final int DOMAIN_THREADING = 16;
    static final int DOMAIN_RESOURCES = 28;
    static final int DOMAIN_MR_MODE = 36;
    static final int THREADING_SERIALIZED = 3;
    static final int RESOURCES_MANAGED = 2;
    static final int FABRIC_NAME = 8;
    static final int FABRIC_PROVIDER = 16;

    // what memory has to be registered for, and how it is named
    static final int MR_MODE_LOCAL = 4;
    static final int MR_MODE_VIRTUAL = 16;
    static final int MR_MODE_ALLOCATED = 32;
    static final int MR_MODE_PROVIDER_KEY = 64;
    static final int MR_MODE_ENDPOINT = 512;

    // flags, by their bits
    static final int BIT_MESSAGES = 1;
    static final int BIT_RMA = 2;
    static final int BIT_READ = 8;
    static final int BIT_WRITE = 9;
    static final int BIT_RECEIVE = 10;
    static final int BIT_SEND = 11;
    static final int BIT_REMOTE_READ = 12;
    static final int BIT_REMOTE_WRITE = 13;
    static final int BIT_DELIVERY_COMPLETE = 28;
    static final int BIT_ORDER_SEND_AFTER_WRITE = 7;
    static final int BIT_MODE_CONTEXT = 59;
    static final int BIT_MODE_CONTEXT2 = 52;
    static final int CONTEXT_BYTES = 64;

    // fi_cq_attr, fi_av_attr
    static final int CQ_SIZE = 0;
    static final int CQ_FORMAT = 16;
    static final int CQ_WAIT_OBJECT = 20;
    static final int CQ_FORMAT_DATA = 3;
    static final int WAIT_NONE = 0;
    static final int WAIT_DESCRIPTOR = 3;
    static final int AV_COUNT = 8;

    // fi_cq_data_entry
    static final int ENTRY_BYTES = 40;
    static final int ENTRY_CONTEXT = 0;
    static final int ENTRY_LENGTH = 16;

    // fi_cq_err_entry
    static final int ERROR_CONTEXT = 0;
    static final int ERROR_NUMBER = 56;

    // fi_msg, iovec
    static final int VECTOR_BASE = 0;
    static final int VECTOR_LENGTH = 8;

    // fi_msg_rma, fi_rma_iov
    static final int RMA_VECTOR = 0;
    static final int RMA_DESCRIPTORS = 8;
    static final int RMA_COUNT = 16;
    static final int RMA_ADDRESS = 24;
    static final int RMA_REMOTE_VECTOR = 32;
    static final int RMA_REMOTE_COUNT = 40;
    static final int RMA_CONTEXT = 48;
    static final int REMOTE_BASE = 0;
    static final int REMOTE_LENGTH = 8;
    static final int REMOTE_KEY = 16;

    // results
    static final int NOT_PERMITTED = 1;
    static final int AGAIN = 11;
    static final int NO_MEMORY = 12;
    static final int BUSY = 16;
    static final int AVAILABLE = 259;
    static final int NO_DATA = 61;
    static final int CANCELLED = 125;

    private OfiLayout() {}
}
