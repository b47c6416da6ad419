package org.galerna.link.verbs;

import org.galerna.nativeaccess.verbs.QueuePairAddress;

/**
 * What two ranks tell each other before they connect.
 *
 * @param slotBytes longest message that may be sent to it
 * @param credits messages that may be sent to it without an answer
 * @param mtu bytes of a packet
 * @param directory address of its {@link RegionDirectory}
 * @param directoryKey by which that is read
 * @param address of its queue pair; without RDMA CM
 */
record PeerInfo(int slotBytes, int credits, int mtu, long directory, int directoryKey, QueuePairAddress address) {}
