package org.galerna.nativeaccess.verbs;

/**
 * Where a queue pair is to be found by another one.
 *
 * @param number of the queue pair
 * @param firstPacket number of the first packet that it will send, 24 bits
 * @param lid of its port; 0 on Ethernet
 * @param gid of its port, 16 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record QueuePairAddress(int number, int firstPacket, int lid, byte[] gid) {}
