package org.galerna.device;

/**
 * What a device can carry; the same on all ranks of a job.
 *
 * @param largestTag largest tag of a message
 * @param largestContext largest context of a message
 * @param largestMessage longest message, in bytes
 * @param sharedHeap whether all ranks live on one heap, see {@link Device#sharedHeap()}
 */
public record DeviceLimits(int largestTag, int largestContext, long largestMessage, boolean sharedHeap) {
    /** Limits with the values checked. */
    public DeviceLimits {
        if (largestTag < 0 || largestContext < 0 || largestMessage < 0) {
            throw new IllegalArgumentException("tag, context and message have limits from 0, not " + largestTag + ", "
                    + largestContext + ", " + largestMessage);
        }
    }
}
