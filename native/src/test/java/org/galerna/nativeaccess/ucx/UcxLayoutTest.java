package org.galerna.nativeaccess.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.nativeaccess.CLayouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the layout with what the C compiler makes of the header, where there are both. */
class UcxLayoutTest {
    @TempDir
    private Path folder;

    @Test
    void theLayoutIsThatOfTheHeader() throws Exception {
        assertThat(UcxLayout.ROOM).isGreaterThan(2 * 200); // the largest structure of 1.13 has 200 bytes
        CLayouts.compare(folder, UcxLayout.class, "ucp/api/ucp.h", """
                ROOM 512+0*sizeof(char[512-(int)sizeof(ucp_worker_params_t)])
                PARAMS_MASK offsetof(ucp_params_t, field_mask)
                PARAMS_FEATURES offsetof(ucp_params_t, features)
                PARAMS_TAG_SENDER_MASK offsetof(ucp_params_t, tag_sender_mask)
                PARAMS_ESTIMATED_ENDPOINTS offsetof(ucp_params_t, estimated_num_eps)
                PARAMS_FIELD_FEATURES UCP_PARAM_FIELD_FEATURES
                PARAMS_FIELD_TAG_SENDER_MASK UCP_PARAM_FIELD_TAG_SENDER_MASK
                PARAMS_FIELD_ESTIMATED_ENDPOINTS UCP_PARAM_FIELD_ESTIMATED_NUM_EPS
                FEATURE_TAG UCP_FEATURE_TAG
                FEATURE_WAKEUP UCP_FEATURE_WAKEUP
                FEATURE_RMA UCP_FEATURE_RMA
                FEATURE_MESSAGES UCP_FEATURE_AM
                CONTEXT_MASK offsetof(ucp_context_attr_t, field_mask)
                CONTEXT_REQUEST_BYTES offsetof(ucp_context_attr_t, request_size)
                CONTEXT_FIELD_REQUEST_BYTES UCP_ATTR_FIELD_REQUEST_SIZE
                WORKER_PARAMS_MASK offsetof(ucp_worker_params_t, field_mask)
                WORKER_PARAMS_THREAD_MODE offsetof(ucp_worker_params_t, thread_mode)
                WORKER_PARAMS_EVENTS offsetof(ucp_worker_params_t, events)
                WORKER_PARAMS_FIELD_THREAD_MODE UCP_WORKER_PARAM_FIELD_THREAD_MODE
                WORKER_PARAMS_FIELD_EVENTS UCP_WORKER_PARAM_FIELD_EVENTS
                THREAD_MODE_SERIALIZED UCS_THREAD_MODE_SERIALIZED
                WAKEUP_RMA UCP_WAKEUP_RMA
                WAKEUP_TAG_SEND UCP_WAKEUP_TAG_SEND
                WAKEUP_TAG_RECEIVE UCP_WAKEUP_TAG_RECV
                WAKEUP_TRANSMIT UCP_WAKEUP_TX
                WAKEUP_RECEIVE UCP_WAKEUP_RX
                ENDPOINT_PARAMS_MASK offsetof(ucp_ep_params_t, field_mask)
                ENDPOINT_PARAMS_ADDRESS offsetof(ucp_ep_params_t, address)
                ENDPOINT_PARAMS_ERROR_MODE offsetof(ucp_ep_params_t, err_mode)
                ENDPOINT_PARAMS_ERROR_HANDLER offsetof(ucp_ep_params_t, err_handler.cb)
                ENDPOINT_PARAMS_ERROR_ARGUMENT offsetof(ucp_ep_params_t, err_handler.arg)
                ENDPOINT_PARAMS_FIELD_ADDRESS UCP_EP_PARAM_FIELD_REMOTE_ADDRESS
                ENDPOINT_PARAMS_FIELD_ERROR_MODE UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE
                ENDPOINT_PARAMS_FIELD_ERROR_HANDLER UCP_EP_PARAM_FIELD_ERR_HANDLER
                ERROR_MODE_PEER UCP_ERR_HANDLING_MODE_PEER
                REQUEST_MASK offsetof(ucp_request_param_t, op_attr_mask)
                REQUEST_FLAGS offsetof(ucp_request_param_t, flags)
                REQUEST_REQUEST offsetof(ucp_request_param_t, request)
                REQUEST_FIELD_REQUEST UCP_OP_ATTR_FIELD_REQUEST
                REQUEST_FIELD_FLAGS UCP_OP_ATTR_FIELD_FLAGS
                CLOSE_BY_FORCE UCP_EP_CLOSE_FLAG_FORCE
                SEND_EAGERLY UCP_AM_SEND_FLAG_EAGER
                HANDLER_MASK offsetof(ucp_am_handler_param_t, field_mask)
                HANDLER_FLAGS offsetof(ucp_am_handler_param_t, flags)
                HANDLER_FUNCTION offsetof(ucp_am_handler_param_t, cb)
                HANDLER_FIELD_IDENTIFIER UCP_AM_HANDLER_PARAM_FIELD_ID
                HANDLER_FIELD_FLAGS UCP_AM_HANDLER_PARAM_FIELD_FLAGS
                HANDLER_FIELD_FUNCTION UCP_AM_HANDLER_PARAM_FIELD_CB
                HANDLER_WHOLE_MESSAGES UCP_AM_FLAG_WHOLE_MSG
                ARRIVAL_FLAGS offsetof(ucp_am_recv_param_t, recv_attr)
                ARRIVAL_MAY_BE_KEPT UCP_AM_RECV_ATTR_FLAG_DATA
                ARRIVAL_IS_ANNOUNCED UCP_AM_RECV_ATTR_FLAG_RNDV
                MAP_MASK offsetof(ucp_mem_map_params_t, field_mask)
                MAP_ADDRESS offsetof(ucp_mem_map_params_t, address)
                MAP_LENGTH offsetof(ucp_mem_map_params_t, length)
                MAP_FIELD_ADDRESS UCP_MEM_MAP_PARAM_FIELD_ADDRESS
                MAP_FIELD_LENGTH UCP_MEM_MAP_PARAM_FIELD_LENGTH
                INFO_BYTES sizeof(ucp_tag_recv_info_t)
                INFO_TAG offsetof(ucp_tag_recv_info_t, sender_tag)
                STATUS_BYTES sizeof(ucs_status_t)
                OK UCS_OK
                IN_PROGRESS UCS_INPROGRESS
                BUSY UCS_ERR_BUSY
                INPUT_OUTPUT UCS_ERR_IO_ERROR
                NO_MEMORY UCS_ERR_NO_MEMORY
                CANCELLED UCS_ERR_CANCELED
                LAST_ERROR UCS_ERR_LAST
                """);
    }
}
