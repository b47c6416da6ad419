package org.galerna.nativeaccess.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.galerna.nativeaccess.CLayouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the layouts with what the C compiler makes of the headers, where there are both. */
class LayoutsTest {
    @TempDir
    private Path folder;

    @Test
    void theLayoutsOfVerbsAreThoseOfTheHeader() throws Exception {
        CLayouts.compare(folder, VerbsLayout.class, "infiniband/verbs.h", """
                DEVICE_BYTES sizeof(struct ibv_device)
                DEVICE_TRANSPORT offsetof(struct ibv_device, transport_type)
                TRANSPORT_IWARP IBV_TRANSPORT_IWARP
                CONTEXT_BYTES sizeof(struct ibv_context)
                CONTEXT_DEVICE offsetof(struct ibv_context, device)
                CONTEXT_POLL_CQ offsetof(struct ibv_context, ops.poll_cq)
                CONTEXT_REQ_NOTIFY_CQ offsetof(struct ibv_context, ops.req_notify_cq)
                CONTEXT_POST_SRQ_RECV offsetof(struct ibv_context, ops.post_srq_recv)
                CONTEXT_POST_SEND offsetof(struct ibv_context, ops.post_send)
                CONTEXT_POST_RECV offsetof(struct ibv_context, ops.post_recv)
                CONTEXT_ASYNC_FD offsetof(struct ibv_context, async_fd)
                CONTEXT_COMPLETION_VECTORS offsetof(struct ibv_context, num_comp_vectors)
                DEVICE_ATTR_BYTES sizeof(struct ibv_device_attr)
                DEVICE_ATTR_FIRMWARE offsetof(struct ibv_device_attr, fw_ver)
                DEVICE_ATTR_MAX_QP offsetof(struct ibv_device_attr, max_qp)
                DEVICE_ATTR_MAX_QP_WR offsetof(struct ibv_device_attr, max_qp_wr)
                DEVICE_ATTR_MAX_CQE offsetof(struct ibv_device_attr, max_cqe)
                DEVICE_ATTR_MAX_MR offsetof(struct ibv_device_attr, max_mr)
                DEVICE_ATTR_MAX_QP_RD_ATOM offsetof(struct ibv_device_attr, max_qp_rd_atom)
                DEVICE_ATTR_MAX_QP_INIT_RD_ATOM offsetof(struct ibv_device_attr, max_qp_init_rd_atom)
                DEVICE_ATTR_MAX_SRQ_WR offsetof(struct ibv_device_attr, max_srq_wr)
                DEVICE_ATTR_PORTS offsetof(struct ibv_device_attr, phys_port_cnt)
                PORT_ATTR_BYTES sizeof(struct ibv_port_attr)
                PORT_ATTR_STATE offsetof(struct ibv_port_attr, state)
                PORT_ATTR_ACTIVE_MTU offsetof(struct ibv_port_attr, active_mtu)
                PORT_ATTR_GIDS offsetof(struct ibv_port_attr, gid_tbl_len)
                PORT_ATTR_MAX_MESSAGE offsetof(struct ibv_port_attr, max_msg_sz)
                PORT_ATTR_LID offsetof(struct ibv_port_attr, lid)
                PORT_ATTR_LINK_LAYER offsetof(struct ibv_port_attr, link_layer)
                GID_ENTRY_BYTES sizeof(struct ibv_gid_entry)
                GID_ENTRY_INDEX offsetof(struct ibv_gid_entry, gid_index)
                GID_ENTRY_TYPE offsetof(struct ibv_gid_entry, gid_type)
                GID_BYTES sizeof(union ibv_gid)
                CHANNEL_BYTES sizeof(struct ibv_comp_channel)
                CHANNEL_FD offsetof(struct ibv_comp_channel, fd)
                MR_BYTES sizeof(struct ibv_mr)
                MR_LKEY offsetof(struct ibv_mr, lkey)
                MR_RKEY offsetof(struct ibv_mr, rkey)
                SRQ_INIT_ATTR_BYTES sizeof(struct ibv_srq_init_attr)
                SRQ_INIT_ATTR_MAX_WR offsetof(struct ibv_srq_init_attr, attr.max_wr)
                SRQ_INIT_ATTR_MAX_SGE offsetof(struct ibv_srq_init_attr, attr.max_sge)
                QP_INIT_ATTR_BYTES sizeof(struct ibv_qp_init_attr)
                QP_INIT_ATTR_SEND_CQ offsetof(struct ibv_qp_init_attr, send_cq)
                QP_INIT_ATTR_RECV_CQ offsetof(struct ibv_qp_init_attr, recv_cq)
                QP_INIT_ATTR_SRQ offsetof(struct ibv_qp_init_attr, srq)
                QP_INIT_ATTR_MAX_SEND_WR offsetof(struct ibv_qp_init_attr, cap.max_send_wr)
                QP_INIT_ATTR_MAX_RECV_WR offsetof(struct ibv_qp_init_attr, cap.max_recv_wr)
                QP_INIT_ATTR_MAX_SEND_SGE offsetof(struct ibv_qp_init_attr, cap.max_send_sge)
                QP_INIT_ATTR_MAX_RECV_SGE offsetof(struct ibv_qp_init_attr, cap.max_recv_sge)
                QP_INIT_ATTR_MAX_INLINE offsetof(struct ibv_qp_init_attr, cap.max_inline_data)
                QP_INIT_ATTR_TYPE offsetof(struct ibv_qp_init_attr, qp_type)
                QP_TYPE_RC IBV_QPT_RC
                QP_BYTES sizeof(struct ibv_qp)
                QP_NUMBER offsetof(struct ibv_qp, qp_num)
                QP_ATTR_BYTES sizeof(struct ibv_qp_attr)
                QP_ATTR_STATE offsetof(struct ibv_qp_attr, qp_state)
                QP_ATTR_PATH_MTU offsetof(struct ibv_qp_attr, path_mtu)
                QP_ATTR_RQ_PSN offsetof(struct ibv_qp_attr, rq_psn)
                QP_ATTR_SQ_PSN offsetof(struct ibv_qp_attr, sq_psn)
                QP_ATTR_DEST_QP offsetof(struct ibv_qp_attr, dest_qp_num)
                QP_ATTR_ACCESS offsetof(struct ibv_qp_attr, qp_access_flags)
                QP_ATTR_AH offsetof(struct ibv_qp_attr, ah_attr)
                QP_ATTR_PKEY_INDEX offsetof(struct ibv_qp_attr, pkey_index)
                QP_ATTR_MAX_RD_ATOMIC offsetof(struct ibv_qp_attr, max_rd_atomic)
                QP_ATTR_MAX_DEST_RD_ATOMIC offsetof(struct ibv_qp_attr, max_dest_rd_atomic)
                QP_ATTR_MIN_RNR_TIMER offsetof(struct ibv_qp_attr, min_rnr_timer)
                QP_ATTR_PORT offsetof(struct ibv_qp_attr, port_num)
                QP_ATTR_TIMEOUT offsetof(struct ibv_qp_attr, timeout)
                QP_ATTR_RETRIES offsetof(struct ibv_qp_attr, retry_cnt)
                QP_ATTR_RNR_RETRIES offsetof(struct ibv_qp_attr, rnr_retry)
                AH_DGID offsetof(struct ibv_ah_attr, grh.dgid)
                AH_SGID_INDEX offsetof(struct ibv_ah_attr, grh.sgid_index)
                AH_HOP_LIMIT offsetof(struct ibv_ah_attr, grh.hop_limit)
                AH_TRAFFIC_CLASS offsetof(struct ibv_ah_attr, grh.traffic_class)
                AH_DLID offsetof(struct ibv_ah_attr, dlid)
                AH_IS_GLOBAL offsetof(struct ibv_ah_attr, is_global)
                AH_PORT offsetof(struct ibv_ah_attr, port_num)
                STATE_INIT IBV_QPS_INIT
                STATE_RTR IBV_QPS_RTR
                STATE_RTS IBV_QPS_RTS
                STATE_ERROR IBV_QPS_ERR
                MASK_STATE IBV_QP_STATE
                MASK_ACCESS IBV_QP_ACCESS_FLAGS
                MASK_INIT IBV_QP_STATE|IBV_QP_PKEY_INDEX|IBV_QP_PORT|IBV_QP_ACCESS_FLAGS
                MASK_RTR IBV_QP_STATE|IBV_QP_AV|IBV_QP_PATH_MTU|IBV_QP_DEST_QPN|IBV_QP_RQ_PSN|IBV_QP_MAX_DEST_RD_ATOMIC|IBV_QP_MIN_RNR_TIMER
                MASK_RTS IBV_QP_STATE|IBV_QP_TIMEOUT|IBV_QP_RETRY_CNT|IBV_QP_RNR_RETRY|IBV_QP_SQ_PSN|IBV_QP_MAX_QP_RD_ATOMIC
                ACCESS_LOCAL_WRITE IBV_ACCESS_LOCAL_WRITE
                ACCESS_REMOTE_WRITE IBV_ACCESS_REMOTE_WRITE
                ACCESS_REMOTE_READ IBV_ACCESS_REMOTE_READ
                SGE_BYTES sizeof(struct ibv_sge)
                SGE_ADDRESS offsetof(struct ibv_sge, addr)
                SGE_LENGTH offsetof(struct ibv_sge, length)
                SGE_LKEY offsetof(struct ibv_sge, lkey)
                SEND_BYTES sizeof(struct ibv_send_wr)
                SEND_ID offsetof(struct ibv_send_wr, wr_id)
                SEND_NEXT offsetof(struct ibv_send_wr, next)
                SEND_SGES offsetof(struct ibv_send_wr, sg_list)
                SEND_SGE_COUNT offsetof(struct ibv_send_wr, num_sge)
                SEND_OPCODE offsetof(struct ibv_send_wr, opcode)
                SEND_FLAGS offsetof(struct ibv_send_wr, send_flags)
                SEND_IMMEDIATE offsetof(struct ibv_send_wr, imm_data)
                SEND_REMOTE_ADDRESS offsetof(struct ibv_send_wr, wr.rdma.remote_addr)
                SEND_RKEY offsetof(struct ibv_send_wr, wr.rdma.rkey)
                OPCODE_WRITE IBV_WR_RDMA_WRITE
                OPCODE_SEND IBV_WR_SEND
                OPCODE_SEND_WITH_IMMEDIATE IBV_WR_SEND_WITH_IMM
                OPCODE_READ IBV_WR_RDMA_READ
                FLAG_SIGNALED IBV_SEND_SIGNALED
                FLAG_INLINE IBV_SEND_INLINE
                RECV_BYTES sizeof(struct ibv_recv_wr)
                RECV_ID offsetof(struct ibv_recv_wr, wr_id)
                RECV_NEXT offsetof(struct ibv_recv_wr, next)
                RECV_SGES offsetof(struct ibv_recv_wr, sg_list)
                RECV_SGE_COUNT offsetof(struct ibv_recv_wr, num_sge)
                WC_BYTES sizeof(struct ibv_wc)
                WC_ID offsetof(struct ibv_wc, wr_id)
                WC_STATUS offsetof(struct ibv_wc, status)
                WC_OPCODE offsetof(struct ibv_wc, opcode)
                WC_VENDOR_ERROR offsetof(struct ibv_wc, vendor_err)
                WC_LENGTH offsetof(struct ibv_wc, byte_len)
                WC_IMMEDIATE offsetof(struct ibv_wc, imm_data)
                WC_QP offsetof(struct ibv_wc, qp_num)
                WC_FLAGS offsetof(struct ibv_wc, wc_flags)
                WC_WITH_IMMEDIATE IBV_WC_WITH_IMM
                WC_RECEIVED IBV_WC_RECV
                WC_STATUS_FLUSHED IBV_WC_WR_FLUSH_ERR
                ASYNC_EVENT_BYTES sizeof(struct ibv_async_event)
                ASYNC_EVENT_ELEMENT offsetof(struct ibv_async_event, element)
                ASYNC_EVENT_TYPE offsetof(struct ibv_async_event, event_type)
                EVENT_CQ_ERROR IBV_EVENT_CQ_ERR
                EVENT_QP_FATAL IBV_EVENT_QP_FATAL
                EVENT_QP_REQUEST_ERROR IBV_EVENT_QP_REQ_ERR
                EVENT_QP_ACCESS_ERROR IBV_EVENT_QP_ACCESS_ERR
                EVENT_DEVICE_FATAL IBV_EVENT_DEVICE_FATAL
                EVENT_SRQ_ERROR IBV_EVENT_SRQ_ERR
                """);
    }

    @Test
    void theLayoutsOfRdmaCmAreThoseOfTheHeader() throws Exception {
        CLayouts.compare(folder, RdmaCmLayout.class, "rdma/rdma_cma.h", """
                CHANNEL_BYTES sizeof(struct rdma_event_channel)
                ID_BYTES sizeof(struct rdma_cm_id)
                ID_VERBS offsetof(struct rdma_cm_id, verbs)
                PARAMETERS_BYTES sizeof(struct rdma_conn_param)
                PARAMETERS_PRIVATE_DATA offsetof(struct rdma_conn_param, private_data)
                PARAMETERS_PRIVATE_LENGTH offsetof(struct rdma_conn_param, private_data_len)
                PARAMETERS_TARGET_READS offsetof(struct rdma_conn_param, responder_resources)
                PARAMETERS_INITIATOR_READS offsetof(struct rdma_conn_param, initiator_depth)
                PARAMETERS_FLOW_CONTROL offsetof(struct rdma_conn_param, flow_control)
                PARAMETERS_RETRIES offsetof(struct rdma_conn_param, retry_count)
                PARAMETERS_RNR_RETRIES offsetof(struct rdma_conn_param, rnr_retry_count)
                PARAMETERS_SHARED_RECEIVES offsetof(struct rdma_conn_param, srq)
                PARAMETERS_QP offsetof(struct rdma_conn_param, qp_num)
                EVENT_BYTES sizeof(struct rdma_cm_event)
                EVENT_ID offsetof(struct rdma_cm_event, id)
                EVENT_LISTENER offsetof(struct rdma_cm_event, listen_id)
                EVENT_TYPE offsetof(struct rdma_cm_event, event)
                EVENT_STATUS offsetof(struct rdma_cm_event, status)
                EVENT_PARAMETERS offsetof(struct rdma_cm_event, param)
                EVENT_TYPES RDMA_CM_EVENT_TIMEWAIT_EXIT+1
                PORT_SPACE_TCP RDMA_PS_TCP
                OPTION_LEVEL_ID RDMA_OPTION_ID
                OPTION_TYPE_OF_SERVICE RDMA_OPTION_ID_TOS
                OPTION_ACK_TIMEOUT RDMA_OPTION_ID_ACK_TIMEOUT
                """);
        assertThat(ConnectionEvent.Kind.values()).hasSize(RdmaCmLayout.EVENT_TYPES);
    }
}
