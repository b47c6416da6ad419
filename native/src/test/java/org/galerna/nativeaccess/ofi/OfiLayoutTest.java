package org.galerna.nativeaccess.ofi;

import java.nio.file.Path;
import org.galerna.nativeaccess.CLayouts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the layout with what the C compiler makes of the headers, where there are both. */
class OfiLayoutTest {
    @TempDir
    private Path folder;

    @Test
    void theLayoutIsThatOfTheHeaders() throws Exception {
        CLayouts.compare(
                folder,
                OfiLayout.class,
                "rdma/fi_rma.h>\n#include <rdma/fi_cm.h>\n#include <rdma/fi_eq.h>\n#include <sys/uio.h",
                """
                ROOM 512+0*sizeof(char[512-(int)sizeof(struct fi_domain_attr)])
                OPERATIONS offsetof(struct fid, ops)
                CLOSE offsetof(struct fi_ops, close)
                BIND offsetof(struct fi_ops, bind)
                CONTROL offsetof(struct fi_ops, control)
                CONTROL_GET_WAIT FI_GETWAIT
                CONTROL_ENABLE FI_ENABLE
                FABRIC_OPERATIONS offsetof(struct fid_fabric, ops)
                FABRIC_DOMAIN offsetof(struct fi_ops_fabric, domain)
                FABRIC_TRY_WAIT offsetof(struct fi_ops_fabric, trywait)
                DOMAIN_OPERATIONS offsetof(struct fid_domain, ops)
                DOMAIN_AV_OPEN offsetof(struct fi_ops_domain, av_open)
                DOMAIN_CQ_OPEN offsetof(struct fi_ops_domain, cq_open)
                DOMAIN_ENDPOINT offsetof(struct fi_ops_domain, endpoint)
                DOMAIN_MR offsetof(struct fid_domain, mr)
                DOMAIN_MR_REGISTER offsetof(struct fi_ops_mr, reg)
                MR_DESCRIPTOR offsetof(struct fid_mr, mem_desc)
                MR_KEY offsetof(struct fid_mr, key)
                AV_OPERATIONS offsetof(struct fid_av, ops)
                AV_INSERT offsetof(struct fi_ops_av, insert)
                AV_REMOVE offsetof(struct fi_ops_av, remove)
                CQ_OPERATIONS offsetof(struct fid_cq, ops)
                CQ_READ offsetof(struct fi_ops_cq, read)
                CQ_READ_ERROR offsetof(struct fi_ops_cq, readerr)
                EP_MANAGEMENT offsetof(struct fid_ep, cm)
                EP_GET_NAME offsetof(struct fi_ops_cm, getname)
                EP_MESSAGES offsetof(struct fid_ep, msg)
                EP_RECEIVE offsetof(struct fi_ops_msg, recv)
                EP_SEND offsetof(struct fi_ops_msg, send)
                EP_INJECT offsetof(struct fi_ops_msg, inject)
                EP_RMA offsetof(struct fid_ep, rma)
                EP_READ offsetof(struct fi_ops_rma, read)
                EP_WRITE_MESSAGE offsetof(struct fi_ops_rma, writemsg)
                INFO_NEXT offsetof(struct fi_info, next)
                INFO_CAPS offsetof(struct fi_info, caps)
                INFO_MODE offsetof(struct fi_info, mode)
                INFO_ADDRESS_FORMAT offsetof(struct fi_info, addr_format)
                INFO_SOURCE offsetof(struct fi_info, src_addr)
                INFO_TX offsetof(struct fi_info, tx_attr)
                INFO_RX offsetof(struct fi_info, rx_attr)
                INFO_EP offsetof(struct fi_info, ep_attr)
                INFO_DOMAIN offsetof(struct fi_info, domain_attr)
                INFO_FABRIC offsetof(struct fi_info, fabric_attr)
                ADDRESS_IP FI_SOCKADDR
                ADDRESS_IP4 FI_SOCKADDR_IN
                ADDRESS_IP6 FI_SOCKADDR_IN6
                TX_MESSAGE_ORDER offsetof(struct fi_tx_attr, msg_order)
                TX_INJECT_BYTES offsetof(struct fi_tx_attr, inject_size)
                TX_SIZE offsetof(struct fi_tx_attr, size)
                RX_SIZE offsetof(struct fi_rx_attr, size)
                EP_TYPE offsetof(struct fi_ep_attr, type)
                EP_MOST_BYTES offsetof(struct fi_ep_attr, max_msg_size)
                EP_TYPE_RELIABLE_DATAGRAM FI_EP_RDM
                DOMAIN_NAME offsetof(struct fi_domain_attr, name)
                DOMAIN_THREADING offsetof(struct fi_domain_attr, threading)
                DOMAIN_RESOURCES offsetof(struct fi_domain_attr, resource_mgmt)
                DOMAIN_MR_MODE offsetof(struct fi_domain_attr, mr_mode)
                THREADING_SERIALIZED FI_THREAD_DOMAIN
                RESOURCES_MANAGED FI_RM_ENABLED
                FABRIC_NAME offsetof(struct fi_fabric_attr, name)
                FABRIC_PROVIDER offsetof(struct fi_fabric_attr, prov_name)
                MR_MODE_LOCAL FI_MR_LOCAL
                MR_MODE_VIRTUAL FI_MR_VIRT_ADDR
                MR_MODE_ALLOCATED FI_MR_ALLOCATED
                MR_MODE_PROVIDER_KEY FI_MR_PROV_KEY
                MR_MODE_ENDPOINT FI_MR_ENDPOINT
                BIT_MESSAGES __builtin_ctzll(FI_MSG)
                BIT_RMA __builtin_ctzll(FI_RMA)
                BIT_READ __builtin_ctzll(FI_READ)
                BIT_WRITE __builtin_ctzll(FI_WRITE)
                BIT_RECEIVE __builtin_ctzll(FI_RECV)
                BIT_SEND __builtin_ctzll(FI_SEND)
                BIT_REMOTE_READ __builtin_ctzll(FI_REMOTE_READ)
                BIT_REMOTE_WRITE __builtin_ctzll(FI_REMOTE_WRITE)
                BIT_DELIVERY_COMPLETE __builtin_ctzll(FI_DELIVERY_COMPLETE)
                BIT_ORDER_SEND_AFTER_WRITE __builtin_ctzll(FI_ORDER_SAW)
                BIT_MODE_CONTEXT __builtin_ctzll(FI_CONTEXT)
                BIT_MODE_CONTEXT2 __builtin_ctzll(FI_CONTEXT2)
                CONTEXT_BYTES sizeof(struct fi_context2)
                CQ_SIZE offsetof(struct fi_cq_attr, size)
                CQ_FORMAT offsetof(struct fi_cq_attr, format)
                CQ_WAIT_OBJECT offsetof(struct fi_cq_attr, wait_obj)
                CQ_FORMAT_DATA FI_CQ_FORMAT_DATA
                WAIT_NONE FI_WAIT_NONE
                WAIT_DESCRIPTOR FI_WAIT_FD
                AV_COUNT offsetof(struct fi_av_attr, count)
                ENTRY_BYTES sizeof(struct fi_cq_data_entry)
                ENTRY_CONTEXT offsetof(struct fi_cq_data_entry, op_context)
                ENTRY_LENGTH offsetof(struct fi_cq_data_entry, len)
                ERROR_CONTEXT offsetof(struct fi_cq_err_entry, op_context)
                ERROR_NUMBER offsetof(struct fi_cq_err_entry, err)
                VECTOR_BASE offsetof(struct iovec, iov_base)
                VECTOR_LENGTH offsetof(struct iovec, iov_len)
                RMA_VECTOR offsetof(struct fi_msg_rma, msg_iov)
                RMA_DESCRIPTORS offsetof(struct fi_msg_rma, desc)
                RMA_COUNT offsetof(struct fi_msg_rma, iov_count)
                RMA_ADDRESS offsetof(struct fi_msg_rma, addr)
                RMA_REMOTE_VECTOR offsetof(struct fi_msg_rma, rma_iov)
                RMA_REMOTE_COUNT offsetof(struct fi_msg_rma, rma_iov_count)
                RMA_CONTEXT offsetof(struct fi_msg_rma, context)
                REMOTE_BASE offsetof(struct fi_rma_iov, addr)
                REMOTE_LENGTH offsetof(struct fi_rma_iov, len)
                REMOTE_KEY offsetof(struct fi_rma_iov, key)
                BUSY FI_EBUSY
                NO_MEMORY FI_ENOMEM
                NOT_PERMITTED FI_EPERM
                AGAIN FI_EAGAIN
                AVAILABLE FI_EAVAIL
                NO_DATA FI_ENODATA
                CANCELLED FI_ECANCELED
                """);
    }
}
