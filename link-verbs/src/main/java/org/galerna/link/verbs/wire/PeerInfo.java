package org.galerna.link.verbs.wire;

import org.galerna.nativeaccess.verbs.QueuePairAddress;

/**
 * What two ranks tell each other before they connect.
 *
 * @param slotBytes longest message that may be sent to it
 * @param credits messages that may be sent to it without an answer
 * @param mtu bytes of a packet
 * @param flushAddress of its {@code FlushTarget}
 * @param flushKey by which that is read and written
 * @param address of its queue pair; without RDMA CM
 */
public record PeerInfo(
        int slotBytes, int credits, int mtu, long flushAddress, int flushKey, QueuePairAddress address) {}
