package org.galerna.nativeaccess.verbs;

/**
 * What an adapter can hold at most.
 *
 * @param firmware version of its firmware; may be empty
 * @param ports number of its ports
 * @param queuePairs queue pairs
 * @param workRequests work requests in one queue
 * @param completions entries of one completion queue
 * @param memoryRegions memory regions
 * @param readsAsTarget RDMA reads under way at one queue pair that others have begun
 * @param readsAsInitiator RDMA reads that one queue pair may have begun
 * @param sharedReceives receives in one shared receive queue
 */
public record AdapterLimits(
        String firmware,
        int ports,
        int queuePairs,
        int workRequests,
        int completions,
        int memoryRegions,
        int readsAsTarget,
        int readsAsInitiator,
        int sharedReceives) {}
