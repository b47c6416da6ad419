package org.galerna.nativeaccess.verbs;

/**
 * How a queue pair reaches the other one, where no connection manager decides that.
 *
 * @param port number of the own port, from 1
 * @param gidIndex place of the own GID in the port's table
 * @param global whether packets carry GIDs: always on Ethernet, between subnets on InfiniBand
 * @param mtu bytes of a packet, 256 to 4096
 * @param trafficClass of the packets, 0 to 255
 * @param ackTimeout 1 to 31: 4.096 µs · 2^n until packets that nobody has acknowledged are sent again
 * @param reads RDMA reads that may be under way each way
 */
public record Path(int port, int gidIndex, boolean global, int mtu, int trafficClass, int ackTimeout, int reads) {}
